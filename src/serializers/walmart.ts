/**
 * Walmart Marketplace Orders v3 (US): the status of an order line and its tracking, in the vendor's order envelope.
 * Coarse: the parcel stands for line "1" with one unit, times are whole milliseconds since 1970, and the members of an
 * order that no timeline knows (buyer, items, charges, shipping address) are absent.
 */
import type { Journey } from '../events/otep/model.js';
import type { Format, SerializeContext } from './format.js';
import { orderProgress } from './support/order-stage.js';
import { parcelNumber, trackingAddress } from './support/parcel.js';
import { carrierName } from './support/vendor-subject.js';
import { epochMillis } from './support/vendor-times.js';
import { WALMART, walmartCarrier } from './tables/walmart.js';

const ONE = { unitOfMeasurement: 'EACH', amount: '1' } as const;

export function walmartOrder(journey: Journey, context: SerializeContext) {
  const { subject, events } = journey.timeline;
  const { stage, changes, shippedAt } = orderProgress(events);
  const latest = changes.at(-1);
  const sent = stage !== 'cancelled' && shippedAt !== undefined;
  return {
    order: {
      ...(subject.order_id !== undefined && { purchaseOrderId: subject.order_id }),
      orderLines: {
        orderLine: [
          {
            lineNumber: '1',
            orderLineQuantity: ONE,
            ...(latest && { statusDate: epochMillis(latest.event.occurred_at) }),
            orderLineStatuses: {
              orderLineStatus: [
                {
                  status: WALMART[stage],
                  statusQuantity: ONE,
                  ...(sent && { trackingInfo: trackingInfo(journey, shippedAt, context) }),
                },
              ],
            },
          },
        ],
      },
    },
  };
}

/** Walmart wants a tracking address for every carrier outside its list; ours is the public timeline. */
function trackingInfo(journey: Journey, shippedAt: string, context: SerializeContext) {
  const name = carrierName(journey) ?? 'unknown';
  const carrier = walmartCarrier(name);
  return {
    shipDateTime: epochMillis(shippedAt),
    carrierName: carrier === undefined ? { otherCarrier: name } : { carrier },
    methodCode: 'Standard' as const,
    trackingNumber: parcelNumber(journey.timeline.subject),
    trackingURL: trackingAddress(journey, context),
  };
}

export const walmart: Format = {
  name: 'walmart',
  mediaType: 'application/json',
  standard: 'Walmart Marketplace Order Management API, US',
  version: 'v3',
  revision: 1,
  direction: 'out',
  lost: [
    'the events: only the order line status that they amount to',
    'the exact status, reasons, locations, proof and sources',
    'that a parcel came back: the line stays Shipped, since Refund is a money event',
    'when the delivery is planned',
    'the shipping method: Standard is assumed',
    'order lines and quantities: the parcel is line 1 with one unit',
    'package, SSCC and piece ids',
    'x- extensions',
  ],
  serialize: walmartOrder,
};
