/** Converts a life of a number to the journey that a caller may see. Pure. */
import { unseal } from '../../events/core/codec.js';
import type { JsonObject } from '../../events/core/log.js';
import {
  OTEP_VERSION,
  type DeliveryPlan,
  type Journey,
  type RetractedEvent,
  type Subject,
  type TimelineEvent,
} from '../../events/otep/model.js';
import type { Instant } from '../../events/otep/time.js';
import { deriveTimeline, type Scan } from '../../events/otep/timeline.js';
import type { PlannedDelivery } from '../../events/trackings/events.js';
import { merged } from '../../events/trackings/merging.js';
import { currentLife, livesOf, type Life, type LifeEvent } from './lives.js';
import type { StoredRetraction, StoredScan, TrackingRow } from './row.js';

/**
 * The members of a journey that a caller may see:
 *
 * - `public`: without personal names, free text, proofs, exact coordinates, order ids and package ids.
 * - `partner`: like `public`, with proofs of delivery.
 * - `full`: for the caller's own shipment. Includes all data that can be decrypted, and retracted events.
 */
export type View =
  { readonly kind: 'public' } | { readonly kind: 'partner' | 'full'; readonly keys: ReadonlyMap<string, Buffer> };

/** The journey of the current life of one tracking. */
export const journeyOfRow = (row: TrackingRow, view: View, now: Instant): Journey =>
  journeyOfLife(currentLife(livesOf([row]), now), view, now);

/** The journey of a life in this view at `now`. */
export function journeyOfLife(life: Life, view: View, now: Instant): Journey {
  const ids = new Map(life.events.map(({ event_id, id }) => [event_id, id]));
  const subject = view.kind === 'full' ? life.subject : publicSubject(life);
  const active = life.events.filter(({ retraction }) => !retraction);
  const timeline = deriveTimeline(
    subject,
    active.map((event) => toScan(event, view)),
    now,
  );
  return {
    timeline,
    retracted: view.kind === 'full' ? life.events.flatMap((event) => retractedEvent(event, subject, view)) : [],
    uuidOf: (event) => ids.get(event.event_id)!,
    revision: life.revision,
    carrier: life.owner.id,
    ...(life.count > 1 && { life: { index: life.index, count: life.count } }),
    ...(life.planned && timeline.terminal_status === null && { planned: planOf(life.planned) }),
  };
}

/** The delivery plan. The caller omits it after the journey has ended. */
const planOf = ({ date, windows, by }: PlannedDelivery): DeliveryPlan => ({ date, windows, by });

/**
 * Changes after a cursor, oldest first: new and amended events, and retractions of older events. Used by readers that
 * poll. Retractions without effect are omitted: their event is missing or belongs to a different provider.
 */
export function changesSince(
  life: Life,
  after: number,
  journey: Journey,
): { readonly revision: number; readonly event: unknown }[] {
  const eventsById = new Map(journey.timeline.events.map((event) => [event.event_id, event]));
  const recorded = life.events.flatMap(({ event_id, cursor, retraction }) =>
    retraction ? [] : [{ revision: cursor, event: eventsById.get(event_id) as unknown }],
  );
  const retracted = life.retractions.flatMap(
    ({ cursor, event_id, provider, retracts, occurred_at, recorded_at, withdrawn }) => {
      const of = (scan: StoredScan) => scan.event_id === retracts && scan.provider === provider;
      // A scan is published under another id than that of its report if incident reasons separate it from others.
      const scans = life.events.filter(({ reports }) => reports.some(of));
      const scan = scans.find(({ retraction }) => retraction) ?? scans[0];
      if (!scan || withdrawn) return [];
      return [
        {
          revision: cursor,
          event: { otep_version: OTEP_VERSION, event_id, retracts: scan.event_id, occurred_at, recorded_at },
        },
      ];
    },
  );
  return [...recorded, ...retracted].filter(({ revision }) => revision > after).sort((a, b) => a.revision - b.revision);
}

/** Number of scans whose time is in the future. They change the reader's view later without a new event. */
export const futureScans = (lives: readonly Life[], now: Instant): number =>
  lives.reduce((count, { events }) => count + events.filter(({ instant }) => instant > now).length, 0);

/**
 * Time of the last visible change: the last event was recorded, or a scan with a future time became current. RFC 3339,
 * UTC, milliseconds.
 */
export function changedAt({ events, recorded_at }: Life, now: Instant): string {
  const come = events.reduce((latest, { instant }) => (instant > latest && instant <= now ? instant : latest), '');
  return come.slice(0, 23) > recorded_at.slice(0, 23) ? `${come.slice(0, 23)}Z` : recorded_at;
}

/**
 * The subject without order and package ids. Every format needs a name for the parcel. A parcel without other
 * identifiers is named by its tracking id, which reveals nothing.
 */
function publicSubject({ id, subject: { order_id: _order, package_id: _package, ...subject } }: Life): Subject {
  return Object.keys(subject).length > 0 ? subject : { piece_id: `urn:uuid:${id}` };
}

function retractedEvent(event: LifeEvent, subject: Subject, view: View): RetractedEvent[] {
  if (event.retraction === undefined) return [];
  const { extensions, recorded_at } = open(event.retraction, view);
  return [
    {
      event: deriveTimeline(subject, [toScan(event, view)], event.instant).events[0]!,
      retracted_at: recorded_at,
      ...(extensions && { extensions }),
    },
  ];
}

/** Adds the personal members that the view includes. */
function open<T extends StoredScan | StoredRetraction>(stored: T, view: View): T {
  if (view.kind === 'public' || !stored.$sealed) return stored;
  const opened = unseal(stored as unknown as JsonObject, stored.id, view.keys) as unknown as T;
  if (view.kind === 'full') return opened;
  return 'proof' in opened ? { ...stored, proof: opened.proof } : stored;
}

function toScan({ event_id, reports, carrier }: LifeEvent, view: View): Scan {
  const {
    id: _id,
    revision: _revision,
    position: _position,
    provider: _provider,
    fingerprint: _fingerprint,
    cbv_hash: _hash,
    event_hash: _former,
    personal_hash: _personal,
    instant,
    location,
    source,
    extensions,
    $sealed: _sealed,
    ...rest
  } = merged(reports.length === 1 ? [open(reports[0], view)] : reports.map((report) => open(report, view)));
  return {
    instant,
    event: {
      ...(rest as unknown as Omit<TimelineEvent, 'location' | 'source'>),
      event_id,
      ...(location && { location: toLocation(location) }),
      ...((source ?? carrier) && {
        source: {
          ...((source ? named(source) : {}) as NonNullable<TimelineEvent['source']>),
          // No member of a network may present its scan as that of another one.
          ...(carrier !== undefined && { provider: carrier }),
        },
      }),
      ...extensions,
    },
  };
}

function toLocation({
  exact,
  ...location
}: NonNullable<StoredScan['location']>): NonNullable<TimelineEvent['location']> {
  return { ...named(location), ...exact };
}

/** A name is stored encrypted under `name` if it may be a person's name, otherwise under `public_name`. */
function named<T extends { name?: string | undefined; public_name?: string | undefined }>({
  public_name,
  name,
  ...rest
}: T) {
  const shown = name ?? public_name;
  return { ...(shown !== undefined && { name: shown }), ...rest };
}
