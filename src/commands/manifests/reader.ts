/** Reads the current state of a manifest from the log. */
import { decoded } from '../../events/core/codec.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import { pastOf } from '../core/decider.js';
import { evolve, initial, type ManifestState } from './state.js';

export interface ReadManifest {
  readonly state: ManifestState;
  /** The events, decoded, oldest first. */
  readonly past: readonly StoredEvent[];
}

export const createManifestReader =
  ({ log, types }: Parts<'log' | 'types'>) =>
  async (stream: string): Promise<ReadManifest> => {
    const past: StoredEvent[] = [];
    for await (const event of log.read(stream)) past.push(decoded(event, types));
    return { state: past.reduce((now, event) => evolve(now, pastOf(event, event.data)), initial()), past };
  };

export type ManifestReader = ReturnType<typeof createManifestReader>;
