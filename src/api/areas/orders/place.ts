/** Placing one order: what every way of creating orders does for each. */
import type { Cause, Handled } from '../../../commands/core/handle.js';
import type { Commands } from '../../../commands/commands.js';
import type { OrderReply } from '../../../commands/orders/decider.js';
import { orderStream } from '../../../events/orders/events.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import { ApiError } from '../../core/errors.js';
import { checkOrder, newTrackingNumber, toNewOrder, type OrderInput } from './input.js';

export interface Placer {
  readonly business: number;
  readonly userId: number;
  /** Orders for itself alone. */
  readonly isCustomer: boolean;
}

export interface PlaceOptions {
  readonly orders: Commands['orders'];
  readonly accounts: AccountQueries;
}

/**
 * Places an order under an id. Throws ApiError for what is wrong with it; the same `commandId` again changes nothing.
 */
export type Place = (
  input: OrderInput,
  id: number,
  commandId: string,
  placer: Placer,
  cause: Cause,
) => Promise<Handled<OrderReply>>;

export function createPlace({ orders, accounts }: PlaceOptions): Place {
  return async (input, id, commandId, { business, userId, isCustomer }, cause) => {
    checkOrder(input);
    const customer = isCustomer ? userId : input.customer_id;
    if (!isCustomer && customer !== undefined) await checkCustomer(customer, business);
    const numbers = input.packages.map((_, index) => newTrackingNumber(commandId, id, index));
    const order = { ...toNewOrder(input, numbers), ...(customer !== undefined && { customer_id: customer }) };
    return orders(orderStream(id), { do: 'create', commandId, orderId: id, business, by: userId, order }, cause);
  };

  async function checkCustomer(id: number, business: number): Promise<void> {
    const account = await accounts.byId(id);
    if (account?.business !== business || account.role !== 'customer')
      throw new ApiError('INVALID_INPUT', {
        errors: [{ field: 'customer_id', path: '/customer_id', code: 'UNKNOWN_CUSTOMER' }],
      });
  }
}
