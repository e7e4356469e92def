/** Changes time windows and dates of orders, for one order or for many by their references. */
import { z } from 'zod';
import type { OrderCommand, OrderUpdate } from '../../../commands/orders/decider.js';
import type { OrderStatus } from '../../../events/orders/status.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import { userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { localDate } from '../../../events/core/local-time.js';
import { operation, type Context } from '../../core/operation.js';
import { allowPastDate, checkDate, orderRef, timeWindowsInput, windowErrors } from './input.js';
import { dateSchema } from '../../core/dates.js';
import type { Results } from './results.js';
import { viewerOf, WRITERS } from './viewer.js';

/** A command without the fields that the operation adds. */
export type OrderChange = OrderCommand extends infer C
  ? C extends OrderCommand
    ? Omit<C, 'commandId' | 'orderId' | 'business' | 'by'>
    : never
  : never;

export interface ReschedulingOptions {
  readonly change: (
    order_id: number,
    requestedChange: OrderChange,
    context: Pick<Context, 'caller' | 'cause' | 'commandId' | 'wrote'>,
  ) => Promise<{ readonly order_id: number; readonly status: OrderStatus; readonly order_status_id: number }>;
  readonly queries: OrderQueries;
  readonly results: Results;
}

/** Maximum number of references per request. */
const MAX_REFS = 100;

export const reschedulingByRef = ({ change, queries, results }: ReschedulingOptions) =>
  operation({
    name: 'ordersTimeWindows',
    area: 'Orders',
    summary: 'Update the time windows of orders by their references',
    description:
      'If the request has a schedule date, this date is changed too. The service changes each unfinished order with one of the references, and returns a result per reference.',
    rest: { method: 'post', path: '/v1/orders/time-windows' },
    callers: WRITERS,
    scopes: ['orders:write'],
    risk: 'medium',
    writes: true,
    awaits: ['orders', 'timeline'],
    input: z.object({
      order_refs: z.array(orderRef).min(1).max(MAX_REFS),
      time_windows: timeWindowsInput.optional(),
      schedule_date: dateSchema.optional(),
      allow_past_date: allowPastDate,
    }),
    output: z.object({
      result: z.boolean().describe('True if at least one order was changed.'),
      updated: z.int(),
      skipped: z.int(),
      refs: z.array(
        z
          .object({
            order_ref: z.string(),
            order_ids: z.array(z.int()).describe('Ids of the changed orders.'),
            errors: z.array(
              z
                .object({ order_id: z.int().nullable(), code: z.string(), message: z.string() })
                .meta({ id: 'OrderReferenceError' }),
            ),
          })
          .meta({ id: 'OrderReferenceResult' }),
      ),
    }),
    async run({ order_refs, time_windows, schedule_date, allow_past_date }, context) {
      checkDate(schedule_date, localDate(context.time, userOf(context.caller).timezone), allow_past_date);
      const language = context.header('accept-language');
      const requestedChange = toReschedule({ time_windows, schedule_date });
      const refs = await Promise.all(
        [...new Set(order_refs)].map(async (order_ref) => {
          const { orders: found } = await queries.list(
            { orderRef: order_ref, offset: 0, limit: MAX_REFS },
            viewerOf(context.caller),
          );
          if (found.length === 0)
            return { order_ref, order_ids: [], errors: [results.rejection('ORDER_NOT_FOUND', null, language)] };
          const outcomes = await Promise.all(
            found.map(async ({ id }) => ({
              id,
              outcome: await results.run(0, language, async () => {
                const { order_id, status, order_status_id } = await change(id, requestedChange, {
                  ...context,
                  commandId: derivedId('reschedule', context.commandId, id),
                });
                return { order_id, status, order_status_id, tracking_numbers: [] };
              }),
            })),
          );
          return {
            order_ref,
            order_ids: outcomes.filter(({ outcome: { result } }) => result).map(({ id }) => id),
            errors: outcomes
              .filter(({ outcome: { result } }) => !result)
              .map(({ id, outcome: { code, message } }) => ({ order_id: id, code: code!, message: message! })),
          };
        }),
      );
      const updated = refs.reduce((sum, { order_ids }) => sum + order_ids.length, 0);
      return { result: updated > 0, updated, skipped: refs.reduce((sum, { errors }) => sum + errors.length, 0), refs };
    },
  });

/** Throws INVALID_INPUT if no field is given, or if time windows are invalid. */
export function toReschedule({
  time_windows,
  schedule_date,
}: {
  readonly time_windows?: z.infer<typeof timeWindowsInput> | undefined;
  readonly schedule_date?: string | undefined;
}): Extract<OrderUpdate, { readonly do: 'reschedule' }> {
  if (time_windows === undefined && schedule_date === undefined)
    throw new ApiError('INVALID_INPUT', {
      errors: [{ field: 'time_windows', path: '/time_windows', code: 'REQUIRED' }],
    });
  const wrong = windowErrors(time_windows ?? []);
  if (wrong.length > 0) throw new ApiError('INVALID_INPUT', { errors: wrong });
  return {
    do: 'reschedule',
    ...(time_windows && { time_windows }),
    ...(schedule_date !== undefined && { schedule_date }),
  };
}
