/**
 * Magento 2 (Adobe Commerce) REST: the order's state and status and, once the parcel has left, its shipment with one
 * track and a comment per event, oldest first; that of a delivery names its photo or signature. Times are `YYYY-MM-DD HH:MM:SS` in UTC. `extension_attributes` carry the
 * exact OTEP status.
 *
 * A shipment requires an order id and items: the number is the order's own where it can be one, else derived and not
 * Magento's; the items are the shop's to know and the list is empty. Other ids are absent.
 */
import type { Journey } from '../events/otep/model.js';
import type { Format, SerializeContext } from './format.js';
import { deliveryProofs, withProofs } from './support/delivery-proof.js';
import { messageOf } from './support/messages.js';
import { orderProgress } from './support/order-stage.js';
import { parcelNumber } from './support/parcel.js';
import { carrierName, exactStatus, sqlOrderId } from './support/vendor-subject.js';
import { sqlUtc } from './support/vendor-times.js';
import { MAGENTO, magentoCarrier } from './tables/magento.js';

export function magentoOrder(journey: Journey, context?: SerializeContext) {
  const { subject, events } = journey.timeline;
  const { stage, shippedAt } = orderProgress(events);
  const { state, status } = MAGENTO[stage];
  return {
    order: {
      state,
      status,
      ...(subject.order_id !== undefined && { increment_id: subject.order_id }),
      ...extension(exactStatus(journey.timeline)),
    },
    shipments: shippedAt === undefined ? [] : [shipment(journey, shippedAt, context)],
  };
}

function shipment(journey: Journey, shippedAt: string, { language }: Partial<SerializeContext> = {}) {
  const { timeline } = journey;
  const order_id = sqlOrderId(journey);
  const created_at = sqlUtc(shippedAt);
  const carrier = carrierName(journey) ?? 'unknown';
  return {
    order_id,
    created_at,
    items: [],
    tracks: [
      {
        order_id,
        created_at,
        track_number: parcelNumber(timeline.subject),
        title: carrier,
        carrier_code: magentoCarrier(carrier),
      },
    ],
    comments: timeline.events.map((event) => ({
      is_customer_notified: 0,
      comment: withProofs(messageOf(event, language), deliveryProofs([event])),
      is_visible_on_front: 0,
      created_at: sqlUtc(event.occurred_at),
      ...extension(event.status_id),
    })),
    ...extension(exactStatus(timeline)),
  };
}

const extension = (otep_status: string | undefined) =>
  otep_status === undefined ? {} : { extension_attributes: { otep_status } };

export const magento: Format = {
  name: 'magento',
  mediaType: 'application/json',
  standard: 'Magento 2 / Adobe Commerce REST API, order and shipment',
  version: 'V1',
  revision: 2,
  direction: 'out',
  lost: [
    'the events before the parcel has left: a shipment does not exist before',
    'delivery: complete means shipped',
    'that a parcel came back: the order stays complete, since closed is a money event',
    'what is finer than a second, and the offset of times',
    "order ids that are no number: a shipment's order_id is derived then, not given by Magento",
    'anomaly marks and retracted events',
    'when the delivery is planned',
    'reasons, locations and sources',
    'proof without an address, and of a pick-up',
    'package, SSCC and piece ids',
    'x- extensions',
  ],
  hasText: true,
  serialize: magentoOrder,
};
