/** From the events of a document to pushes, one for each parcel, and back to one outcome for each event. Pure. */
import type { Refusal } from '../../events/captures/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Subject } from '../../events/otep/model.js';
import type { EventOutcome, PushedTimeline } from '../trackings/ingest.js';
import type { Pushed, RejectionCode } from '../trackings/command.js';

/** A parcel that an event names, and the JSON Pointer of the name. */
export interface Parcel {
  readonly subject: Subject;
  readonly path: string;
}

/** What a reader made of one event of the document, in the document's order. */
export type ReadEvent =
  | { readonly errors: readonly Refusal[] }
  | {
      readonly eventId: string;
      /** JSON Pointer to that id, or to the event where it has none. */ readonly idPath: string;
      readonly parcels: readonly Parcel[];
      readonly pushed: Pushed;
    };

/**
 * One outcome for each event. An event that names several parcels counts once: accepted when it is news to at least one
 * of them, else a duplicate when one of them has it, else rejected. `errors` name the parcels that refused it, whatever
 * the outcome.
 */
export interface CaptureOutcome {
  readonly outcome: 'accepted' | 'duplicate' | 'rejected';
  readonly event_id?: string;
  readonly errors?: readonly Refusal[];
}

/** The events of one parcel, with their places in the document. */
export interface Group {
  readonly push: PushedTimeline;
  readonly members: readonly { readonly index: number; readonly path: string }[];
}

/** In the order in which the document names the parcels. */
export function groupByParcel(events: readonly ReadEvent[]): Group[] {
  const groups = new Map<string, { subject: Subject; events: Pushed[]; members: { index: number; path: string }[] }>();
  events.forEach((event, index) => {
    if ('errors' in event) return;
    for (const { subject, path } of event.parcels) {
      const key = JSON.stringify(subject);
      const group = groups.get(key) ?? { subject, events: [], members: [] };
      groups.set(key, group);
      group.events.push(event.pushed);
      group.members.push({ index, path });
    }
  });
  return [...groups.values()].map(({ subject, events, members }) => ({ push: { subject, events }, members }));
}

/** What an event that names no parcel is known by in the captures of its provider. */
interface Names {
  /** The same for everything that bears its id; a retraction of it is another event. */
  readonly claim: string;
  /** The same for what says the same under that id. */
  readonly content: string;
  /** The same by the hash that was given earlier. */
  readonly earlier: string;
  /** What was recorded before contents were compared. */
  readonly former: string;
}

function namesOf({ eventId, pushed: { scan, hashes } }: Sound, provider: string): Names {
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

type Sound = Exclude<ReadEvent, { errors: unknown }>;
const isUnattached = (event: ReadEvent): event is Sound => !('errors' in event) && event.parcels.length === 0;

/** Names by which earlier captures may know the events without a parcel. */
export const unattachedNames = (events: readonly ReadEvent[], provider: string): string[] => [
  ...new Set(events.filter(isUnattached).flatMap((event) => Object.values(namesOf(event, provider)) as string[])),
];

/** Names by which later captures are to know those that were not refused. */
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

/** `seen`: which names of the events without a parcel occur in earlier captures. */
export function foldOutcomes(
  events: readonly ReadEvent[],
  provider: string,
  groups: readonly Group[],
  outcomes: readonly (readonly EventOutcome[])[],
  seen: ReadonlySet<string>,
): CaptureOutcome[] {
  const told: { outcome: EventOutcome; path: string }[][] = events.map(() => []);
  groups.forEach(({ members }, group) =>
    members.forEach(({ index, path }, at) => told[index]!.push({ outcome: outcomes[group]![at]!, path })),
  );
  const alone = new Set(seen);
  return events.map((event, index) => {
    if ('errors' in event) return { outcome: 'rejected', errors: event.errors };
    if (event.parcels.length > 0) return foldOne(event, told[index]!);
    return foldUnattached(event, namesOf(event, provider), alone);
  });
}

/** Notes the names of an event that is accepted. */
function foldUnattached(
  { eventId, idPath }: Sound,
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
  event: Sound,
  told: readonly { readonly outcome: EventOutcome; readonly path: string }[],
): CaptureOutcome {
  const taken =
    told.find(({ outcome }) => outcome.outcome === 'accepted') ??
    told.find(({ outcome }) => outcome.outcome === 'duplicate');
  const errors = told.flatMap(({ outcome, path }) =>
    'code' in outcome ? [{ code: outcome.code, path: BLAMED[outcome.code] === 'parcel' ? path : event.idPath }] : [],
  );
  return {
    outcome: taken?.outcome.outcome ?? 'rejected',
    event_id: taken?.outcome.event_id ?? event.eventId,
    ...(errors.length > 0 && { errors: unique(errors).slice(0, MAX_ERRORS) }),
  };
}

/** What of an event a refusal is about: the parcel, or the event's own id. */
const BLAMED: Readonly<Record<RejectionCode, 'parcel' | 'id'>> = {
  UNKNOWN_SHIPMENT: 'parcel',
  NUMBER_RESERVED: 'parcel',
  NOT_YOUR_SHIPMENT: 'parcel',
  NOT_YOUR_EVENT: 'id',
  EVENT_ID_REUSED: 'id',
};

/** Of one event: an input made of nothing but faults must not make an answer many times its size. */
const MAX_ERRORS = 100;

const unique = (errors: readonly Refusal[]): Refusal[] => [
  ...new Map(errors.map((error) => [`${error.code} ${error.path}`, error])).values(),
];

export const count = (outcomes: readonly CaptureOutcome[]) => {
  const of = (wanted: CaptureOutcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  return { accepted: of('accepted'), duplicates: of('duplicate'), rejected: of('rejected') };
};
