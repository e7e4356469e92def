/** Orders of all kinds that have a bill: finds the order of an id, for callers that see it. */
import type { BillKind } from '../../../commands/bill/kinds.js';
import type { Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { versionOf } from '../../core/versions.js';

/** The part of the stream of an order that has a version for callers of its bill: the charges. */
export const BILL_PART = 'charges';

export interface BilledOrder {
  readonly id: number;
  readonly customer_id: number | null;
}

/** One kind of orders. */
export interface BilledKind<Order extends BilledOrder = BilledOrder> extends BillKind {
  /** The order, if the caller sees it. */
  readonly find: (orderId: number, caller: Caller) => Promise<Order | undefined>;
}

/** The order of a bill, and the kind that it belongs to. */
export interface FoundOrder {
  readonly order: BilledOrder;
  readonly kind: BilledKind;
  readonly stream: string;
}

export type BilledOrders = ReturnType<typeof createBilledOrders>;

export function createBilledOrders(kinds: readonly BilledKind[]) {
  async function find(orderId: number, caller: Caller): Promise<FoundOrder | undefined> {
    for (const kind of kinds) {
      const order = await kind.find(orderId, caller);
      if (order) return { order, kind, stream: `${kind.prefix}${orderId}` };
    }
    return undefined;
  }

  /** Throws ORDER_NOT_FOUND. */
  async function visible(orderId: number, caller: Caller): Promise<FoundOrder> {
    const found = await find(orderId, caller);
    if (!found) throw new ApiError('ORDER_NOT_FOUND');
    return found;
  }

  return {
    visible,
    families: kinds.map(({ family }) => family),
    /** The version of a bill counts changes of its charges. */
    version: versionOf(
      async ({ order_id }, caller) => (await find(order_id as number, caller))?.stream,
      () => BILL_PART,
    ),
  };
}
