/** The events that one pushed event leads to: its scan, its retraction, or both. */
import { derivedId } from '../../events/otep/identity.js';
import { scanEventId, type RecordedScan, type Retraction } from '../../events/trackings/events.js';
import type { Pushed } from './command.js';

export type Entry =
  { readonly kind: 'scan'; readonly data: RecordedScan } | { readonly kind: 'retraction'; readonly data: Retraction };

export const entriesOf = ({ scan, retraction }: Pushed): readonly Entry[] => [
  ...(scan ? [{ kind: 'scan', data: scan } as const] : []),
  ...(retraction ? [{ kind: 'retraction', data: retraction } as const] : []),
];

/** The id of the stored event. Derived, so that a retry of the push has the same id. */
export const factId = (id: string, kind: Entry['kind'] | 'amendment', eventId: string): string =>
  kind === 'scan' ? scanEventId(id, eventId) : derivedId('event', id, `${kind} ${eventId}`);
