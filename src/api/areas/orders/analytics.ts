/** Counts of orders: for a day, and for a period up to today. */
import { z } from 'zod';
import { statusCountSchema } from './output.js';
import {
  isInHand,
  ORDER_STATUS_NAMES,
  statusRow,
  type OrderStatus,
  type OrderType,
} from '../../../events/orders/events.js';
import type { OrderFilter, OrderQueries } from '../../../projections/orders/queries.js';
import { userOf, STAFF_ROLES, type Caller } from '../../core/callers.js';
import { addDays, localDate, startOfDay } from '../../../events/core/local-time.js';
import { dateSchema } from '../../core/dates.js';
import { viewerOf } from './viewer.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';

type Counts = Awaited<ReturnType<OrderQueries['countByStatus']>>;

const PERIODS = ['today', 'week', 'month'] as const;
const countFields = {
  total: z.int(),
  delivered_count: z.int(),
  exception_count: z.int(),
  pending_pickup_count: z.int().describe('Number of open orders with a pick-up that are not collected yet.'),
  by_status: z.array(statusCountSchema),
  by_type: z.array(z.object({ type: z.string(), count: z.int() }).meta({ id: 'OrderTypeCount' })),
};

export function orderAnalytics({ queries, now }: Parts<'now'> & { queries: OrderQueries }): Operation[] {
  const countOrders = async (filter: OrderFilter, caller: Caller) =>
    summarize(await queries.countByStatus(filter, viewerOf(caller)));
  return [
    operation({
      name: 'analyticsDigest',
      area: 'Analytics',
      summary: 'Count the orders of a day by status and type',
      description: 'Counts orders by their schedule date. For orders by creation date, use `analyticsSummary`.',
      rest: { method: 'get', path: '/v1/analytics/digest' },
      callers: STAFF_ROLES,
      scopes: ['analytics:read'],
      reads: ['orders'],
      input: z.object({
        schedule_date: dateSchema
          .optional()
          .describe('Date, `YYYY-MM-DD`. Default: today in the timezone of the business.'),
      }),
      output: z.object({
        result: z.boolean(),
        digest: z
          .object({ counted_by: z.literal('schedule_date'), schedule_date: z.string(), ...countFields })
          .meta({ id: 'OrderDigest' }),
      }),
      async run({ schedule_date: requestedDate }, { caller }) {
        const date = requestedDate ?? localDate(now(), userOf(caller).timezone);
        return {
          result: true,
          digest: {
            counted_by: 'schedule_date' as const,
            schedule_date: date,
            ...(await countOrders({ scheduledFrom: date, scheduledTo: date }, caller)),
          },
        };
      },
    }),
    operation({
      name: 'analyticsSummary',
      area: 'Analytics',
      summary: 'Count the orders created today, this week or this month',
      description:
        'Returns the numbers by status and type. Days are in the timezone of the business. Weeks begin on Monday.',
      rest: { method: 'get', path: '/v1/analytics/summary' },
      callers: STAFF_ROLES,
      scopes: ['analytics:read'],
      reads: ['orders'],
      input: z.object({ period: z.enum(PERIODS).default('today') }),
      output: z.object({
        result: z.boolean(),
        summary: z
          .object({
            counted_by: z.literal('created_at'),
            period: z.enum(PERIODS),
            created_from: z.string(),
            created_to: z.string().describe('Last date, included.'),
            ...countFields,
          })
          .meta({ id: 'OrderSummary' }),
      }),
      async run({ period }, { caller }) {
        const { timezone } = userOf(caller);
        const to = localDate(now(), timezone);
        const from = startOfPeriod(period, to);
        return {
          result: true,
          summary: {
            counted_by: 'created_at' as const,
            period,
            created_from: from,
            created_to: to,
            ...(await countOrders(
              { createdFrom: startOfDay(from, timezone), createdTo: startOfDay(addDays(to, 1), timezone) },
              caller,
            )),
          },
        };
      },
    }),
  ];
}

function startOfPeriod(period: (typeof PERIODS)[number], today: string): string {
  if (period === 'month') return `${today.slice(0, 8)}01`;
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  return period === 'week' ? addDays(today, -weekday) : today;
}

function summarize(rows: Counts) {
  const sum = (matches: (row: { readonly status: OrderStatus; readonly type: OrderType }) => boolean): number =>
    rows.reduce((total, row) => (matches(row) ? total + row.count : total), 0);
  return {
    total: sum(() => true),
    delivered_count: sum(({ status }) => status === 'DELIVERED'),
    exception_count: sum(({ status }) => statusRow(status).exception),
    pending_pickup_count: sum(({ status, type }) => type !== 'D' && !statusRow(status).final && !isInHand(status)),
    by_status: ORDER_STATUS_NAMES.map((status) => ({ status, count: sum((row) => row.status === status) })).filter(
      ({ count }) => count > 0,
    ),
    by_type: (['D', 'P', 'P2P'] as const)
      .map((type) => ({ type, count: sum((row) => row.type === type) }))
      .filter(({ count }) => count > 0),
  };
}
