/**
 * One id of a producer is one event: an event whose id the same provider has used for other content is rejected, for
 * every parcel that it names. An error declaration has the id and the content of its event. Pure.
 */
import { contentName, idName } from '../../events/captures/names.js';
import { namesByContent } from '../trackings/same-event.js';
import type { Group, ReadEvent, SoundEvent } from './outcomes.js';
import type { EventOutcome } from '../trackings/ingest.js';

/** An id that a producer assigned to an event, and the names by which captures record it. */
export interface AssignedId {
  readonly id: string;
  readonly name: string;
  /** Name of the content under the id. Computed on first access. */
  readonly content: string;
  /** Names of the content under the id, by the current and by the earlier hash rules. Computed on first access. */
  readonly contents: readonly string[];
}

/** By index of the event. Undefined for an event of this service, and for an id that is a hash of the content. */
export type AssignedIds = readonly (AssignedId | undefined)[];

/** Computed once for a document, because a name takes a hash and a large document has a thousand events. */
export const assignedIds = (events: readonly ReadEvent[], provider: string): AssignedIds =>
  events.map((event) => (isSound(event) ? assignedId(event, provider) : undefined));

function assignedId(event: SoundEvent, provider: string): AssignedId | undefined {
  const { hashes } = event.pushed;
  const id = idOf(event);
  if (!hashes || id === hashes.given || namesByContent(id, hashes).length > 0) return undefined;
  const contentOf = (hash: string) => contentName(provider, id, hash);
  let content: string | undefined;
  let contents: readonly string[] | undefined;
  return {
    id,
    name: idName(provider, id),
    get content() {
      return (content ??= contentOf(hashes.given));
    },
    get contents() {
      return (contents ??= [this.content, contentOf(hashes.earlier), contentOf(hashes.former)]);
    },
  };
}

/** The id that the producer assigned. An id that is too long for a scan is only in the received event. */
function idOf({ eventId, received }: SoundEvent): string {
  const { eventID } = (received?.event ?? {}) as { readonly eventID?: unknown };
  return typeof eventID === 'string' && eventId.startsWith('ni:///') ? eventID : eventId;
}

const isSound = (event: ReadEvent): event is SoundEvent => !('errors' in event);

/** Names that this capture records: those of its events that were not rejected. */
export const recordedNames = (ids: AssignedIds, outcomes: readonly { readonly outcome: string }[]): string[] => [
  ...new Set(ids.flatMap((id, index) => (id && outcomes[index]!.outcome !== 'rejected' ? [id.name, id.content] : []))),
];

/** Indexes of the events whose id is known with other content only. `known`: names that earlier captures recorded. */
export function reusedIds(ids: AssignedIds, known: ReadonlySet<string>): ReadonlySet<number> {
  const reused = new Set<number>();
  /** The accepted events of this document with an id, one for each content. */
  const accepted = new Map<string, AssignedId[]>();
  ids.forEach((id, index) => {
    if (!id) return;
    const same = accepted.get(id.name) ?? [];
    const isNew = same.length === 0 && !known.has(id.name);
    const isRepeated = (content: string) => same.some((one) => one.content === content);
    if (isNew) accepted.set(id.name, [id]);
    else if (!id.contents.some((content) => known.has(content) || isRepeated(content))) reused.add(index);
    else if (!isRepeated(id.content)) accepted.set(id.name, [...same, id]);
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
