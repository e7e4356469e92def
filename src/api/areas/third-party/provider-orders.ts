/** Providers pull the orders that are offered to them, and the orders that they have. */
import { z } from 'zod';
import type { EventLog } from '../../../events/core/log.js';
import { VISIBLE_STATUSES, type ThirdPartyQueries } from '../../../projections/third-party/queries.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import type { ProviderCaller } from '../../core/callers.js';
import { ApiError, invalidField } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { MAX_LAG_MS } from '../../core/log-feed-events.js';
import { operation, type Operation } from '../../core/operation.js';
import { logOutput } from '../../core/pages.js';
import type { Parts } from '../../core/parts.js';
import { createOrderView, thirdPartyOrderSchema } from './order-shape.js';
import { createWaitForOrders, MAX_WAIT_S } from './new-orders.js';

export interface ProviderOrdersOptions extends Parts<'progress' | 'now'> {
  readonly log: EventLog;
  readonly queries: ThirdPartyQueries;
  readonly warehouses: Pick<WarehouseQueries, 'byId'>;
}

const READ = {
  area: 'Third Party Delivery',
  callers: ['provider'],
  reads: ['orders', 'third_party_offers', 'warehouses'],
} as const;

export function providerOrders({ log, progress, now, queries, warehouses }: ProviderOrdersOptions): Operation[] {
  const view = createOrderView(warehouses);
  const waitForOrders = createWaitForOrders({ log, progress, now });

  return [
    operation({
      ...READ,
      name: 'thirdPartyOrders',
      summary: 'List orders that are offered to or held by a provider',
      description:
        'Returns the orders of the calling provider, in the sequence in which the provider got them. Offered orders contain only areas, sizes, times and the fee. To get the whole order, accept it with `thirdPartyAccept`. To wait for later orders, pass `next_cursor` as `cursor`, and `wait_s`. Personal data is returned until 30 days after the end of an order.',
      rest: { method: 'get', path: '/v1/thirdpartydelivery/orders' },
      waits: MAX_WAIT_S,
      answers: { 429: '`RATE_LIMITED`: too many requests of the provider are waiting at the same time.' },
      input: z.object({
        status: z
          .enum(VISIBLE_STATUSES)
          .default('offered')
          .describe(
            '`offered`: orders that the provider can accept or decline. `taken`: orders that the provider has accepted.',
          ),
        cursor: z.string().min(1).max(100).optional().describe('`next_cursor` of the previous response.'),
        limit: z.int().min(1).max(100).default(50),
        wait_s: z
          .int()
          .min(0)
          .max(MAX_WAIT_S)
          .default(0)
          .describe('Maximum number of seconds to wait for an order if there is none.'),
      }),
      output: z.object({
        ...logOutput,
        next_cursor: z
          .string()
          .nullable()
          .describe('Send it as `cursor` to get later orders. Null: the provider has no order in this status yet.'),
        orders: z.array(thirdPartyOrderSchema),
      }),
      async run({ status, cursor, limit, wait_s }, { caller }) {
        if (cursor !== undefined && !log.isPosition(cursor)) throw invalidField('INVALID_CURSOR', 'cursor');
        const { id } = caller as ProviderCaller;
        const parts = await waitForOrders(
          id,
          wait_s,
          () => queries.parts(id, { status, after: cursor, limit: limit + 1, now: now() }),
          (found) => found.length === 0,
        );
        const page = parts.slice(0, limit);
        const last = page.at(-1)?.position;
        // An order whose row is not there yet would be skipped by the cursor.
        if (last !== undefined) await progress.waitFor('orders', last, MAX_LAG_MS);
        return {
          result: true,
          has_more: parts.length > limit,
          next_cursor: last ?? cursor ?? null,
          orders: await view(await queries.withOrders(page), now()),
        };
      },
    }),
    operation({
      ...READ,
      name: 'thirdPartyOrder',
      summary: 'Get an order that is offered to or held by a provider',
      description:
        'Returns an order that is offered to the calling provider or that the provider has; Other orders are not found.',
      rest: { method: 'get', path: '/v1/thirdpartydelivery/orders/:order_id' },
      answers: { 404: 'There is no such order for this provider.' },
      input: z.object({ order_id: idSchema }),
      output: z.object({ result: z.boolean(), order: thirdPartyOrderSchema }),
      async run({ order_id }, { caller }) {
        const found = await queries.orderOf((caller as ProviderCaller).id, order_id, now());
        if (!found) throw new ApiError('ORDER_NOT_FOUND');
        const [order] = await view([found], now());
        return { result: true, order: order! };
      },
    }),
  ];
}
