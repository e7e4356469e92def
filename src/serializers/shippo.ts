/**
 * Shippo: the tracking object (`Track`) with its history, earliest event first. Times are UTC with milliseconds and
 * `Z`. Unknown values are absent, because the vendor's SDK rejects nulls and times without a zone. `metadata` contains
 * the exact OTEP status.
 */
import type { Journey, Location } from '../events/otep/model.js';
import type { Format, SerializeContext } from './format.js';
import { messageOf } from './support/messages.js';
import { hasAddress } from './support/place.js';
import { occurredUntilEnd, statusHolders, vendorStatus } from './support/vendor-status.js';
import { parcelNumber } from './support/parcel.js';
import { carrierName, exactStatus } from './support/vendor-subject.js';
import { utcMillis } from './support/vendor-times.js';
import { SHIPPO, SUBSTATUSES } from './tables/shippo.js';

export function shippoTrack(journey: Journey, context?: SerializeContext) {
  const { timeline, planned } = journey;
  const tracking_history = shippoHistory(journey, context);
  const events = occurredUntilEnd(timeline.events);
  const holder = statusHolders(events).at(-1);
  const exact = exactStatus(timeline);
  return {
    // The vendor requires a carrier, but a document that was never stored may have none.
    carrier: carrierName(journey) ?? 'unknown',
    tracking_number: parcelNumber(timeline.subject),
    messages: [],
    tracking_history,
    ...(holder && { tracking_status: tracking_history[events.indexOf(holder)]! }),
    ...(planned && { eta: utcMillis(planned.by) }),
    ...(exact !== undefined && { metadata: exact }),
  };
}

function shippoHistory({ timeline, uuidOf }: Journey, { language }: Partial<SerializeContext> = {}) {
  return occurredUntilEnd(timeline.events).map((event) => {
    const status_date = utcMillis(event.occurred_at);
    const recorded = event.recorded_at === undefined ? status_date : utcMillis(event.recorded_at);
    const location = event.location && hasAddress(event.location) ? address(event.location) : undefined;
    const code = vendorStatus(SHIPPO, event);
    const { status, text, action_required } = SUBSTATUSES[code];
    return {
      object_id: uuidOf(event).replaceAll('-', ''),
      object_created: recorded,
      object_updated: recorded,
      status,
      status_details: messageOf(event, language),
      status_date,
      substatus: { code, text, action_required },
      ...(location && { location }),
    };
  });
}

/**
 * Members are assigned one by one: this runs for every event, and conditional spreads are a hundred times slower in V8.
 */
function address({ city, region, postal_code, country }: Location): ShippoPlace {
  const place: ShippoPlace = {};
  if (city !== undefined) place.city = city;
  if (region !== undefined) place.state = region;
  if (postal_code !== undefined) place.zip = postal_code;
  if (country !== undefined) place.country = country;
  return place;
}

interface ShippoPlace {
  city?: string;
  state?: string;
  zip?: string;
  country?: string;
}

export const shippo: Format = {
  name: 'shippo',
  mediaType: 'application/json',
  standard: 'Shippo API, Track object',
  version: '2018-02-08',
  revision: 3,
  direction: 'out',
  lost: [
    'the exact status code of single events (the current one is in `metadata`)',
    'events in the future, and events after the end of the journey',
    'retracted events',
    'the delivery plan, except its end',
    'the offset of event times, and fractions of a millisecond',
    'anomaly marks',
    'incident reasons without a Shippo sub-status, and reason texts',
    'location names, codes and coordinates',
    'event sources',
    'raw carrier codes and texts',
    'proof',
    'order, package, SSCC and piece ids',
    'x- extensions',
  ],
  hasText: true,
  serialize: shippoTrack,
  events: shippoHistory,
};
