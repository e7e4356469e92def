/** Lets a user set the position of a stop of an order. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { BY_PERSON, orderStream, STOP_KINDS } from '../../../events/orders/events.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { operation, type Operation } from '../../core/operation.js';
import { orderId } from './input.js';
import { visibleOrder, WRITERS } from './viewer.js';
import { ORDER_VERSION } from './version.js';
import { positionInput } from '../../core/geo.js';

export const orderPositionSet = ({
  orders,
  queries,
}: {
  orders: Commands['orders'];
  queries: OrderQueries;
}): Operation =>
  operation({
    name: 'orderPositionSet',
    returns: { read: 'order' },
    versioned: ORDER_VERSION,
    area: 'Orders',
    summary: 'Set the position of a stop of an order',
    description:
      'Use it to correct a wrong or missing position. Geocoders no longer change the position, and plans use it. Drivers may set it only for orders on their own routes.',
    rest: { method: 'put', path: '/v1/orders/:order_id/position' },
    callers: [...WRITERS, 'driver'],
    scopes: ['orders:write'],
    risk: 'medium',
    writes: true,
    reads: ['orders'],
    awaits: ['orders'],
    answers: { 404: 'There is no such order.', 409: 'The order is finished.', 422: 'The order has no such stop.' },
    input: z.object({ order_id: orderId, stop: z.enum(STOP_KINDS).default('delivery'), position: positionInput }),
    output: z.object({ result: z.boolean() }),
    async run({ order_id, stop, position }, { caller, cause, commandId, wrote }) {
      if (caller.role === 'driver') await visibleOrder(queries, caller, { order_id });
      const command = {
        do: 'locate',
        commandId,
        orderId: order_id,
        business: businessOf(caller),
        by: userOf(caller).userId,
        stop,
        position,
        precision: 'rooftop',
        confidence: 1,
        source: { geocoder: BY_PERSON },
      } as const;
      wrote((await orders(orderStream(order_id), command, cause)).position);
      return { result: true };
    },
  });
