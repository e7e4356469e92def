/** Reading orders: a list, one, by resemblance, those that want attention. */
import { z } from 'zod';
import { ORDER_TYPES } from '../../../events/orders/events.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import { userOf } from '../../core/callers.js';
import { addDays, localDate, startOfDay } from '../../core/local-time.js';
import { dateSchema, orderId, orderRef } from './input.js';
import { orderSchema, statusSchema, toOrder } from './output.js';
import { OFFICE_ROLES, READERS, seenOrder, viewerOf } from './viewer.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';

export interface OrderReadingOptions {
  readonly queries: OrderQueries;
  readonly now: () => number;
}

const READ = { tag: 'Orders', callers: READERS, scopes: ['orders:read'], reads: ['orders', 'routes'] } as const;
const listed = z.object({ ...pageOutput, orders: z.array(orderSchema) });

export function orderReading({ queries, now }: OrderReadingOptions): Operation[] {
  return [
    operation({
      ...READ,
      name: 'ordersFind',
      summary: 'Find orders by what resembles a tracking number, an external number, a reference, a name or a phone.',
      rest: { method: 'get', path: '/v1/orders/find' },
      reads: ['orders', 'routes', 'order_search'],
      input: z.object({ query: z.string().trim().min(2).max(100), limit: z.int().min(1).max(50).default(10) }),
      output: z.object({
        result: z.boolean(),
        orders: z.array(z.object({ score: z.number().describe('The higher, the more alike.'), order: orderSchema })),
      }),
      async run({ query, limit }, { caller }) {
        const found = await queries.find(query, limit, viewerOf(caller));
        return { result: true, orders: found.map(({ score, order }) => ({ score, order: toOrder(order, caller) })) };
      },
    }),
    operation({
      ...READ,
      name: 'ordersExceptions',
      summary: 'Failed, returned and the like of a day.',
      rest: { method: 'get', path: '/v1/orders/exceptions' },
      callers: OFFICE_ROLES,
      reads: ['orders'],
      input: z.object({
        schedule_date: dateSchema.optional().describe('Absent: today in the timezone of the business.'),
        ...pageInput,
      }),
      output: listed.extend({ schedule_date: z.string() }),
      async run({ schedule_date, ...page }, { caller }) {
        const date = schedule_date ?? localDate(now(), userOf(caller).timezone);
        const { total, orders } = await queries.list(
          { exception: true, scheduledFrom: date, scheduledTo: date, ...rangeOf(page) },
          viewerOf(caller),
        );
        return { ...pageOf(page, total), schedule_date: date, orders: orders.map((order) => toOrder(order, caller)) };
      },
    }),
    operation({
      ...READ,
      name: 'orders',
      summary: 'Orders, newest first.',
      description:
        'Employees see those of the business, customers their own, contractors those assigned to them, drivers those on their routes.',
      rest: { method: 'get', path: '/v1/orders' },
      input: z.object({
        status: statusSchema.optional(),
        type: z.enum(ORDER_TYPES).optional(),
        order_ref: orderRef.optional(),
        route_id: orderId.optional(),
        customer_id: orderId.optional(),
        schedule_date_from: dateSchema.optional(),
        schedule_date_to: dateSchema.optional(),
        created_from: dateSchema.optional().describe('Day in the timezone of the business; the last one is included.'),
        created_to: dateSchema.optional(),
        ...pageInput,
      }),
      output: listed,
      async run(
        {
          status,
          type,
          order_ref,
          route_id,
          customer_id,
          schedule_date_from,
          schedule_date_to,
          created_from,
          created_to,
          ...page
        },
        { caller },
      ) {
        const { timezone } = userOf(caller);
        const filter = {
          status,
          type,
          orderRef: order_ref,
          routeId: route_id,
          customerId: customer_id,
          scheduledFrom: schedule_date_from,
          scheduledTo: schedule_date_to,
          createdFrom: created_from === undefined ? undefined : startOfDay(created_from, timezone),
          createdTo: created_to === undefined ? undefined : startOfDay(addDays(created_to, 1), timezone),
        };
        const { total, orders } = await queries.list({ ...filter, ...rangeOf(page) }, viewerOf(caller));
        return { ...pageOf(page, total), orders: orders.map((order) => toOrder(order, caller)) };
      },
    }),
    operation({
      ...READ,
      name: 'order',
      summary: 'One order.',
      rest: { method: 'get', path: '/v1/orders/:order_id' },
      input: z.object({ order_id: orderId }),
      output: z.object({ result: z.boolean(), order: orderSchema }),
      answers: { 404: 'No such order.' },
      run: async ({ order_id }, { caller }) => ({
        result: true,
        order: toOrder(await seenOrder(queries, caller, { order_id }), caller),
      }),
    }),
  ];
}
