/** Price, payments and hold of a rerouted order, which the order that replaces it continues. */
import { ChargesSet, PaymentReceived, type ReplacementBill } from '../../events/bill/events.js';
import { evolveBill, NO_BILL } from '../../events/bill/state.js';
import type { EventType } from '../../events/core/event-types.js';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';
import { OrderHeld, statusAfter, type HoldCause, type NewOrderData } from '../../events/orders/events.js';
import type { Agreed, CarriedPayment } from '../bill/command.js';
import type { CommandTo, KeptHold } from './command.js';

type DataOf<T> = T extends EventType<infer Data> ? Data : never;
type Price = ReplacementBill['price'] & object;

export interface Continued {
  /** The rerouted order. */
  readonly order: NewOrderData;
  /** Id of the payment of the remaining amount. */
  readonly paymentId: string;
  /** Absent: an earlier release rerouted the order, and refunded its payments. */
  readonly bill: ReplacementBill | undefined;
}

/**
 * The members of the command that creates the replacement. `past`: all events of the rerouted order. `event`: the one
 * that rerouted it. `open` decrypts an event.
 */
export function continuedBill(
  { order, paymentId, bill }: Continued,
  past: readonly StoredEvent[],
  event: StoredEvent,
  open: (event: StoredEvent) => JsonObject,
): Pick<CommandTo<'create'>, 'agreed' | 'payment' | 'carried' | 'held'> {
  const before = past.slice(0, past.indexOf(event));
  const hold = lastHold(before);
  const awaitsPayment = hold?.data['why'] === 'payment';
  const kept = hold && keptHold(hold, bill, open);
  const payment =
    bill?.payment === 'wallet' && order.customer_id !== undefined
      ? { from: 'wallet' as const, paymentId, accountId: order.customer_id }
      : bill?.payment === 'awaited' || awaitsPayment
        ? { from: 'awaited' as const }
        : undefined;
  const held = kept ?? (bill?.awaits_price ? { why: 'price' as const } : undefined);
  return {
    ...(bill && pricePart(bill, order, before, past, open)),
    ...(payment && { payment }),
    ...(held && { held }),
  };
}

function pricePart(
  { price }: ReplacementBill,
  { order_id }: NewOrderData,
  before: readonly StoredEvent[],
  past: readonly StoredEvent[],
  open: (event: StoredEvent) => JsonObject,
): Pick<CommandTo<'create'>, 'agreed' | 'carried'> {
  const last = before.findLast(({ type }) => type === ChargesSet.type);
  const agreed = price ?? (last && (open(last) as unknown as DataOf<typeof ChargesSet>));
  return agreed ? { agreed: toAgreed(agreed), carried: carriedPayments(order_id, past, open) } : {};
}

/** Reads the hold that lasts at the end of these events. */
function lastHold(events: readonly StoredEvent[]): StoredEvent | undefined {
  const last = events.findLast(({ type, data }) => statusAfter(type, data) !== undefined);
  return last?.type === OrderHeld.type ? last : undefined;
}

/**
 * A hold until the payment is not kept: it depends on the new price. The same applies to a hold until the price, if
 * there is such a hold.
 */
function keptHold(
  hold: StoredEvent,
  bill: ReplacementBill | undefined,
  open: (event: StoredEvent) => JsonObject,
): KeptHold | undefined {
  const { why, held_by: by, reason } = open(hold) as { why?: HoldCause; held_by?: number; reason?: string };
  if (why === 'payment') return undefined;
  if (why === 'price') return bill?.price ? undefined : { why };
  return { by, reason };
}

/** The payments that the reroute has moved to the replacement. */
function carriedPayments(
  from: number,
  past: readonly StoredEvent[],
  open: (event: StoredEvent) => JsonObject,
): CarriedPayment[] {
  const { payments, refunds } = past.reduce(evolveBill, NO_BILL);
  return refunds
    .filter(({ to }) => to === 'replacement')
    .map(({ payment_id, amount }) => {
      const { method, account_id } = payments.find(({ id }) => id === payment_id)!;
      const received = past.find(
        ({ type, data }) => type === PaymentReceived.type && data['payment_id'] === payment_id,
      )!;
      const { reference, received_at, received_by } = open(received) as Partial<DataOf<typeof PaymentReceived>>;
      return {
        paymentId: payment_id,
        amount,
        method,
        accountId: account_id,
        reference,
        receivedAt: received_at,
        receivedBy: received_by,
        from,
      };
    });
}

const toAgreed = ({
  currency,
  lines,
  line_names,
  subtotal,
  surcharge_amount,
  tax_amount,
  total,
  settlement,
  source,
}: Price): Agreed => ({
  settlement,
  charges: {
    currency,
    lines,
    ...(line_names && { lineNames: line_names }),
    subtotal,
    surchargeAmount: surcharge_amount,
    taxAmount: tax_amount,
    total,
    ...(source && { source }),
  },
});
