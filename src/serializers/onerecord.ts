/**
 * IATA ONE Record: the response of `GET {piece}/logistics-events` (API 2.3.0, cargo ontology 3.3). It is an
 * `api:Collection` of `cargo:LogisticsEvent` in compact JSON-LD. A reader needs to fetch nothing: the context contains
 * prefixes only.
 */
import type { Journey } from '../events/otep/model.js';
import type { Format, SerializeContext } from './format.js';
import { logisticsEvents } from './onerecord/event.js';
import { otherCarriers, shownCarrier } from './support/vendor-subject.js';
import { trackingAddress } from './support/parcel.js';
import { OTEP_TERMS } from './support/members.js';

const CONTEXT = {
  cargo: 'https://onerecord.iata.org/ns/cargo#',
  api: 'https://onerecord.iata.org/ns/api#',
  otep: OTEP_TERMS,
};

export const onerecord: Format = {
  name: 'onerecord',
  mediaType: 'application/ld+json; version=2.3.0',
  headers: { 'Content-Language': 'en-US', Type: 'https://onerecord.iata.org/ns/api#Collection' },
  standard: 'IATA ONE Record (API 2.3.0, cargo ontology 3.3)',
  version: '2026-07',
  revision: 2,
  direction: 'out',
  lost: ['identifiers other than the number, while there is no event'],
  serialize: collection,
};

/**
 * `hasItem` is absent for no events, an object for one event, an array for several: API specification, "Logistics
 * Events".
 */
function collection(journey: Journey, context: SerializeContext): unknown {
  const address = `${trackingAddress(journey, context)}?format=onerecord`;
  const [carrier, others] = [shownCarrier(journey), otherCarriers(journey)];
  const events = logisticsEvents(journey, { ...context, address });
  return {
    '@context': CONTEXT,
    '@id': address,
    '@type': 'api:Collection',
    'api:hasTotalItems': events.length,
    ...(journey.retracted.length > 0 && { 'otep:retracted': JSON.stringify(journey.retracted) }),
    ...(carrier !== undefined && { 'otep:carrier': carrier }),
    ...(others !== undefined && { 'otep:alternatives': others }),
    ...(events.length > 0 && { 'api:hasItem': events.length === 1 ? events[0] : events }),
  };
}
