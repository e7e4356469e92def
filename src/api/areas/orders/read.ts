/** Reading orders: the list, one order, the search by similarity, and orders with problems. */
import { z } from 'zod';
import { isFinal, ORDER_TYPES } from '../../../events/orders/events.js';
import type { AllianceAccess } from '../../../projections/alliances/access.js';
import type { OrderFilter, OrderQueries } from '../../../projections/orders/queries.js';
import { businessOf, isStaff, userOf, STAFF_ROLES, type Caller } from '../../core/callers.js';
import { ApiError, fieldError, invalidForm } from '../../core/errors.js';
import { instantOf } from '../../../events/otep/time.js';
import { addDays, localDate, startOfDay } from '../../../events/core/local-time.js';
import type { ThirdPartyQueries } from '../../../projections/third-party/queries.js';
import { toThirdPartyOffer } from '../third-party/offer-shape.js';
import { orderId, orderRef } from './input.js';
import { dateSchema } from '../../core/dates.js';
import { clientInput, granteeOf } from '../alliances/grantee.js';
import { exceptionSchema, orderSchema, statusSchema, toException, toOrder, toSharedOrder } from './output.js';
import { READERS, visibleOrder, viewerOf } from './viewer.js';
import type { OrderPricesOf } from './prices.js';
import { ORDER_VERSION } from './version.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { Parts } from '../../core/parts.js';

const READ = { area: 'Orders', callers: READERS, scopes: ['orders:read'], reads: ['orders', 'routes'] } as const;
const orderListOutput = z.object({ ...pageOutput, orders: z.array(orderSchema) });

/** Filters for lists of orders. */
export const orderFilters = {
  status: statusSchema.optional(),
  type: z.enum(ORDER_TYPES).optional(),
  order_ref: orderRef.optional(),
  route_id: orderId.optional(),
  customer_id: orderId.optional(),
  schedule_date_from: dateSchema.optional(),
  schedule_date_to: dateSchema.optional(),
  created_from: dateSchema
    .optional()
    .describe(
      'Return only orders that were created on this date or later, in the timezone of the business. `created_to` is the last date, inclusive.',
    ),
  created_to: dateSchema.optional(),
};

export function filterOf(filters: z.infer<z.ZodObject<typeof orderFilters>>, caller: Caller): OrderFilter {
  const { timezone } = userOf(caller);
  return {
    status: filters.status,
    type: filters.type,
    orderRef: filters.order_ref,
    routeId: filters.route_id,
    customerId: filters.customer_id,
    scheduledFrom: filters.schedule_date_from,
    scheduledTo: filters.schedule_date_to,
    createdFrom: filters.created_from === undefined ? undefined : startOfDay(filters.created_from, timezone),
    createdTo: filters.created_to === undefined ? undefined : startOfDay(addDays(filters.created_to, 1), timezone),
  };
}

export interface OrderReadingOptions extends Parts<'now'> {
  readonly queries: OrderQueries;
  readonly access: Pick<AllianceAccess, 'orders'>;
  readonly prices: OrderPricesOf;
  readonly thirdParty: Pick<ThirdPartyQueries, 'ofOrder'>;
}

