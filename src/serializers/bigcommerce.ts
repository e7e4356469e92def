/**
 * BigCommerce Orders v2: the order's status and, after the parcel has left, its shipment.
 *
 * - Each of the two is the vendor's own resource with the members that a timeline can fill. Ids, items and addresses
 *   belong to the shop and are absent.
 * - The status is that of all parcels of the order, if the reader may see the order.
 * - Dates are in RFC 2822 format; a date that is not set is the empty string.
 * - A shipment's comments contain the exact OTEP status and, below it, the addresses of photos and signatures.
 */
import type { Journey } from '../events/otep/model.js';
import type { Format, SerializeContext } from './format.js';
import { deliveryProofs, withProofs } from './support/delivery-proof.js';
import { orderProgress, parcelProgress } from './support/order-stage.js';
import { parcelNumber, trackingAddress } from './support/parcel.js';
import { filled, orderReference } from './support/parcel-order.js';
import { carrierName, exactStatus, fitting } from './support/vendor-subject.js';
import { rfc2822 } from './support/vendor-times.js';
import { BIGCOMMERCE, bigcommerceCarrier } from './tables/bigcommerce.js';

/** Maximum length in characters. */
const MAX_NUMBER = 50;
const MAX_LINK = 500;
const MAX_COMMENTS = 65_535;

export function bigcommerceOrder(journey: Journey, context: SerializeContext) {
  const { events } = journey.timeline;
  const { stage } = orderProgress(events, context.order);
  const { shippedAt } = parcelProgress(events);
  const { status_id, status } = BIGCOMMERCE[stage];
  const date_shipped = shippedAt === undefined ? '' : rfc2822(shippedAt);
  return {
    order: { status_id, status, date_shipped, ...filled({ external_id: orderReference(context.order) }) },
    shipments: shippedAt === undefined ? [] : [shipment(journey, date_shipped, context)],
  };
}

function shipment(journey: Journey, date_created: string, context: SerializeContext) {
  const carrier = carrierName(journey) ?? '';
  const { shipping_provider, tracking_carrier } = bigcommerceCarrier(carrier);
  const status = exactStatus(journey.timeline) ?? '';
  return {
    date_created,
    tracking_number: fitting(parcelNumber(journey.timeline.subject), MAX_NUMBER),
    comments: fitting(withProofs(status, deliveryProofs(journey.timeline.events)), MAX_COMMENTS) || status,
    shipping_provider_display_name: carrier,
    tracking_link: fitting(trackingAddress(journey, context), MAX_LINK),
    shipping_provider,
    tracking_carrier,
  };
}

export const bigcommerce: Format = {
  name: 'bigcommerce',
  mediaType: 'application/json',
  standard: 'BigCommerce Orders API, order and shipment',
  version: 'v2',
  revision: 3,
  direction: 'out',
  lost: [
    'the events: only the resulting order status, and the exact current status of a shipped parcel',
    'without the order: its other parcels, so the order is never Shipped or Completed, and its reference',
    'the return of a parcel: the order stays Shipped, because Refunded is about money',
    'the planned delivery',
    'reasons, locations and sources',
    'proof without an address, and of a pick-up',
    'fractions of a second, and the offset of times',
    'tracking numbers of more than 50 characters and links of more than 500',
    'package, SSCC and piece ids',
    'x- extensions',
  ],
  includesOrder: true,
  serialize: bigcommerceOrder,
};
