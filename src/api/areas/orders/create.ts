/** Creating orders: one, a batch in the request, or a batch asynchronously. */
import { ORDER_IDS } from '../../../projections/orders/read-model.js';
import { z } from 'zod';
import { derivedId } from '../../../events/otep/identity.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, fieldError, type FieldError } from '../../core/errors.js';
import type { Batches } from './batches.js';
import { checkedOrder, documentedOrder, orderInput } from './input.js';
import { orderResultSchema, placedOrder, type OrderResult, type Results } from './results.js';
import type { PlaceOrder } from './place-order.js';
import type { Placer } from './placer.js';
import { statusSchema } from './output.js';
import { WRITERS } from './viewer.js';
import { localDate } from '../../../events/core/local-time.js';
import { operation, type Context, type Operation } from '../../core/operation.js';

export interface OrderCreatingOptions {
  readonly placeOrder: PlaceOrder;
  readonly results: Results;
  readonly batches: Batches;
}

/** The read models that the checks and the price of a new order need. */
const PRICED_BY = [
  'warehouses',
  'addresses',
  'customer_terms',
  'rate_cards',
  'default_cards',
  'return_reasons',
] as const;
const AWAITED = ['orders', 'timeline', 'order_search', 'bills', 'wallets', 'wallet_entries', 'ledger'] as const;
const MAX_BULK = 100;
const MAX_ASYNC = 1_000;

/**
 * Orders of a batch are checked one by one, so that the service reports a wrong order and creates the others. The
 * documents show the schema that each order must have.
 */
function batchInput(maxOrders: number) {
  const batchOf = <O extends z.ZodType>(order: O) =>
    z.strictObject({
      orders: z
        .array(order)
        .min(1)
        .max(maxOrders)
        .describe(
          'Orders with the fields of `orderCreate`. `D` requires `delivery`, `P` requires `pickup`, `P2P` both.',
        ),
      stop_on_error: z.boolean().default(false).describe('Stop after the first order that fails.'),
    });
  return { input: batchOf(z.record(z.string(), z.unknown())), documented: batchOf(documentedOrder) };
}

export const placerOf = ({ caller, time }: Pick<Context, 'caller' | 'time'>): Placer => ({
  business: businessOf(caller),
  timezone: userOf(caller).timezone,
  today: localDate(time, userOf(caller).timezone),
  userId: userOf(caller).userId,
  isCustomer: caller.role === 'customer',
});
/** For orders of batches and imports. */
export const bulkPlacerOf = (context: Pick<Context, 'caller' | 'time'>): Placer => ({
  ...placerOf(context),
  isBulk: true,
});
/** Errors of the orders of a batch, with the index of the order in the path. */
const toFieldErrors = (orderResults: readonly OrderResult[]): FieldError[] =>
  orderResults.flatMap(({ index, code = 'INVALID_INPUT', message = '', errors = [] }) =>
    errors.length > 0
      ? errors.map((error) => ({ ...error, path: `/orders/${index}${error.path}` }))
      : [{ field: 'orders', path: `/orders/${index}`, code, message }],
  );

