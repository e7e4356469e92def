/**
 * One id of a producer is one event: an event whose id the same provider has used for other content is rejected, for
 * every parcel that it names. An error declaration has the id and the content of its event. Pure.
 */
import { contentName, idName } from '../../events/captures/names.js';
import { namesByContent } from '../trackings/same-event.js';
import type { Group, ReadEvent, SoundEvent } from './outcomes.js';
import type { EventOutcome } from '../trackings/ingest.js';

/** Names of an id and of the content under it, by the current and by the earlier hash rules. */
interface IdNames {
  readonly id: string;
  readonly contents: readonly [string, ...string[]];
}

/** Undefined for an event of this service, and for an id that is a hash of the content. */
function idNamesOf(event: SoundEvent, provider: string): IdNames | undefined {
  const { hashes } = event.pushed;
  const eventId = idOf(event);
  if (!hashes || eventId === hashes.given || namesByContent(eventId, hashes).length > 0) return undefined;
  const { given, earlier, former } = hashes;
  const content = (hash: string) => contentName(provider, eventId, hash);
  return { id: idName(provider, eventId), contents: [content(given), content(earlier), content(former)] };
}

/** The id that the producer assigned. An id that is too long for a scan is only in the received event. */
function idOf({ eventId, received }: SoundEvent): string {
  const { eventID } = (received?.event ?? {}) as { readonly eventID?: unknown };
  return typeof eventID === 'string' && eventId.startsWith('ni:///') ? eventID : eventId;
}

const isSound = (event: ReadEvent): event is SoundEvent => !('errors' in event);

/** Ids that producers assigned to these events. */
export const assignedIds = (events: readonly ReadEvent[], provider: string): string[] => [
  ...new Set(events.flatMap((event) => (isSound(event) && idNamesOf(event, provider) ? [idOf(event)] : []))),
];

/** Names by which earlier captures may have recorded the ids of these events. */
export const idNames = (events: readonly ReadEvent[], provider: string): string[] => [
  ...new Set(
    events.flatMap((event) => {
      const names = isSound(event) ? idNamesOf(event, provider) : undefined;
      return names ? [names.id, ...names.contents] : [];
    }),
  ),
];

/** Names that this capture records: those of its events that were not rejected. */
export const recordedNames = (
  events: readonly ReadEvent[],
  outcomes: readonly { readonly outcome: string }[],
  provider: string,
): string[] => [
  ...new Set(
    events.flatMap((event, index) => {
      const names = isSound(event) && outcomes[index]!.outcome !== 'rejected' ? idNamesOf(event, provider) : undefined;
      return names ? [names.id, names.contents[0]] : [];
    }),
  ),
];

/** Indexes of the events whose id is known with other content only. `known`: names that earlier captures recorded. */
export function reusedIds(
  events: readonly ReadEvent[],
  provider: string,
  known: ReadonlySet<string>,
): ReadonlySet<number> {
  const names = new Set(known);
  const reused = new Set<number>();
  events.forEach((event, index) => {
    const { id, contents } = (isSound(event) ? idNamesOf(event, provider) : undefined) ?? {};
    if (id === undefined) return;
    if (names.has(id) && !contents!.some((content) => names.has(content))) reused.add(index);
    else names.add(id).add(contents![0]);
  });
  return reused;
}

/** Indexes of the events with several parcels, of which at least one has the id with other content. */
export function reusedInParcels(
  events: readonly ReadEvent[],
  groups: readonly Group[],
  outcomes: readonly (readonly EventOutcome[])[],
): ReadonlySet<number> {
  const reused = new Set<number>();
  groups.forEach(({ members }, group) =>
    members.forEach(({ index }, at) => {
      const outcome = outcomes[group]![at]!;
      const event = events[index]!;
      if ('code' in outcome && outcome.code === 'EVENT_ID_REUSED' && isSound(event) && event.parcels.length > 1)
        reused.add(index);
    }),
  );
  return reused;
}

/** The events, with those at these indexes rejected. */
export const refuse = (events: readonly ReadEvent[], indexes: ReadonlySet<number>): readonly ReadEvent[] =>
  indexes.size === 0
    ? events
    : events.map((event, index) =>
        indexes.has(index) && isSound(event)
          ? { eventId: event.eventId, errors: [{ code: 'EVENT_ID_REUSED', path: event.idPath }] }
          : event,
      );
