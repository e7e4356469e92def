/**
 * Shopify Admin REST: the list of fulfillment events, oldest first. Every member of the vendor's object is present, in
 * the vendor's order. `province` and `country` are free text and contain OTEP's region and alpha-2 country; `address1`
 * is always null.
 *
 * Shopify requires numeric ids that a timeline does not have, so they are derived and stable but not assigned by
 * Shopify:
 * - event: from its UUID
 * - fulfillment and order: from carrier and tracking number
 * - shop: from the carrier
 */
import { derivedId } from '../events/otep/identity.js';
import type { Journey } from '../events/otep/model.js';
import type { Format, SerializeContext } from './format.js';
import { messageOf } from './support/messages.js';
import { occurredUntilEnd, statusHolders, vendorStatus } from './support/vendor-status.js';
import { numericId, orderNumber, vendorUuid } from './support/vendor-subject.js';
import { localSeconds, utcSeconds } from './support/vendor-times.js';
import { SHOPIFY } from './tables/shopify.js';

/**
 * The list has no separate current status: readers show the status of the last entry. An event that does not change the
 * status (information, a late record of a label) therefore repeats the current one. Events in the future and after the
 * end are omitted.
 */
export function shopifyEvents(journey: Journey, { language }: Partial<SerializeContext> = {}) {
  const fulfillment_id = numericId(vendorUuid(journey, 'shopify fulfillment'));
  const shop_id = numericId(derivedId('vendor', 'shopify shop', journey.carrier ?? ''));
  const order_id = orderNumber(journey);
  const events = occurredUntilEnd(journey.timeline.events);
  const holders = statusHolders(events);
  const planned = journey.planned ? localSeconds(journey.planned.by) : null;
  return events.map((event, index) => {
    const {
      city = null,
      region = null,
      country = null,
      postal_code = null,
      latitude = null,
      longitude = null,
    } = event.location ?? {};
    const id = numericId(journey.uuidOf(event));
    const holder = holders[index];
    const happened_at = localSeconds(event.occurred_at);
    const recorded_at = event.recorded_at === undefined ? happened_at : utcSeconds(event.recorded_at);
    return {
      id,
      fulfillment_id,
      status: holder ? vendorStatus(SHOPIFY, holder) : SHOPIFY.information,
      message: messageOf(event, language),
      happened_at,
      city,
      province: region,
      country,
      zip: postal_code,
      address1: null,
      latitude,
      longitude,
      shop_id,
      created_at: recorded_at,
      updated_at: recorded_at,
      // Only the latest event has the current plan. The plans that were valid at earlier events are not known.
      estimated_delivery_at: index === events.length - 1 ? planned : null,
      order_id,
      admin_graphql_api_id: `gid://shopify/FulfillmentEvent/${id}`,
    };
  });
}

export const shopify: Format = {
  name: 'shopify',
  mediaType: 'application/json',
  standard: 'Shopify Admin REST API, FulfillmentEvent',
  version: '2026-07',
  revision: 3,
  direction: 'out',
  lost: [
    'the exact status code (ten statuses, none for a return)',
    'the subject, except an order id that is a number: fulfillment, shop and other order ids are derived, not assigned by Shopify',
    'events in the future, and events after the end of the journey',
    'the delivery plan, except its end',
    'retracted events',
    'fractions of a second',
    'anomaly marks: an event that does not change the status repeats the current status',
    'incident reasons',
    'location names and codes',
    'event sources',
    'raw carrier codes and texts',
    'proof',
    'x- extensions',
  ],
  hasText: true,
  serialize: (journey, context) => ({ fulfillment_events: shopifyEvents(journey, context) }),
  events: shopifyEvents,
};
