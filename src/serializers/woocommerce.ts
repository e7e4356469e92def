/**
 * WooCommerce REST wc/v3: the order's status and completion date, as `PUT /wc/v3/orders/{id}` accepts them.
 *
 * - The status is that of all parcels of the order, if the reader may see the order.
 * - The tracking is in `meta_data`, in the form of the Shipment Tracking extension (`_wc_shipment_tracking_items`).
 * - `otep_status` contains the exact status, `otep_proof_of_delivery` the addresses of photos and signatures.
 * - The shop assigns meta ids, so they are absent; writing an entry therefore creates a new one.
 * - The shop's time zone is not known: local dates without a zone are in UTC and equal to the `_gmt` dates.
 */
import { derivedId } from '../events/otep/identity.js';
import type { Journey } from '../events/otep/model.js';
import type { Format, SerializeContext } from './format.js';
import { deliveryProofs } from './support/delivery-proof.js';
import { orderProgress, parcelProgress } from './support/order-stage.js';
import { parcelNumber, trackingAddress } from './support/parcel.js';
import { filled, orderReference } from './support/parcel-order.js';
import { carrierName, exactStatus, otherCarriers } from './support/vendor-subject.js';
import { epochSeconds, naiveUtc } from './support/vendor-times.js';
import { WOOCOMMERCE } from './tables/woocommerce.js';

export function woocommerceOrder(journey: Journey, context: SerializeContext) {
  const { timeline } = journey;
  const { stage, shippedAt: allShippedAt } = orderProgress(timeline.events, context.order);
  const { shippedAt } = parcelProgress(timeline.events);
  const status = WOOCOMMERCE[stage];
  const completed = status === 'completed' && allShippedAt !== undefined ? naiveUtc(allShippedAt) : null;
  const exact = exactStatus(timeline);
  const meta_data: { key: string; value: unknown }[] = [];
  if (shippedAt !== undefined)
    meta_data.push({ key: '_wc_shipment_tracking_items', value: [trackingItem(journey, shippedAt, context)] });
  meta_data.push({ key: 'otep_tracking_number', value: parcelNumber(timeline.subject) });
  if (exact !== undefined) meta_data.push({ key: 'otep_status', value: exact });
  const proofs = deliveryProofs(timeline.events);
  if (proofs.length > 0) meta_data.push({ key: 'otep_proof_of_delivery', value: proofs });
  const others = otherCarriers(journey);
  if (others !== undefined) meta_data.push({ key: 'otep_alternatives', value: others });
  return {
    status,
    date_completed: completed,
    date_completed_gmt: completed,
    meta_data,
    ...filled({ number: orderReference(context.order) }),
  };
}

/** A custom provider with a link, because the extension's provider name for a carrier depends on the shop. */
function trackingItem(journey: Journey, shippedAt: string, context: SerializeContext) {
  const provider = carrierName(journey) ?? '';
  const number = parcelNumber(journey.timeline.subject);
  return {
    tracking_provider: '',
    custom_tracking_provider: provider,
    custom_tracking_link: trackingAddress(journey, context),
    tracking_number: number,
    date_shipped: epochSeconds(shippedAt),
    tracking_id: derivedId('woocommerce tracking', provider, number).replaceAll('-', ''),
  };
}

export const woocommerce: Format = {
  name: 'woocommerce',
  mediaType: 'application/json',
  standard: 'WooCommerce REST API, order with Shipment Tracking meta data',
  version: 'wc/v3',
  revision: 3,
  direction: 'out',
  lost: [
    'the events: only the resulting order status, and the exact current status',
    'delivery: core WooCommerce has no delivered status',
    'without the order: its other parcels, so the order is never completed, and its number',
    'the return of a parcel: the order stays completed, because refunded is about money',
    'the planned delivery',
    'reasons, locations and sources',
    'proof without an address, and of a pick-up',
    "the shop's time zone: local dates are in UTC",
    'package, SSCC and piece ids',
    'x- extensions',
  ],
  includesOrder: true,
  serialize: woocommerceOrder,
};
