/**
 * Converts the events of a document to pushes, one per parcel, and their outcomes back to one outcome per event. Pure.
 */
import type { Refusal } from '../../events/captures/events.js';
import type { ReceivedEvent } from '../../events/captures/text.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Subject } from '../../events/otep/model.js';
import type { EventOutcome, PushedTimeline } from '../trackings/ingest.js';
import type { Pushed, RejectionCode } from '../trackings/command.js';

/** A parcel that an event names, and the JSON Pointer to that name. */
export interface Parcel {
  readonly subject: Subject;
  readonly path: string;
}

/** The result of reading one event of the document, in the order of the document. */
export type ReadEvent = RefusedEvent | SoundEvent;

export interface RefusedEvent {
  readonly eventId?: string;
  readonly errors: readonly Refusal[];
}

export interface SoundEvent {
  readonly eventId: string;
  /** JSON Pointer to that id, or to the event if it has no id. */
  readonly idPath: string;
  readonly parcels: readonly Parcel[];
  readonly pushed: Pushed;
  /** Absent for an event that was not received in EPCIS format. */
  readonly received?: ReceivedEvent;
}

/**
 * The outcome of one event. An event that names several parcels counts once:
 *
 * - `accepted` if it is new to at least one parcel,
 * - else `updated` if it adds members to the event that at least one parcel has, or corrects them,
 * - else `duplicate` if at least one parcel has it already,
 * - else `rejected`.
 *
 * `errors` name the parcels that rejected the event, whatever the outcome.
 */
export interface CaptureOutcome {
  readonly outcome: 'accepted' | 'updated' | 'duplicate' | 'rejected';
  readonly event_id?: string;
  readonly errors?: readonly Refusal[];
}

/** The events of one parcel, with their positions in the document. */
export interface Group {
  readonly push: PushedTimeline;
  readonly members: readonly { readonly index: number; readonly path: string }[];
}

/** Equal for the same parcel in all events of a document. */
export const parcelKey = (subject: Subject): string => JSON.stringify(subject);

/** Groups the events by parcel, in the order in which the document names the parcels. */
export function groupByParcel(events: readonly ReadEvent[]): Group[] {
  const groups = new Map<string, { subject: Subject; events: Pushed[]; members: { index: number; path: string }[] }>();
  events.forEach((event, index) => {
    if ('errors' in event) return;
    for (const { subject, path } of event.parcels) {
      const key = parcelKey(subject);
      const group = groups.get(key) ?? { subject, events: [], members: [] };
      groups.set(key, group);
      group.events.push(event.pushed);
      group.members.push({ index, path });
    }
  });
  return [...groups.values()].map(({ subject, events, members }) => ({ push: { subject, events }, members }));
}

/** Names of an event without a parcel, by which the captures of its provider recognize it. */
interface Names {
  /** Equal for all events with the same id. A retraction of that id has a different claim. */
  readonly claim: string;
  /** Equal for all events with the same id and the same content. */
  readonly content: string;
  /** Like `content`, with the hash according to the earlier rules. */
  readonly earlier: string;
  /** The name that was recorded before contents were compared. */
  readonly former: string;
}

function namesOf({ eventId, pushed: { scan, hashes } }: SoundEvent, provider: string): Names {
  const named = (id: string) => (scan ? id : `retraction ${id}`);
  const content = (id: string, hash = '') => derivedId('unattached content', provider, named(id), hash);
  const before = hashes && eventId === hashes.given ? hashes.earlier : eventId;
  return {
    claim: derivedId('unattached claim', provider, named(eventId)),
    content: content(eventId, hashes?.given),
    earlier: content(before, hashes?.earlier),
    former: derivedId('unattached', provider, eventId),
  };
}

const isUnattached = (event: ReadEvent): event is SoundEvent => !('errors' in event) && event.parcels.length === 0;

/** Names by which earlier captures may have recorded the events without a parcel. */
export const unattachedNames = (events: readonly ReadEvent[], provider: string): string[] => [
  ...new Set(events.filter(isUnattached).flatMap((event) => Object.values(namesOf(event, provider)) as string[])),
];

/** Names under which this capture records its events without a parcel, except rejected ones. */
export const unattachedOf = (
  events: readonly ReadEvent[],
  outcomes: readonly CaptureOutcome[],
  provider: string,
): string[] => [
  ...new Set(
    events.flatMap((event, index) => {
      if (!isUnattached(event) || outcomes[index]!.outcome === 'rejected') return [];
      const { claim, content } = namesOf(event, provider);
      return [claim, content];
    }),
  ),
];

