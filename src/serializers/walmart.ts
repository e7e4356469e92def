/**
 * Walmart Marketplace Orders v3 (US): the status of an order line and its tracking, in the vendor's order envelope. The
 * mapping is coarse: the parcel represents a line with one unit, numbered by its position in the order if that is
 * known. Times are whole milliseconds since 1970.
 *
 * Reference, date, recipient and the planned delivery come from the order, if the reader may see it. Members that
 * neither the order nor the timeline contains (customer order number, items, charges, promised ship date, address type)
 * are absent. The document is therefore only a part of the shop's order.
 */
import { alpha3 } from '../events/otep/countries.js';
import type { Journey } from '../events/otep/model.js';
import type { Format, ParcelOrder, SerializeContext } from './format.js';
import { parcelProgress } from './support/order-stage.js';
import { parcelNumber, trackingAddress } from './support/parcel.js';
import { filled, handlingCarrier, orderReference, placeInOrder, recipientOf } from './support/parcel-order.js';
import { epochMillis } from './support/vendor-times.js';
import { WALMART, walmartCarrier } from './tables/walmart.js';

const ONE = { unitOfMeasurement: 'EACH', amount: '1' } as const;

export function walmartOrder(journey: Journey, context: SerializeContext) {
  const { order } = context;
  const { stage, changes, shippedAt } = parcelProgress(journey.timeline.events);
  const latest = changes.at(-1);
  const sent = stage !== 'cancelled' && shippedAt !== undefined;
  return {
    order: {
      ...filled({
        purchaseOrderId: orderReference(order),
        customerEmailId: order?.delivery?.email,
        orderDate: order && epochMillis(order.created_at),
        shippingInfo: shippingInfo(journey, order),
      }),
      orderLines: {
        orderLine: [
          {
            lineNumber: String(Math.max(placeInOrder(journey, order), 0) + 1),
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

function shippingInfo({ planned }: Journey, order: ParcelOrder | undefined) {
  const recipient = recipientOf(order);
  if (!recipient) return undefined;
  const { name, company, phone, street, street_2, city, region, postal_code, country } = recipient;
  return filled({
    phone,
    estimatedDeliveryDate: planned && epochMillis(planned.by),
    methodCode: 'Standard' as const,
    postalAddress: filled({
      name: name ?? company,
      address1: street,
      address2: street_2,
      city,
      state: region,
      postalCode: postal_code,
      country: country && alpha3(country),
    }),
  });
}

/**
 * Walmart requires a tracking URL for every carrier outside its list. The URL is the public timeline of this service.
 */
function trackingInfo(journey: Journey, shippedAt: string, context: SerializeContext) {
  const name = handlingCarrier(journey, context.order);
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
  revision: 2,
  direction: 'out',
  lost: [
    'the events: only the resulting order line status',
    'the exact status, reasons, locations, proof and sources',
    'the return of a parcel: the line stays Shipped, because Refund is about money',
    'without the order: reference, date, recipient, and the planned delivery',
    'the shipping method: Standard is assumed',
    'items, charges and quantities, which orders of this service lack: the parcel is a line with one unit',
    'package, SSCC and piece ids',
    'x- extensions',
  ],
  includesOrder: true,
  serialize: walmartOrder,
};
