/**
 * Which events of a document are stored separately, and under which keys: the events of other producers that lead to
 * scans. Rejected events are not stored. All other events stay in the document: events of this service, duplicates, events
 * without a parcel, and events that are too long for one append. Pure.
 */
import { eventKeyOf } from '../../events/captures/events.js';
import { capturedEventName, declarationName } from '../../events/captures/names.js';
import { APPEND_BYTES, bytesOf, toBody } from '../../events/captures/text.js';
import type { Targets } from '../trackings/targets.js';
import type { SeparateEvent } from './decider.js';
import type { CaptureOutcome, Group, ReadEvent } from './outcomes.js';

interface Judged {
  readonly events: readonly ReadEvent[];
  readonly groups: readonly Group[];
  /** By group. */
  readonly targets: readonly (Targets | undefined)[];
  readonly outcomes: readonly CaptureOutcome[];
}

/**
 * `isErased`: whether the key of a tracking was destroyed. An event of several trackings then has that key, so nothing of
 * it can be read. `digest`: the digest of the rest of the document is not known yet, so it is added later.
 */
export function separateEvents(
  id: string,
  provider: string,
  { events, groups, targets, outcomes }: Judged,
  isErased: (tracking: string) => boolean,
): readonly SeparateEvent[] {
  const trackings = trackingsByEvent(events.length, groups, targets);
  return events.flatMap((event, index): SeparateEvent[] => {
    const hashes = 'errors' in event ? undefined : event.pushed.hashes;
    const { outcome } = outcomes[index]!;
    const ids = [...trackings[index]!];
    if (
      'errors' in event ||
      !event.received ||
      !hashes ||
      ids.length === 0 ||
      (outcome !== 'accepted' && outcome !== 'updated')
    )
      return [];
    const body = toBody(event.received);
    if (bytesOf(body) > APPEND_BYTES) return [];
    const { eventId, pushed } = event;
    const name = pushed.scan ? capturedEventName(provider, eventId, hashes.given) : declarationName(provider, eventId);
    return [
      {
        data: { provider, index, event_id: eventId, name, trackings: ids, digest: '', body },
        key: ids.length === 1 ? ids[0]! : (ids.find(isErased) ?? eventKeyOf(id, index)),
      },
    ];
  });
}

function trackingsByEvent(
  count: number,
  groups: readonly Group[],
  targets: readonly (Targets | undefined)[],
): readonly ReadonlySet<string>[] {
  const trackings = Array.from({ length: count }, () => new Set<string>());
  groups.forEach(({ members }, group) => {
    for (const { id } of targets[group] ?? []) for (const { index } of members) trackings[index]!.add(id);
  });
  return trackings;
}

/** Splits the events into lists that are small enough for an append on any engine. */
export function inAppends(events: readonly SeparateEvent[]): readonly (readonly SeparateEvent[])[] {
  const lists: SeparateEvent[][] = [];
  let room = 0;
  for (const event of events) {
    const size = sizeOf(event);
    if (size > room) {
      lists.push([]);
      room = APPEND_BYTES;
    }
    lists.at(-1)!.push(event);
    room -= size;
  }
  return lists;
}

/** Approximate size in bytes, with the members that are not encrypted. */
export const sizeOf = ({ data: { body, trackings } }: SeparateEvent): number =>
  bytesOf(body ?? '') + 40 * trackings.length + 400;