/** `seen`: the names of events without a parcel that occur in earlier captures. */
export function foldOutcomes(
  events: readonly ReadEvent[],
  provider: string,
  groups: readonly Group[],
  outcomes: readonly (readonly EventOutcome[])[],
  seen: ReadonlySet<string>,
): CaptureOutcome[] {
  const outcomesByEvent: { outcome: EventOutcome; path: string }[][] = events.map(() => []);
  groups.forEach(({ members }, group) =>
    members.forEach(({ index, path }, at) => outcomesByEvent[index]!.push({ outcome: outcomes[group]![at]!, path })),
  );
  const alone = new Set(seen);
  return events.map((event, index) => {
    if ('errors' in event)
      return {
        outcome: 'rejected',
        ...(event.eventId !== undefined && { event_id: event.eventId }),
        errors: event.errors,
      };
    if (event.parcels.length > 0) return foldOne(event, outcomesByEvent[index]!);
    return foldUnattached(event, namesOf(event, provider), alone);
  });
}

/** Adds the names of an accepted event to `known`. */
function foldUnattached(
  { eventId, idPath }: SoundEvent,
  { claim, content, earlier, former }: Names,
  known: Set<string>,
): CaptureOutcome {
  if (known.has(content) || known.has(earlier) || (!known.has(claim) && known.has(former)))
    return { outcome: 'duplicate', event_id: eventId };
  if (known.has(claim))
    return { outcome: 'rejected', event_id: eventId, errors: [{ code: 'EVENT_ID_REUSED', path: idPath }] };
  known.add(claim).add(content);
  return { outcome: 'accepted', event_id: eventId };
}

function foldOne(
  event: SoundEvent,
  outcomes: readonly { readonly outcome: EventOutcome; readonly path: string }[],
): CaptureOutcome {
  const taken =
    outcomes.find(({ outcome }) => outcome.outcome === 'accepted') ??
    outcomes.find(({ outcome }) => outcome.outcome === 'updated') ??
    outcomes.find(({ outcome }) => outcome.outcome === 'duplicate');
  const errors = outcomes.flatMap(({ outcome, path }) =>
    'code' in outcome ? [{ code: outcome.code, path: BLAMED[outcome.code] === 'parcel' ? path : event.idPath }] : [],
  );
  return {
    outcome: taken?.outcome.outcome ?? 'rejected',
    event_id: taken?.outcome.event_id ?? event.eventId,
    ...(errors.length > 0 && { errors: unique(errors).slice(0, MAX_ERRORS) }),
  };
}

/** The part of an event that a rejection refers to: the parcel, or the id of the event. */
const BLAMED: Readonly<Record<RejectionCode, 'parcel' | 'id'>> = {
  UNKNOWN_SHIPMENT: 'parcel',
  NUMBER_RESERVED: 'parcel',
  NOT_YOUR_SHIPMENT: 'parcel',
  NOT_YOUR_EVENT: 'id',
  EVENT_ID_REUSED: 'id',
  TOO_MANY_REPORTS: 'id',
};

/** Maximum number of errors per event. It prevents responses that are many times larger than an invalid request. */
const MAX_ERRORS = 100;

const unique = (errors: readonly Refusal[]): Refusal[] => [
  ...new Map(errors.map((error) => [`${error.code} ${error.path}`, error])).values(),
];

export const count = (outcomes: readonly CaptureOutcome[]) => {
  const of = (wanted: CaptureOutcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  return { accepted: of('accepted'), duplicates: of('duplicate'), rejected: of('rejected') };
};

/** If one event is rejected, all are rejected: with their own errors, or with ROLLED_BACK. */
export function allOrNothing(outcomes: readonly CaptureOutcome[]): readonly CaptureOutcome[] {
  const refused = outcomes.findIndex(({ errors, outcome }) => errors !== undefined || outcome === 'rejected');
  if (refused < 0) return outcomes;
  const because: CaptureOutcome['errors'] = [{ code: 'ROLLED_BACK', path: '' }];
  return outcomes.map(({ event_id, errors = because }) => ({
    outcome: 'rejected',
    ...(event_id !== undefined && { event_id }),
    errors,
  }));
}