export function orderReading({ queries, access, prices, thirdParty, now }: OrderReadingOptions): Operation[] {
  return [
    operation({
      ...READ,
      name: 'ordersSearch',
      summary: 'Search orders by number, reference, name or phone',
      description:
        'Performs a fuzzy search. It tolerates typing errors, and matches parts of words and other formats of phone numbers. Returns the most similar orders first. To list orders by filters, use `orders`.',
      rest: { method: 'get', path: '/v1/orders/search' },
      reads: ['orders', 'routes', 'order_search'],
      input: z.object({ query: z.string().trim().min(2).max(100), limit: z.int().min(1).max(50).default(10) }),
      output: z.object({ result: z.boolean(), orders: z.array(orderSchema) }),
      async run({ query, limit }, { caller }) {
        const found = await queries.find(query, limit, viewerOf(caller));
        return {
          result: true,
          orders: found.map(({ score, order }) => ({ ...toOrder(order, caller), match: { score } })),
        };
      },
    }),
    operation({
      ...READ,
      name: 'ordersExceptions',
      summary: 'List failed, returned and rejected orders',
      description:
        'Use it to follow up on problems. Returns the orders of `schedule_date` that are an exception now. With `occurred_from` or `occurred_to`, returns all orders with an exception in that period, even if they were delivered later. `exceptions` of each order contains time, reason and note of each exception.',
      rest: { method: 'get', path: '/v1/orders/exceptions' },
      callers: STAFF_ROLES,
      reads: ['orders'],
      input: z.object({
        schedule_date: dateSchema
          .optional()
          .describe(
            'Date, `YYYY-MM-DD`. Default: today in the timezone of the business, if the request has no period.',
          ),
        occurred_from: dateSchema
          .optional()
          .describe('First date of the period, in the timezone of the business. Not allowed with `schedule_date`.'),
        occurred_to: dateSchema
          .optional()
          .describe('Last date of the period, inclusive. Not allowed with `schedule_date`.'),
        status: exceptionSchema.shape.status.optional().describe('Return only exceptions of this kind.'),
        ...pageInput,
      }),
      output: orderListOutput.extend({
        schedule_date: z.string().nullable().describe('Date of the orders. Null if the request has a period.'),
      }),
      async run({ schedule_date, occurred_from, occurred_to, status, ...page }, { caller }) {
        const { timezone } = userOf(caller);
        const isPeriod = occurred_from !== undefined || occurred_to !== undefined;
        if (isPeriod && schedule_date !== undefined)
          throw invalidForm('schedule_date', 'absent if `occurred_from` or `occurred_to` is present');
        if (occurred_from !== undefined && occurred_to !== undefined && occurred_from > occurred_to)
          throw invalidForm('occurred_from', 'not later than `occurred_to`');
        const instantOfDay = (day: string | undefined): string | undefined =>
          day === undefined ? undefined : instantOf(startOfDay(day, timezone))!;
        const period = {
          from: instantOfDay(occurred_from),
          to: instantOfDay(occurred_to === undefined ? undefined : addDays(occurred_to, 1)),
          status,
        };
        const date = isPeriod ? null : (schedule_date ?? localDate(now(), timezone));
        const filter =
          date === null
            ? { exceptions: { ...period, business: businessOf(caller) } }
            : { exception: true, status, scheduledFrom: date, scheduledTo: date };
        const { orders, ...found } = await queries.list({ ...filter, ...rangeOf(page) }, viewerOf(caller));
        const exceptions = await queries.exceptionsOf(
          orders.map(({ id }) => id),
          isPeriod ? period : {},
        );
        return {
          ...pageOf(page, found),
          schedule_date: date,
          orders: orders.map((order) => ({
            ...toOrder(order, caller),
            exceptions: (exceptions.get(order.id) ?? []).map(toException),
          })),
        };
      },
    }),
    operation({
      ...READ,
      name: 'orders',
      summary: 'List orders',
      description:
        'Returns orders, newest first. Staff see all orders of the business, customers see their own orders, contractors see the orders assigned to them, and drivers see the orders on their routes. With `business_id`, staff list the orders to which a partner grants access, without personal data. This list cannot be filtered by reference, route or customer.',
      reads: ['orders', 'routes', 'alliances', 'bills'],
      rest: { method: 'get', path: '/v1/orders' },
      input: z.object({ ...orderFilters, ...clientInput, ...pageInput }),
      answers: { 404: 'The business with this `business_id` grants the caller no access to its orders.' },
      output: z.object({ ...pageOutput, orders: z.array(orderSchema) }),
      async run({ business_id, page, per_page, cursor, ...filters }, { caller }) {
        const range = { page, per_page, cursor };
        const filter = { ...filterOf(filters, caller), ...rangeOf(range) };
        const taker = granteeOf(caller, business_id);
        if (taker) {
          const { order_ref, route_id, customer_id } = filters;
          expectPartnerFilters({ order_ref, route_id, customer_id });
          if (!taker.mayUseGrants) throw fieldError('NOT_FOUND', 'business_id');
          const { granted, orders, ...found } = await access.orders(taker, filter);
          if (!granted) throw fieldError('NOT_FOUND', 'business_id');
          return { ...pageOf(range, found), orders: orders.map(({ order, via }) => toSharedOrder(order, via)) };
        }
        const { orders, ...listed } = await queries.list(filter, viewerOf(caller));
        const rows = orders.map((order) => toOrder(order, caller));
        return { ...pageOf(range, listed), orders: await prices.ofAll(rows, caller) };
      },
    }),
    operation({
      ...READ,
      name: 'order',
      versioned: ORDER_VERSION,
      summary: 'Get an order',
      description:
        'Customers, and staff with the scope `billing:read`, also get the price of the order. With `business_id`, staff read an order to which a partner grants access, without personal data.',
      rest: { method: 'get', path: '/v1/orders/:order_id' },
      reads: ['orders', 'routes', 'alliances', 'bills', 'invoices', 'third_party_offers'],
      input: z.object({ order_id: orderId, ...clientInput }),
      output: z.object({ result: z.boolean(), order: orderSchema }),
      answers: { 404: 'There is no such order.' },
      async run({ order_id, business_id }, context) {
        const { caller } = context;
        const taker = granteeOf(caller, business_id);
        if (!taker) {
          const order = toOrder(await visibleOrder(queries, caller, { order_id }), caller);
          const third_party_offer = isStaff(caller) ? toThirdPartyOffer(await thirdParty.ofOrder(order_id)) : undefined;
          return {
            result: true,
            order: {
              ...(await prices.ofOne(order, !isFinal(order.status), context)),
              ...(third_party_offer !== undefined && { third_party_offer }),
            },
          };
        }
        const { orders } = taker.mayUseGrants
          ? await access.orders(taker, { id: order_id, offset: 0, limit: 1 })
          : NO_ORDERS;
        if (!orders[0]) throw new ApiError('ORDER_NOT_FOUND');
        return { result: true, order: toSharedOrder(orders[0].order, orders[0].via) };
      },
    }),
  ];
}

const NO_ORDERS = { orders: [] } as const;

const PARTNER_FILTERS = 'status, type, schedule_date_from, schedule_date_to, created_from, created_to';

/** Partners cannot filter by fields that they cannot see, because the results would reveal the values. */
function expectPartnerFilters(hidden: Readonly<Record<string, unknown>>): void {
  const errors = Object.keys(hidden)
    .filter((name) => hidden[name] !== undefined)
    .map((name) => ({
      field: name,
      path: `/${name}`,
      code: 'UNKNOWN_PARAMETER',
      params: { name, allowed: PARTNER_FILTERS },
    }));
  if (errors.length > 0) throw new ApiError('INVALID_INPUT', { errors });
}
