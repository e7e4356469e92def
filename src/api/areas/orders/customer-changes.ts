/** Changes of an order by its customer, each with the price after it. */
import type { Commands } from '../../../commands/commands.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import { dryRunOf, type Handled } from '../../../commands/core/handle.js';
import type { ChangedPrice, CommandTo, OrderReply } from '../../../commands/orders/command.js';
import { orderStream } from '../../../events/orders/events.js';
import type { Context } from '../../core/operation.js';
import type { ChangedOrder, ChangedPrices } from './changed-prices.js';

/** Number of attempts if other requests change the order while its price is calculated. */
const ATTEMPTS = 5;

type Change = CommandTo<'update'> | CommandTo<'reroute'>;
type ChangeContext = Pick<Context, 'caller' | 'cause' | 'commandId' | 'time'>;

export type ChangeByCustomer = ReturnType<typeof createChangeByCustomer>;

export function createChangeByCustomer(orders: Commands['orders'], prices: ChangedPrices) {
  /** `planned`: the change without its price. Undefined: it changes nothing, or was executed before. */
  async function priced(
    change: Change,
    changedOrder: (before: OrderReply, after: OrderReply) => ChangedOrder,
    context: ChangeContext,
  ): Promise<ChangedPrice | undefined> {
    const stream = orderStream(change.orderId);
    const dryRun = dryRunOf(context.cause);
    const planned = await orders(stream, change, dryRun);
    if (!planned.changed) return undefined;
    const { commandId, orderId, business } = change;
    const { reply: before } = await orders(
      stream,
      { do: 'update', commandId, orderId, business, updates: [] },
      dryRunOf(context.cause),
    );
    return prices(changedOrder(before, planned.reply), context);
  }

  /**
   * Changes the order. `changedOrder`: what its price depends on, from the order before and after the change. Throws the
   * errors of the order and of its price.
   */
  return async (
    change: Change,
    changedOrder: (before: OrderReply, after: OrderReply) => ChangedOrder,
    context: ChangeContext,
  ): Promise<Handled<OrderReply>> => {
    const byCustomer = { ...change, byCustomer: true };
    for (let attempt = 1; ; attempt += 1) {
      const price = await priced(byCustomer, changedOrder, context);
      try {
        return await orders(orderStream(change.orderId), { ...byCustomer, ...(price && { price }) }, context.cause);
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'CONFLICT' || attempt === ATTEMPTS) throw error;
      }
    }
  };
}
