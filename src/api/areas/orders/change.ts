/** Changes of the status of an order by its client: cancel, hold, release; and reschedule by reference. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import type { OrderCommand } from '../../../commands/orders/decider.js';
import { orderStatusId, orderStream } from '../../../events/orders/events.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import { businessOf, userOf, type CallerKind } from '../../core/callers.js';
import { changeReason as reason, orderId } from './input.js';
import { reschedulingByRef, type OrderChange } from './reschedule.js';
import type { Results } from './results.js';
import { visibleOrder, WRITERS } from './viewer.js';
import { ORDER_VERSION } from './version.js';
import { operation, type Context, type Operation } from '../../core/operation.js';

export interface OrderChangingOptions {
  readonly orders: Commands['orders'];
  readonly queries: OrderQueries;
  readonly results: Results;
}

const done = z.object({ result: z.boolean() });
const AWAITED_READ_MODELS = ['orders', 'timeline', 'bills', 'wallets', 'wallet_entries'] as const;

export function orderChanging({ orders, queries, results }: OrderChangingOptions): Operation[] {
  /** Customers may change only their own orders. For other callers, the decider checks the business. */
  async function change(
    order_id: number,
    requestedChange: OrderChange,
    { caller, cause, commandId, wrote }: Pick<Context, 'caller' | 'cause' | 'commandId' | 'wrote'>,
  ) {
    if (caller.role === 'customer') await visibleOrder(queries, caller, { order_id });
    const command = {
      commandId,
      orderId: order_id,
      business: businessOf(caller),
      by: userOf(caller).userId,
      ...requestedChange,
      ...(requestedChange.do === 'cancel' && { byCustomer: caller.role === 'customer' }),
    } as OrderCommand;
    const {
      reply: { status },
      position,
    } = await orders(orderStream(order_id), command, cause);
    wrote(position);
    return { order_id, status, order_status_id: orderStatusId(status) };
  }

  const changeOperation = <I extends z.ZodRawShape>(
    name: string,
    summary: string,
    rest: Operation['rest'],
    members: I,
    toChange: (input: z.infer<z.ZodObject<I>>) => OrderChange,
    { callers = WRITERS }: { callers?: readonly CallerKind[] } = {},
  ) =>
    operation({
      name,
      area: 'Orders',
      summary,
      rest,
      callers,
      scopes: ['orders:write'],
      risk: 'high',
      confirm: true,
      writes: true,
      awaits: AWAITED_READ_MODELS,
      returns: { read: 'order' },
      versioned: ORDER_VERSION,
      answers: { 404: 'There is no such order.', 409: 'The status of the order does not allow the change.' },
      input: z.object({ order_id: orderId, ...members }),
      output: done,
      async run(input, context) {
        await change((input as { order_id: number }).order_id, toChange(input as never), context);
        return { result: true };
      },
    });

  return [
    changeOperation(
      'orderCancel',
      'Cancel an order that is not delivered yet',
      { method: 'post', path: '/v1/orders/:order_id/cancel' },
      { reason },
      ({ reason }) => ({ do: 'cancel', ...(reason !== undefined && { reason }) }),
      { callers: [...WRITERS, 'customer'] },
    ),
    changeOperation(
      'orderHold',
      'Hold an order so that it is not dispatched',
      { method: 'post', path: '/v1/orders/:order_id/hold' },
      { reason },
      ({ reason }) => ({ do: 'hold', ...(reason !== undefined && { reason }) }),
    ),
    changeOperation(
      'orderRelease',
      'Release an order from hold',
      { method: 'post', path: '/v1/orders/:order_id/release' },
      { reason },
      ({ reason }) => ({ do: 'release', ...(reason !== undefined && { reason }) }),
    ),
    reschedulingByRef({ change, queries, results }),
  ];
}
