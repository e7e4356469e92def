/**
 * Magento 2 (Adobe Commerce) REST: the order's state and status and, after the parcel has left, its shipment. The
 * shipment has one track and a comment per event, oldest first. The comment of a delivery contains its photo or
 * signature.
 *
 * - Times are `YYYY-MM-DD HH:MM:SS` in UTC.
 * - `extension_attributes` contain the exact OTEP status.
 * - The state is that of all parcels of the order, if the reader may see the order.
 * - A shipment requires items and Magento's id of the order. Only the shop knows them, so the list is empty, and ids are
 *   absent.
 * - References, dates, weights (in kilograms), the recipient and the delivery instruction come from the order, if the
 *   reader may see it.
 * - A name is not split: all of it is the last name.
 */
import type { Journey } from '../events/otep/model.js';
import type { Format, ParcelOrder, SerializeContext } from './format.js';
import { deliveryProofs, withProofs } from './support/delivery-proof.js';
import { messageOf } from './support/messages.js';
import { orderProgress, parcelProgress } from './support/order-stage.js';
import { parcelNumber } from './support/parcel.js';
import { filled, handlingCarrier, orderReference, placeInOrder, recipientOf } from './support/parcel-order.js';
import { exactStatus } from './support/vendor-subject.js';
import { occurredUntilEnd } from './support/vendor-status.js';
import { sqlUtc } from './support/vendor-times.js';
import { MAGENTO, magentoCarrier } from './tables/magento.js';

export function magentoOrder(journey: Journey, context?: SerializeContext) {
  const order = context?.order;
  const { stage } = orderProgress(journey.timeline.events, order);
  const { shippedAt } = parcelProgress(journey.timeline.events);
  const { state, status } = MAGENTO[stage];
  return {
    order: {
      state,
      status,
      ...filled({ increment_id: orderReference(order) }),
      ...(order && fromOrder(order)),
      ...extension({ otep_status: exactStatus(journey.timeline), shipping_assignments: assignments(order) }),
    },
    shipments: shippedAt === undefined ? [] : [shipment(journey, shippedAt, context)],
  };
}

function fromOrder({ id, created_at, updated_at, packages, delivery, delivery_instruction }: ParcelOrder) {
  const weights = packages.map(({ weight_kg }) => weight_kg);
  return filled({
    ext_order_id: String(id),
    created_at: sqlUtc(created_at),
    updated_at: sqlUtc(updated_at),
    customer_email: delivery?.email,
    customer_note: delivery_instruction,
    // If the weight of one package is unknown, the sum would be wrong, so there is none.
    weight: weights.includes(undefined) ? undefined : weights.reduce<number>((sum, weight) => sum + weight!, 0),
  });
}

/** Writes the delivery address where Magento expects it. */
function assignments(order: ParcelOrder | undefined) {
  const recipient = recipientOf(order);
  if (!recipient) return undefined;
  const { name, company, phone, email, street, street_2, city, region, postal_code, country } = recipient;
  const lines = [street, street_2].filter((line) => line !== undefined);
  const address = filled({
    address_type: 'shipping' as const,
    lastname: name,
    company,
    street: lines.length > 0 ? lines : undefined,
    city,
    region,
    postcode: postal_code,
    country_id: country,
    telephone: phone,
    email,
  });
  return [{ shipping: { address }, items: [] }];
}

function shipment(journey: Journey, shippedAt: string, { language, order }: Partial<SerializeContext> = {}) {
  const { timeline } = journey;
  const { weight_kg: weight, description } = order?.packages[placeInOrder(journey, order)] ?? {};
  const created_at = sqlUtc(shippedAt);
  const carrier = handlingCarrier(journey, order);
  return {
    created_at,
    ...filled({ total_weight: weight }),
    items: [],
    tracks: [
      {
        created_at,
        track_number: parcelNumber(timeline.subject),
        title: carrier,
        carrier_code: magentoCarrier(carrier),
        ...filled({ weight, description }),
      },
    ],
    comments: occurredUntilEnd(timeline.events).map((event) => ({
      is_customer_notified: 0,
      comment: withProofs(messageOf(event, language), deliveryProofs([event])),
      is_visible_on_front: 0,
      created_at: sqlUtc(event.occurred_at),
      extension_attributes: { otep_status: event.status_id },
    })),
    ...extension({ otep_status: exactStatus(timeline) }),
  };
}

function extension<T extends object>(attributes: T) {
  const extension_attributes = filled(attributes);
  return Object.keys(extension_attributes).length === 0 ? {} : { extension_attributes };
}

export const magento: Format = {
  name: 'magento',
  mediaType: 'application/json',
  standard: 'Magento 2 / Adobe Commerce REST API, order and shipment',
  version: 'V1',
  revision: 3,
  direction: 'out',
  lost: [
    'events before the dispatch of the parcel: a shipment does not exist before',
    'delivery: complete means shipped',
    'the return of a parcel: the order stays complete, because closed is about money',
    'fractions of a second, and the offset of times',
    "Magento's id of the order, which a shipment requires: only the shop knows it",
    'without the order: its other parcels, so the order is never complete, references, dates, recipient and weights',
    'items and prices, which orders of this service lack',
    'the unit of weights (kilograms), and the first name within a name',
    'anomaly marks, events in the future, events after the end of the journey, and retracted events',
    'the planned delivery',
    'reasons, locations and sources',
    'proof without an address, and of a pick-up',
    'package, SSCC and piece ids',
    'x- extensions',
  ],
  hasText: true,
  includesOrder: true,
  serialize: magentoOrder,
};
