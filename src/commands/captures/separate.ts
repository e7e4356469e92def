/**
 * Which events of a document are stored separately, and under which keys: the events of other producers that lead to
 * scans. Rejected events are not stored. All other events stay in the document: events of this service, duplicates, events
 * without a parcel, and events that are too long for one append. Pure.
 */
import { eventKeyOf, type CapturedEventData } from '../../events/captures/events.js';
import { capturedEventName, declarationName } from '../../events/captures/names.js';
import { APPEND_BYTES, bytesOf, joinBodies, toBody } from '../../events/captures/text.js';
import type { Targets } from '../trackings/targets.js';
import type { SeparateEvents } from './decider.js';
import type { CaptureOutcome, Group, ReadEvent } from './outcomes.js';

interface Judged {
  readonly events: readonly ReadEvent[];
  readonly groups: readonly Group[];
  /** By group. */
  readonly targets: readonly (Targets | undefined)[];
  readonly outcomes: readonly CaptureOutcome[];
}

/** Separate events with their approximate size in bytes, including the members that are not encrypted. */
interface SizedEvents extends SeparateEvents {
  readonly size: number;
}

/** An event that is stored separately. */
interface Separate {
  readonly entry: CapturedEventData['events'][number];
  readonly trackings: readonly string[];
  readonly body: string;
  /** Size of the body in bytes, as `bytesOf`. */
  readonly bytes: number;
}

/** Maximum size of the bodies that are encrypted together: a query decrypts all of them to return one. */
const GROUP_BYTES = 16_384;

/**
 * `isErased`: whether the key of a tracking was destroyed. An event of several trackings then has that key, so nothing of
 * it can be read. `digest`: the digest of the rest of the document is not known yet, so it is added later.
 */
export function separateEvents(
  id: string,
  provider: string,
  judged: Judged,
  isErased: (tracking: string) => boolean,
): readonly SizedEvents[] {
  const all = separateOf(provider, judged);
  const alone = all.filter(({ trackings }) => trackings.length > 1).map((one) => [one]);
  const together = groupByTracking(all.filter(({ trackings }) => trackings.length === 1));
  return [...together, ...alone].map((group) => {
    const { trackings, entry } = group[0]!;
    const body = joinBodies(group.map((one) => one.body));
    return {
      data: { provider, trackings: [...trackings], digest: '', events: group.map((one) => one.entry), body },
      key: trackings.length === 1 ? trackings[0]! : (trackings.find(isErased) ?? eventKeyOf(id, entry.index)),
      size: group.reduce((sum, { bytes }) => sum + bytes + ENTRY_BYTES, 40 * trackings.length + 300),
    };
  });
}

/** Approximate size of an entry of `events`. */
const ENTRY_BYTES = 200;

function separateOf(provider: string, { events, groups, targets, outcomes }: Judged): readonly Separate[] {
  const trackings = trackingsByEvent(events.length, groups, targets);
  return events.flatMap((event, index): Separate[] => {
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
    const bytes = bytesOf(body);
    if (bytes > APPEND_BYTES) return [];
    const { eventId, pushed } = event;
    const name = pushed.scan ? capturedEventName(provider, eventId, hashes.given) : declarationName(provider, eventId);
    return [{ entry: { index, event_id: eventId, name }, trackings: ids, body, bytes }];
  });
}

/** Groups the events of the same tracking, in their order. A large event is alone. */
function groupByTracking(all: readonly Separate[]): readonly (readonly Separate[])[] {
  const groups: Separate[][] = [];
  const open = new Map<string, { readonly group: Separate[]; room: number }>();
  for (const one of all) {
    let current = open.get(one.trackings[0]!);
    if (!current || one.bytes > current.room) {
      current = { group: [], room: GROUP_BYTES };
      groups.push(current.group);
      open.set(one.trackings[0]!, current);
    }
    current.group.push(one);
    current.room -= one.bytes;
  }
  return groups;
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
export function inAppends<Events extends SizedEvents>(all: readonly Events[]): readonly (readonly Events[])[] {
  const lists: Events[][] = [];
  let room = 0;
  for (const events of all) {
    if (events.size > room) {
      lists.push([]);
      room = APPEND_BYTES;
    }
    lists.at(-1)!.push(events);
    room -= events.size;
  }
  return lists;
}
