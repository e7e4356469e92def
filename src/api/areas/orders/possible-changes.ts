/** What a customer can do with its order: the decider answers, without effect. */
import type { Commands } from '../../../commands/commands.js';
import { MAX_CHARGES } from '../../../commands/bill/decide.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import { dryRunOf } from '../../../commands/core/handle.js';
import type { OrderReply } from '../../../commands/orders/command.js';
import { openPayment } from '../../../events/bill/state.js';
import { orderStream } from '../../../events/orders/events.js';
import { businessOf } from '../../core/callers.js';
import type { Context } from '../../core/operation.js';
import type { OrderChange } from './reschedule.js';

/** An id that no order has. */
const NO_ORDER = 0;
/** A date that no order has. */
const ANOTHER_DATE = '9999-12-31';

export interface PossibleChanges {
  readonly canCancel: boolean;
  /** Another date or time window, and its price. */
  readonly canReschedule: boolean;
  readonly canReroute: boolean;
}

export type PossibleChangesOf = (
  orderId: number,
  context: Pick<Context, 'caller' | 'cause' | 'commandId'>,
) => Promise<PossibleChanges>;

export function createPossibleChanges(orders: Commands['orders']): PossibleChangesOf {
  return async (orderId, { caller, cause, commandId }) => {
    const common = { commandId, orderId, business: businessOf(caller), byCustomer: true };
    /** The order after the change; undefined: the decider rejects it. */
    const after = async (change: OrderChange): Promise<OrderReply | undefined> => {
      try {
        const command = { ...common, ...change } as Parameters<Commands['orders']>[1];
        return (await orders(orderStream(orderId), command, dryRunOf(cause))).reply;
      } catch (error) {
        if (error instanceof DomainError) return undefined;
        throw error;
      }
    };
    const rescheduled = await after({ do: 'update', updates: [{ do: 'reschedule', schedule_date: ANOTHER_DATE }] });
    const replacement = { order_id: NO_ORDER, delivery: {}, tracking_numbers: [] };
    return {
      canCancel: (await after({ do: 'cancel' })) !== undefined,
      canReschedule: rescheduled !== undefined && canBePriced(rescheduled),
      canReroute: (await after({ do: 'reroute', replacement })) !== undefined,
    };
  };
}

const canBePriced = ({ bill }: OrderReply): boolean => !openPayment(bill) && bill.version < MAX_CHARGES;
