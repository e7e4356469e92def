/**
 * PrestaShop webservice (`output_format=JSON`): the order's current state and tracking number, and its state changes as
 * `order_histories`, oldest first.
 *
 * - Values are strings, times are `YYYY-MM-DD HH:MM:SS`. The shop's time zone is not known, so times are in UTC.
 * - The order's note contains the exact OTEP status and, below it, the addresses of photos and signatures.
 * - The state is that of all parcels of the order, if the reader may see the order.
 * - A history entry requires PrestaShop's id of the order (`id_order`). Only the shop knows it, so it is absent.
 */
import type { Journey } from '../events/otep/model.js';
import type { Format, SerializeContext } from './format.js';
import { deliveryProofs, withProofs } from './support/delivery-proof.js';
import { orderProgress } from './support/order-stage.js';
import { parcelNumber } from './support/parcel.js';
import { filled, orderReference } from './support/parcel-order.js';
import { exactStatus, fitting } from './support/vendor-subject.js';
import { sqlUtc } from './support/vendor-times.js';
import { PRESTASHOP, type PrestashopState } from './tables/prestashop.js';

/** Maximum length in characters. */
const MAX_NUMBER = 64;

export function prestashopOrder(journey: Journey, context?: SerializeContext) {
  const { timeline } = journey;
  const order_histories = prestashopHistories(journey, context);
  return {
    order: {
      current_state: order_histories.at(-1)?.id_order_state ?? PRESTASHOP.ordered,
      shipping_number: fitting(parcelNumber(timeline.subject), MAX_NUMBER),
      note: withProofs(exactStatus(timeline) ?? '', deliveryProofs(timeline.events)),
      ...filled({ reference: orderReference(context?.order) }),
    },
    order_histories,
  };
}

/** Returns one entry per change of the state. Consecutive stages with the same PrestaShop state give one entry. */
function prestashopHistories(journey: Journey, context?: SerializeContext) {
  const histories: { id_order_state: PrestashopState; date_add: string }[] = [];
  for (const { stage, event } of orderProgress(journey.timeline.events, context?.order).changes) {
    const id_order_state = PRESTASHOP[stage];
    if (id_order_state !== histories.at(-1)?.id_order_state)
      histories.push({ id_order_state, date_add: sqlUtc(event.occurred_at) });
  }
  return histories;
}

export const prestashop: Format = {
  name: 'prestashop',
  mediaType: 'application/json',
  standard: 'PrestaShop webservice, order and order_histories',
  version: '8',
  revision: 3,
  direction: 'out',
  lost: [
    'the events: only the resulting changes of the order state, and the exact current status',
    'the return of a parcel: the order stays Shipped, because Refunded is about money',
    'state ids that a shop changed: the ids of a fresh installation are used',
    "the shop's time zone and the offset of times: dates are UTC",
    "PrestaShop's id of the order, which a history entry requires: only the shop knows it",
    'without the order: its other parcels, so the order is never Shipped or Delivered, and its reference',
    'the carrier',
    'identifiers of more than 64 characters, if there is no tracking number',
    'the planned delivery',
    'reasons, locations and sources',
    'proof without an address, and of a pick-up',
    'package, SSCC and piece ids',
    'x- extensions',
  ],
  includesOrder: true,
  serialize: prestashopOrder,
  events: prestashopHistories,
};
