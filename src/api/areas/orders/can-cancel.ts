/** Whether a customer can cancel its order: the decider answers, without effect. */
import type { Commands } from '../../../commands/commands.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import { dryRunOf } from '../../../commands/core/handle.js';
import { orderStream } from '../../../events/orders/events.js';
import { businessOf } from '../../core/callers.js';
import type { Context } from '../../core/operation.js';

export const createCanCancel =
  (orders: Commands['orders']) =>
  async (orderId: number, { caller, cause, commandId }: Pick<Context, 'caller' | 'cause' | 'commandId'>) => {
    const command = { do: 'cancel' as const, commandId, orderId, business: businessOf(caller), byCustomer: true };
    try {
      await orders(orderStream(orderId), command, dryRunOf(cause));
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  };
