/** Who calls: nobody in particular, or a provider by its key. */
import type { Pusher } from '../commands/ingest.js';
import type { StatusMapping } from '../events/providers.js';

export interface ProviderCaller extends Pusher {
  readonly role: 'provider';
  /** Id of the key, for the audit trail; never the key. */
  readonly keyId: string;
  readonly mapping: ReadonlyMap<string, StatusMapping[number]>;
}

export interface AnonymousCaller {
  readonly role: 'anonymous';
}

export type Caller = AnonymousCaller | ProviderCaller;
export type CallerKind = Caller['role'];

export const ANONYMOUS: AnonymousCaller = { role: 'anonymous' };
