/** Converts a row of the timeline read model to the journey that a caller may see. Pure. */
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

/** The journey of a row in this view at `now`. */
export function journeyOfRow(row: TrackingRow, view: View, now: Instant): Journey {
  const ids = new Map(row.scans.map((scan) => [scan.event_id, scan.id]));
  const isRetracted = (scan: StoredScan) =>
    row.retractions.find(({ retracts, provider }) => retracts === scan.event_id && provider === scan.provider);
  const activeScans = row.retractions.length === 0 ? row.scans : row.scans.filter((scan) => !isRetracted(scan));
  const subject = view.kind === 'full' ? row.subject : publicSubject(row);
  const timeline = deriveTimeline(
    subject,
    activeScans.map((scan) => toScan(scan, view)),
    now,
  );
  return {
    timeline,
    retracted:
      view.kind === 'full' ? row.scans.flatMap((scan) => retractedEvent(scan, isRetracted(scan), subject, view)) : [],
    uuidOf: (event) => ids.get(event.event_id)!,
    revision: row.revision,
    carrier: row.owner.id,
    ...(row.planned && timeline.terminal_status === null && { planned: planOf(row.planned) }),
  };
}

/** The delivery plan. The caller omits it after the journey has ended. */
const planOf = ({ date, windows, by }: NonNullable<TrackingRow['planned']>): DeliveryPlan => ({ date, windows, by });

/**
 * Changes after a revision, oldest first: new events, and retractions of older events. Used by readers that poll.
 * Retractions without effect are omitted: their event is missing or belongs to a different provider.
 */
export function changesSince(
  row: TrackingRow,
  after: number,
  journey: Journey,
): { readonly revision: number; readonly event: unknown }[] {
  const eventsById = new Map(journey.timeline.events.map((event) => [event.event_id, event]));
  const recorded = row.scans.flatMap((scan) =>
    eventsById.has(scan.event_id) ? [{ revision: scan.revision, event: eventsById.get(scan.event_id) as unknown }] : [],
  );
  const effective = row.retractions.filter(({ retracts, provider }) =>
    row.scans.some((scan) => scan.event_id === retracts && scan.provider === provider),
  );
  const retracted = effective.map(({ revision, event_id, retracts, occurred_at, recorded_at }) => ({
    revision,
    event: { otep_version: OTEP_VERSION, event_id, retracts, occurred_at, recorded_at },
  }));
  return [...recorded, ...retracted].filter(({ revision }) => revision > after).sort((a, b) => a.revision - b.revision);
}

/** Number of scans whose time is in the future. They change the reader's view later without a new event. */
export const futureScans = (row: TrackingRow, now: Instant): number =>
  row.scans.filter((scan) => scan.instant > now).length;

/**
 * Time of the last visible change: the last event was recorded, or a scan with a future time became current. RFC 3339,
 * UTC, milliseconds.
 */
export function changedAt({ scans, recorded_at }: TrackingRow, now: Instant): string {
  const come = scans.reduce((latest, { instant }) => (instant > latest && instant <= now ? instant : latest), '');
  return come.slice(0, 23) > recorded_at.slice(0, 23) ? `${come.slice(0, 23)}Z` : recorded_at;
}

/**
 * The subject without order and package ids. Every format needs a name for the parcel. A parcel without other
 * identifiers is named by its tracking id, which reveals nothing.
 */
function publicSubject({ id, subject: { order_id: _order, package_id: _package, ...subject } }: TrackingRow): Subject {
  return Object.keys(subject).length > 0 ? subject : { piece_id: `urn:uuid:${id}` };
}

function retractedEvent(
  scan: StoredScan,
  retraction: StoredRetraction | undefined,
  subject: Subject,
  view: View,
): RetractedEvent[] {
  if (retraction === undefined) return [];
  const { extensions, recorded_at } = open(retraction, view);
  return [
    {
      event: deriveTimeline(subject, [toScan(scan, view)], scan.instant).events[0]!,
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

function toScan(stored: StoredScan, view: View): Scan {
  const {
    id: _id,
    revision: _revision,
    provider: _provider,
    fingerprint: _fingerprint,
    cbv_hash: _hash,
    event_hash: _former,
    instant,
    location,
    source,
    extensions,
    $sealed: _sealed,
    ...rest
  } = open(stored, view);
  return {
    instant,
    event: {
      ...(rest as unknown as Omit<TimelineEvent, 'location' | 'source'>),
      ...(location && { location: toLocation(location) }),
      ...(source && { source: named(source) as NonNullable<TimelineEvent['source']> }),
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
