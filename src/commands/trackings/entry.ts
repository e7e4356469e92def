/** The events that one pushed event leads to: its scan, its retraction, or both. */
import { derivedId } from '../../events/otep/identity.js';
import { scanEventId, type RecordedScan, type Retraction } from '../../events/trackings/events.js';
import { UNMAPPED } from '../../events/otep/codes.js';
import type { Pushed } from './command.js';
import type { Known } from './state.js';

export type Entry =
  { readonly kind: 'scan'; readonly data: RecordedScan } | { readonly kind: 'retraction'; readonly data: Retraction };

/**
 * Whether the event gives a status to one of the same provider that was kept without it, because no table contained its
 * raw code (rule N17 of the protocol).
 */
export const maps = (before: Known | undefined, { kind, data }: Entry): boolean =>
  kind === 'scan' &&
  before?.scan?.status === UNMAPPED &&
  data.status_code !== UNMAPPED &&
  before.provider === data.provider;

export const entriesOf = ({ scan, retraction }: Pushed): readonly Entry[] => [
  ...(scan ? [{ kind: 'scan', data: scan } as const] : []),
  ...(retraction ? [{ kind: 'retraction', data: retraction } as const] : []),
];

/** The id of the stored event. Derived, so that a retry of the push has the same id. */
export const factId = (id: string, kind: Entry['kind'] | 'amendment', eventId: string): string =>
  kind === 'scan' ? scanEventId(id, eventId) : derivedId('event', id, `${kind} ${eventId}`);
