/** Rules of creation and purchase: one attempt for each shipment at a time, and only after a required payment. */
import type { Fact } from '../../events/core/codec.js';
import { isPositive } from '../../events/core/money.js';
import { evolveBill, openPayment, remainingAmount, type Bill } from '../../events/bill/state.js';
import { LABEL_PURCHASE } from '../../events/labels/effects.js';
import { LabelFileStored, LabelOrderCreated, labelStream } from '../../events/labels/events.js';
import { orderOf } from '../../events/labels/order.js';
import { hasBought, isPurchaseOpen, labelOrderState, missingShipments } from '../../events/labels/state.js';
import { CLOSED } from '../../events/labels/states.js';
import type { BillOf } from '../bill/command.js';
import { agree, beginRequiredPayment } from '../bill/decide.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import { beginEffect } from '../effects/book.js';
import type { CreateLabelOrder, LabelAddress, PurchaseLabels, RequiredPayment, StoreLabel } from './command.js';
import { mustHaveAttemptsLeft } from './attempts.js';
import type { LabelState } from './state.js';

/** New events of a command, and the beginnings of effects, which have separate ids. */
export interface Ruling {
  readonly events: readonly NewEvent[];
  readonly begun?: readonly Fact[];
}

export function create(
  state: LabelState,
  { order, agreed, payment }: CreateLabelOrder,
  { orderId, business, by }: LabelAddress,
  of: BillOf,
): Ruling {
  const data = { order_id: orderId, business, ...order, created_by: by };
  const created = newEvent(LabelOrderCreated, data);
  const price = agreed ? [agree(agreed, of)] : [];
  const next = { ...state, created: data, order: orderOf(order), bill: billAfter(state.bill, price) };
  const { events, begun } = purchaseOrPay(next, payment, of);
  return { events: [created, ...price, ...events], ...(begun && { begun }) };
}

/** Throws PAYMENT_IN_PROGRESS, PURCHASE_IN_PROGRESS, ORDER_CLOSED, LABEL_EXISTS and TOO_MANY_ATTEMPTS. */
export function purchase(state: LabelState, { payment }: PurchaseLabels, of: BillOf): Ruling {
  const { order, bill } = state;
  if (openPayment(bill)) throw new DomainError('PAYMENT_IN_PROGRESS');
  if (isPurchaseOpen(order)) throw new DomainError('PURCHASE_IN_PROGRESS');
  const status = labelOrderState(order);
  if (CLOSED.has(status)) throw new DomainError('ORDER_CLOSED', { status });
  if (missingShipments(order).length === 0) throw new DomainError('LABEL_EXISTS');
  mustHaveAttemptsLeft(missingShipments(order), LABEL_PURCHASE.kind, state.effects);
  return purchaseOrPay(state, isDueNow(state) ? payment : undefined, of);
}

/** The price is for all labels, and was due before the first one. */
export const isDueNow = ({ order, isDueAgain }: Pick<LabelState, 'order' | 'isDueAgain'>): boolean =>
  isDueAgain || !hasBought(order);

/** Nothing is bought before the payment. A repeated attempt buys only the labels that are missing. */
function purchaseOrPay(state: LabelState, payment: RequiredPayment | undefined, of: BillOf): Ruling {
  const { bill } = state;
  const isDue = bill.version > 0 && isPositive(remainingAmount(bill));
  if (!payment || !isDue) return { events: [], begun: beginMissing(state) };
  return { events: beginRequiredPayment(bill, payment, of) };
}

/** The beginnings of the purchases of all shipments without a label. */
export function beginMissing({ created, order, effects }: LabelState): Fact[] {
  const { order_id, business, adapter, account_id, shipments } = created!;
  const missing = new Set(missingShipments(order).map(({ about }) => about));
  return shipments
    .filter(({ about }) => missing.has(about))
    .flatMap(({ about, digest }) => {
      const account = String(account_id);
      const beginning = { stream: labelStream(order_id), business, about, adapter, account, digest };
      return beginEffect(LABEL_PURCHASE, effects, beginning).facts;
    });
}

/** Throws NO_LABEL if the package has no label. A label that is stored already stays. */
export function storeLabel({ order }: LabelState, { packageId, label }: StoreLabel): Ruling {
  const parcel = order.packages.find(({ package_id }) => package_id === packageId);
  if (parcel?.tracking_number === undefined) throw new DomainError('NO_LABEL', { state: labelOrderState(order) });
  return { events: parcel.label ? [] : [newEvent(LabelFileStored, { package_id: packageId, label })] };
}

export const billAfter = (bill: Bill, events: readonly NewEvent[]): Bill =>
  events.reduce((now, { type, data }) => evolveBill(now, { type: type.type, data }), bill);