export function orderCreating({ placeOrder, results, batches }: OrderCreatingOptions): Operation[] {
  /** Creates each order separately. With `stopOnError`, orders after the first failure are skipped. */
  async function createAll(
    orders: readonly unknown[],
    stopOnError: boolean,
    { caller, time, cause, commandId, header, reserveIds, wrote }: Context,
  ): Promise<OrderResult[]> {
    const ids = await reserveIds(ORDER_IDS, orders.length);
    const createOne = (index: number) =>
      results.run(index, header('accept-language'), async () => {
        const { reply, position } = await placeOrder(
          checkedOrder(orders[index]),
          ids[index]!,
          derivedId('bulk', commandId, index),
          bulkPlacerOf({ caller, time }),
          cause,
        );
        wrote(position);
        return placedOrder(ids[index]!, reply);
      });
    return stopOnError
      ? results.untilOneFails(orders.length, createOne)
      : Promise.all(orders.map((_, index) => createOne(index)));
  }

  return [
    operation({
      name: 'orderCreate',
      fixed: { name: 'clientOrderCreate', method: 'post', path: '/v1/client/orderCreate' },
      area: 'Client',
      summary: 'Create an order',
      description:
        'Creates one order; for several orders use `ordersBatch`. Each package gets a tracking number, and its timeline begins. The quote `rate_id` determines the price of the order. Without a quote, an order of a customer gets the lowest price of the rate card in force. With `pay`, the wallet of the customer pays at once. If another payment spends the money at the same moment, the order is held until the customer has paid.',
      rest: { method: 'post', path: '/v1/orders', status: 201 },
      callers: [...WRITERS, 'customer'],
      scopes: ['orders:write'],
      risk: 'medium',
      writes: true,
      reads: PRICED_BY,
      awaits: AWAITED,
      answers: {
        402: '`INSUFFICIENT_FUNDS`: the wallet of the customer cannot pay the order. Nothing is created.',
        403: '`PRICE_HIDDEN_SETTLE_OFFLINE`, `PRICE_HIDDEN`: the business hides the prices from the customer, so `pay` and `expected_price` are refused. `FORBIDDEN`: only the customer pays from its wallet, unless its terms are `wallet_on_create`.',
        404: '`WAREHOUSE_NOT_FOUND`: there is no such open warehouse. `RATE_NOT_FOUND`: there is no such quote, or the quote is for another customer.',
        409: '`RATE_USED`: another order has used the quote. `QUOTE_EXPIRED`: the quote has expired; request a new one. `QUOTE_MISMATCH`: the quote is for another shipment. `ORDER_REF_TAKEN`, `NUMBER_TAKEN`: another order has the reference or number. `PRICE_CHANGED`: the price differs from `expected_price`. `NOT_PRICED`: there is no price to pay. `WALLET_FROZEN`, `NO_WALLET_IN_CURRENCY`: the wallet cannot pay.',
        422: '`UNKNOWN_RETURN_REASON`: the business has no such return reason, or it is retired.',
      },
      input: orderInput,
      documented: documentedOrder,
      returns: { read: 'order' },
      output: z.object({
        result: z.boolean(),
        order_id: z.int(),
        status: statusSchema,
        order_status_id: z.int(),
        tracking_numbers: z.array(z.string()),
      }),
      async run(input, { caller, time, cause, commandId, reserveIds, wrote }) {
        const [id] = await reserveIds(ORDER_IDS, 1);
        const { reply, position } = await placeOrder(input, id!, commandId, placerOf({ caller, time }), cause);
        wrote(position);
        return { result: true, ...placedOrder(id!, reply) };
      },
    }),
    operation({
      name: 'ordersBatch',
      area: 'Client',
      summary: 'Create up to 100 orders in one request',
      description:
        'Each order succeeds or fails separately; see `results`. With `stop_on_error`, creation stops at the first failure and the remaining orders are skipped. For more orders use `ordersBatchAsync`.',
      rest: { method: 'post', path: '/v1/orders/batch' },
      callers: WRITERS,
      scopes: ['orders:write'],
      risk: 'high',
      confirm: true,
      writes: true,
      reads: PRICED_BY,
      awaits: AWAITED,
      ...batchInput(MAX_BULK),
      output: z.object({
        result: z.boolean().describe('True if at least one order was created.'),
        created: z.int(),
        failed: z.int(),
        skipped: z.int().describe('Number of orders that were not attempted.'),
        results: z.array(orderResultSchema),
      }),
      async run({ orders, stop_on_error }, context) {
        const orderResults = await createAll(orders, stop_on_error, context);
        const created = orderResults.filter(({ result }) => result).length;
        return {
          result: created > 0,
          created,
          failed: orderResults.length - created,
          skipped: orders.length - orderResults.length,
          results: orderResults,
        };
      },
    }),
    operation({
      name: 'ordersBatchAsync',
      fixed: { name: 'clientBatchOrderCreateAsync', method: 'post', path: '/v1/client/batchOrderCreateAsync' },
      area: 'Client',
      summary: 'Queue up to 1,000 orders for creation',
      description:
        'Responds at once with `async_id`; read progress and results with `clientAsync`. The service creates queued orders even after a crash, and none of them twice.',
      rest: { method: 'post', path: '/v1/orders/batch-async', status: 202 },
      callers: WRITERS,
      scopes: ['orders:write'],
      risk: 'high',
      confirm: true,
      writes: true,
      ...batchInput(MAX_ASYNC),
      output: z.object({
        result: z.boolean(),
        async_id: z.string(),
        status: z.literal('queued'),
        total: z.int(),
        results: z
          .array(orderResultSchema)
          .optional()
          .describe('Expected result of each order. Present only in a dry run.'),
      }),
      async run({ orders, stop_on_error }, context) {
        const { caller, time, cause, commandId, reserveIds } = context;
        const id = derivedId('batch', commandId);
        const queued = { result: true, async_id: id, status: 'queued' as const, total: orders.length };
        if (cause.dryRun) {
          const orderResults = await createAll(orders, stop_on_error, context);
          if (orderResults.every(({ result }) => !result))
            throw new ApiError('INVALID_INPUT', { errors: toFieldErrors(orderResults) });
          return { ...queued, results: orderResults };
        }
        const ids = await reserveIds(ORDER_IDS, orders.length);
        await batches.queue({
          id,
          placer: bulkPlacerOf({ caller, time }),
          cause,
          stopOnError: stop_on_error,
          orders: orders.map((order, index) => ({ id: ids[index]!, order })),
        });
        return queued;
      },
    }),
    operation({
      name: 'clientAsync',
      area: 'Client',
      summary: 'Get the progress and results of a queued batch',
      description: 'Use the `async_id` that `ordersBatchAsync` returned.',
      rest: { method: 'get', path: '/v1/client/async/:async_id' },
      callers: [...WRITERS, 'auditor'],
      scopes: ['orders:read'],
      input: z.object({ async_id: z.guid() }),
      output: z.object({
        result: z.boolean(),
        async_id: z.string(),
        status: z.enum(['queued', 'running', 'done']),
        total: z.int(),
        created: z.int(),
        failed: z.int(),
        skipped: z.int(),
        results: z.array(orderResultSchema),
        queued_at: z.string(),
        finished_at: z.string().nullable(),
      }),
      async run({ async_id }, { caller, header }) {
        const batch = await batches.byId(async_id, businessOf(caller));
        if (!batch) throw fieldError('NOT_FOUND', 'async_id');
        const { results: outcomes, ...state } = batch;
        const orderResults = outcomes.map((outcome) => results.toResult(outcome, header('accept-language')));
        const created = orderResults.filter(({ result }) => result).length;
        return {
          result: true,
          async_id,
          ...state,
          created,
          failed: orderResults.length - created,
          skipped: state.status === 'done' ? state.total - orderResults.length : 0,
          results: orderResults,
        };
      },
    }),
  ];
}
