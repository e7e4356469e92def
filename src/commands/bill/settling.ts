/**
 * Moves the money of payments and refunds between the bill of an order and a wallet.
 *
 * The order decides first, then the wallet, and then the order records the result. The request does this at once. After
 * a crash the follower of the order does it, so both may work on the same payment: all ids are derived from the payment
 * or the refund, and the wallet gives both the same result.
 */
import type { PaymentBegun, PaymentMethod, RefundBegun } from '../../events/bill/events.js';
import type { EventType } from '../../events/core/event-types.js';
import type { Position } from '../../events/core/log.js';
import { orderStream } from '../../events/orders/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Family } from '../../events/pricing/families.js';
import { walletStream } from '../../events/wallet/events.js';
import { DomainError } from '../core/domain-error.js';
import type { Cause, Handle, Handled } from '../core/handle.js';
import type { OrderCommand, OrderReply } from '../orders/command.js';
import type { AnyWalletCommand, Refusal, WalletChange, WalletReply } from '../wallet/command.js';
import type { ConcludePayment, ConcludeRefund } from './command.js';

type DataOf<T> = T extends EventType<infer Data> ? Data : never;
export type BegunPayment = Pick<DataOf<typeof PaymentBegun>, 'payment_id' | 'amount' | 'currency' | 'account_id'>;
export type BegunRefund = Pick<
  DataOf<typeof RefundBegun>,
  'refund_id' | 'payment_id' | 'amount' | 'currency' | 'to' | 'why'
>;

/** The order whose bill is paid. */
export interface PaidOrder {
  readonly orderId: number;
  readonly business: number;
  readonly family: Family;
}

/** Where the money of a refund comes from, and the wallet that gets it. */
export interface Refunded {
  readonly method: PaymentMethod;
  readonly accountId: number;
}

export interface Settled extends Handled<OrderReply> {
  /** The reason and the amounts of a payment that the wallet refused. */
  readonly refusal?: Refusal | { readonly code: 'NO_WALLET_IN_CURRENCY' };
}

export interface Settle {
  /** Takes the amount from the wallet, and records the result in the order. */
  payment(order: PaidOrder, payment: BegunPayment, cause: Cause): Promise<Settled>;
  /** Adds the amount to the wallet, and records it in the order. */
  refund(order: PaidOrder, refund: BegunRefund, refunded: Refunded, cause: Cause): Promise<Position | undefined>;
  /** The refusal that the wallet would answer now, without any effect. Throws NO_WALLET_IN_CURRENCY. */
  refusalOf(order: PaidOrder, payment: BegunPayment, cause: Cause): Promise<Refusal | undefined>;
}

export interface SettleOptions {
  readonly orders: Handle<OrderCommand, OrderReply>;
  readonly wallets: Handle<AnyWalletCommand, WalletReply>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The source of a refund in the wallet, for payments that were made outside of the service. */
const SOURCES = { cash: 'cash', bank: 'bank', card_terminal: 'transfer', other: 'transfer' } as const;

export function createSettle({ orders, wallets, now }: SettleOptions): Settle {
  const send = (
    { business }: PaidOrder,
    { accountId, currency }: { readonly accountId: number; readonly currency: string },
    change: WalletChange,
    cause: Cause,
  ) => wallets(walletStream({ accountId, currency }), { ...change, business, accountId, currency, at: now() }, cause);

  const capture = (order: PaidOrder, { payment_id, amount, currency, account_id }: BegunPayment, cause: Cause) => {
    const change = {
      do: 'capture',
      entryId: payment_id,
      amount,
      family: order.family,
      orderId: order.orderId,
    } as const;
    return send(order, { accountId: account_id, currency }, change, cause);
  };

  const conclude = (
    { orderId, business }: PaidOrder,
    id: string,
    change: ConcludePayment | ConcludeRefund,
    cause: Cause,
  ) =>
    orders(orderStream(orderId), { ...change, commandId: derivedId('bill', change.do, id), orderId, business }, cause);

  return {
    async payment(order, payment, cause) {
      const { payment_id: paymentId } = payment;
      const refusal = await capture(order, payment, cause).then(
        ({ reply }) => reply.refusal,
        (error: unknown) => {
          // An operation checks this before it begins the payment, and a wallet never ceases to exist.
          if (error instanceof DomainError && error.code === 'NO_WALLET_IN_CURRENCY')
            return { code: 'NO_WALLET_IN_CURRENCY' as const };
          throw error;
        },
      );
      const change = { do: 'conclude_payment', paymentId, ...(refusal && { failure: refusal.code }) } as const;
      return { ...(await conclude(order, paymentId, change, cause)), ...(refusal && { refusal }) };
    },

    async refund(order, { refund_id: refundId, payment_id: paymentId, amount, currency, why }, refunded, cause) {
      const { orderId, family } = order;
      const entry = { entryId: refundId, amount, family, orderId };
      const change: WalletChange =
        refunded.method === 'wallet'
          ? { do: 'return', ...entry, paymentId, why }
          : { do: 'credit', ...entry, source: SOURCES[refunded.method] };
      await send(order, { accountId: refunded.accountId, currency }, change, cause);
      return (await conclude(order, refundId, { do: 'conclude_refund', refundId }, cause)).position;
    },

    refusalOf: async (order, payment, cause) => (await capture(order, payment, { ...cause, dryRun: [] })).reply.refusal,
  };
}
