/** Gives an order another delivery address, by staff or by its customer. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import type { OrderReply } from '../../../commands/orders/decider.js';
import { orderStream, type Stop } from '../../../events/orders/events.js';
import { newTrackingNumber } from '../../../events/orders/numbers.js';
import type { Order, OrderQueries } from '../../../projections/orders/queries.js';
import { ORDER_IDS } from '../../../projections/orders/read-model.js';
import { businessOf, userOf } from '../../core/callers.js';
import { explainedError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import type { ChangedOrder } from './changed-prices.js';
import type { ChangeByCustomer } from './customer-changes.js';
import { changeReason, orderId, stopInput } from './input.js';
import { CUSTOMER_CONFLICTS, expectedPrice, REPRICED_BY, REPRICING } from './repriced.js';
import { visibleOrder, WRITERS } from './viewer.js';
import { ORDER_VERSION } from './version.js';

export interface ReroutingOptions {
  readonly orders: Commands['orders'];
  readonly queries: OrderQueries;
  readonly changeByCustomer: ChangeByCustomer;
}

export const orderReroute = ({ orders, queries, changeByCustomer }: ReroutingOptions): Operation =>
  operation({
    name: 'orderReroute',
    returns: { read: 'order' },
    versioned: ORDER_VERSION,
    area: 'Orders',
    summary: 'Redirect an order to another delivery address',
    description:
      'An order can be redirected only before its pick-up. The service cancels the order and replaces it with a new order that has new tracking numbers. `replaces_order_id` and `replaced_by_order_id` link the two orders. The new order has its payments and its hold. By staff, it also has its price. By the customer, another place gets the price of the rate card in force: with the terms `wallet_on_create`, the wallet pays a higher price at once, or the new order is on hold until it is paid. A lower price refunds the difference.',
    rest: { method: 'post', path: '/v1/orders/:order_id/reroute', status: 201 },
    callers: [...WRITERS, 'customer'],
    scopes: ['orders:write'],
    risk: 'high',
    confirm: true,
    writes: true,
    reads: REPRICED_BY,
    awaits: [...REPRICING, 'order_search'],
    answers: {
      404: 'There is no such order.',
      409: `The order is picked up, on a route, with a carrier, or finished. ${CUSTOMER_CONFLICTS}`,
    },
    input: z.object({ order_id: orderId, delivery: stopInput, reason: changeReason, expected_price: expectedPrice }),
    output: z.object({
      result: z.boolean(),
      order_id: z.int().describe('Id of the new order.'),
      replaces_order_id: z.int(),
      tracking_numbers: z.array(z.string()),
    }),
    async run({ order_id, delivery, reason, expected_price }, context) {
      const { caller, cause, commandId, reserveIds, wrote } = context;
      const isCustomer = caller.role === 'customer';
      if (!isCustomer && expected_price !== undefined)
        throw explainedError('FORBIDDEN', 'FIELD_NOT_ALLOWED', 'expected_price');
      const order = await visibleOrder(queries, caller, { order_id });
      const [id] = await reserveIds(ORDER_IDS, 1);
      const tracking_numbers = order.packages.map((_, index) => newTrackingNumber(commandId, id!, index));
      const command = {
        do: 'reroute' as const,
        commandId,
        orderId: order_id,
        business: businessOf(caller),
        by: userOf(caller).userId,
        replacement: { order_id: id!, delivery, tracking_numbers },
        ...(reason !== undefined && { reason }),
      };
      const changed = (before: OrderReply): ChangedOrder => ({
        order: { ...order, delivery: delivery as Order['delivery'] },
        changed: before,
        isPriced: !isSamePlace(order.delivery, delivery),
        paidOrderId: id!,
        expectedPrice: expected_price,
      });
      const { position } = isCustomer
        ? await changeByCustomer(command, changed, context)
        : await orders(orderStream(order_id), command, cause);
      wrote(position);
      return { result: true, order_id: id!, replaces_order_id: order_id, tracking_numbers };
    },
  });

const PLACE = ['street', 'city', 'region', 'postal_code', 'country'] as const;

/** Whether only the recipient changes, or the flat. Prices depend on neither. */
function isSamePlace(before: Stop | null | undefined, after: Stop): boolean {
  if (PLACE.some((member) => before?.[member] !== after[member])) return false;
  const [from, to] = [before?.position, after.position];
  return to === undefined || (from?.latitude === to.latitude && from.longitude === to.longitude);
}
