/**
 * AfterShip Tracking API 2026-07: the `Tracking` object with its checkpoints, oldest first.
 *
 * - Location members are null if the event does not give them. Countries are alpha-3 codes.
 * - Checkpoint times keep the local time and offset of the place.
 * - A delivery that a business planned is written as the custom estimate. A carrier's estimate is never known.
 * - Members that a timeline cannot fill (weights, customers) are absent. The vendor's schema makes all of them
 *   optional.
 */
import type { DeliveryPlan, Journey, TimelineEvent } from '../events/otep/model.js';
import type { Format, SerializeContext } from './format.js';
import { alpha3 } from '../events/otep/countries.js';
import { deliveryProofs } from './support/delivery-proof.js';
import { messageOf } from './support/messages.js';
import { occurredUntilEnd, statusHolders, vendorStatus } from './support/vendor-status.js';
import { parcelNumber } from './support/parcel.js';
import { carrierName, exactStatus, otherCarriers, vendorUuid } from './support/vendor-subject.js';
import { localSeconds, utcSeconds } from './support/vendor-times.js';
import { AFTERSHIP, SUBTAG_MESSAGES, tagOf, type Subtag } from './tables/aftership.js';

const ATTEMPTS = new Set(['delivery_failed', 'delivered', 'rejected_by_recipient']);
const RETURNS: readonly Subtag[] = ['Exception_010', 'Exception_011'];

/**
 * Returns the tracking object of a journey. Its id is derived from carrier and number; AfterShip's own id is not known.
 */
export function aftershipTracking(journey: Journey, context?: SerializeContext) {
  const { timeline, planned } = journey;
  const slug = slugOf(journey);
  const checkpoints = aftershipCheckpoints(journey, context);
  const recorded = checkpoints.flatMap(({ created_at }) => created_at ?? []).sort();
  const past = occurredUntilEnd(timeline.events);
  const pickedUp = past.find((event) => event.status_code === 'picked_up');
  const proofs = deliveryProofs(timeline.events);
  const attempted = past.find((event) => ATTEMPTS.has(event.status_code));
  const holder = statusHolders(past).at(-1);
  const subtag = holder ? subtagOf(holder) : AFTERSHIP.information;
  const exact = exactStatus(timeline);
  return {
    id: vendorUuid(journey, 'aftership tracking').replaceAll('-', ''),
    tracking_number: parcelNumber(timeline.subject),
    active: timeline.terminal_status === null,
    custom_fields: customFields(exact, otherCarriers(journey)),
    order_id: timeline.subject.order_id ?? null,
    shipment_pickup_date: pickedUp ? localSeconds(pickedUp.occurred_at) : null,
    shipment_delivery_date: timeline.delivered && holder ? localSeconds(holder.occurred_at) : null,
    tag: tagOf(subtag),
    subtag,
    subtag_message: SUBTAG_MESSAGES[subtag],
    title: parcelNumber(timeline.subject),
    checkpoints,
    return_to_sender: checkpoints.some((checkpoint) => RETURNS.includes(checkpoint.subtag)),
    first_attempted_at: attempted ? localSeconds(attempted.occurred_at) : null,
    failed_delivery_attempts: past.filter((event) => event.status_code === 'delivery_failed').length,
    proof_of_delivery: proofs.length > 0 ? proofs : null,
    ...(planned && { custom_estimated_delivery_date: customEstimate(planned) }),
    ...(slug !== undefined && { slug }),
    ...(recorded.length > 0 && { created_at: recorded[0]!, updated_at: recorded.at(-1)! }),
  };
}

/** A plan without a time window is written as a date without a time, because the vendor adds no default time. */
const customEstimate = ({ date, windows: [first], by }: DeliveryPlan) =>
  first
    ? { type: 'range' as const, datetime: null, datetime_min: localSeconds(first.from), datetime_max: localSeconds(by) }
    : { type: 'specific' as const, datetime: date, datetime_min: null, datetime_max: null };

const customFields = (exact: string | undefined, others: string | undefined) =>
  exact === undefined && others === undefined
    ? null
    : {
        ...(exact !== undefined && { otep_status: exact }),
        ...(others !== undefined && { otep_alternatives: others }),
      };

function aftershipCheckpoints(journey: Journey, { language }: Partial<SerializeContext> = {}) {
  const common = slugOf(journey);
  const isMerged = journey.carrierMatch?.carriers !== undefined;
  return occurredUntilEnd(journey.timeline.events).map((event) => {
    const slug = isMerged ? toSlug(event.source?.provider) : common;
    const { name, city, region, postal_code, country, latitude, longitude } = event.location ?? {};
    const subtag = subtagOf(event);
    return {
      checkpoint_time: localSeconds(event.occurred_at),
      location: name || [city, region, country].filter(Boolean).join(', ') || null,
      city: city || null,
      state: region || null,
      postal_code: postal_code || null,
      coordinate: latitude === undefined || longitude === undefined ? null : { latitude, longitude },
      country_region: (country && alpha3(country)) || null,
      country_region_name: null,
      message: messageOf(event, language),
      tag: tagOf(subtag),
      subtag,
      subtag_message: SUBTAG_MESSAGES[subtag],
      raw_tag: event.status_id,
      // The vendor's list of event codes is in beta and may change; an empty list is always valid.
      events: [],
      source: 'carrier' as const,
      hash: journey.uuidOf(event).replaceAll('-', ''),
      // Optional members come last: V8 builds a literal that starts with a spread many times slower.
      ...(slug !== undefined && { slug }),
      ...(event.recorded_at !== undefined && { created_at: utcSeconds(event.recorded_at) }),
    };
  });
}

/** A delivery with a signature has the subtag `Sign by customer`. The status code alone does not show the signature. */
function subtagOf(event: TimelineEvent): Subtag {
  const subtag = vendorStatus(AFTERSHIP, event);
  return subtag === 'Delivered_001' && event.proof?.kind === 'signature' ? 'Delivered_003' : subtag;
}

const slugOf = (journey: Journey): string | undefined => toSlug(carrierName(journey));

/** Converts the carrier name to a courier code, which matches `[a-z0-9-]+`. */
const toSlug = (name: string | undefined): string | undefined =>
  name
    ?.toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || undefined;

export const aftership: Format = {
  name: 'aftership',
  mediaType: 'application/json',
  standard: 'AfterShip Tracking API',
  version: '2026-07',
  revision: 2,
  direction: 'out',
  lost: [
    'events in the future, and events after the end of the journey',
    'retracted events',
    'fractions of a second',
    'anomaly marks',
    'incident reasons without an AfterShip sub-status, and reason texts',
    'location codes',
    'event sources',
    'raw carrier codes and texts',
    'proof without an address',
    'package, SSCC and piece ids',
    'x- extensions',
  ],
  hasText: true,
  serialize: aftershipTracking,
  events: aftershipCheckpoints,
};
