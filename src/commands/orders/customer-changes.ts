/** Changes by the customer of an order: until when they are allowed, and the price after them. */
import { isDeepStrictEqual } from 'node:util';
import type { Fact } from '../../events/core/codec.js';
import type { ReplacementBill } from '../../events/bill/events.js';
import { TimeWindowChanged } from '../../events/orders/events.js';
import { chargeMembers, MAX_PAYMENTS, mustKeepCurrency } from '../bill/decide.js';
import { DomainError } from '../core/domain-error.js';
import { changePrice, isEarly } from './billing.js';
import type { ChangedPrice, CommandTo } from './command.js';
import { expireOffer } from './offering.js';
import { mustBeOpen, type EventFactory } from './rules.js';
import { wasInHand } from './scan-history.js';
import type { OrderState } from './state.js';

/** Throws unless the order can still get another address: it is not picked up, and no driver or carrier has it. */
export function mustBeBeforePickUp(state: OrderState): void {
  mustBeOpen(state);
  if (wasInHand(state.history)) throw new DomainError('ALREADY_PICKED_UP');
  if (state.route !== undefined) throw new DomainError('ORDER_ON_ROUTE', { route_id: state.route });
  if (state.thirdParty !== undefined) throw new DomainError('HELD_BY_THIRD_PARTY');
}

/**
 * Throws unless the customer can change date, time windows or address. It can as long as a cancellation is free:
 * otherwise it could avoid the fee by a change.
 */
export function mustBeChangeable(state: OrderState): void {
  mustBeBeforePickUp(state);
  if (!isEarly(state.status)) throw new DomainError('NOT_CHANGEABLE', { status: state.status });
}

/** Throws CONFLICT if the price is for another state of the order. */
function mustBePricedFor({ schedule, warehouse, bill }: OrderState, { of }: ChangedPrice): void {
  const isSame =
    schedule.schedule_date === of.schedule.schedule_date &&
    isDeepStrictEqual(schedule.time_windows, of.schedule.time_windows) &&
    warehouse === of.warehouse &&
    bill.version === of.billVersion;
  if (!isSame) throw new DomainError('CONFLICT');
}

/**
 * The events of an update by the customer, with the new price if it changes date or time windows. Throws
 * OFFERED_TO_THIRD_PARTY while providers can accept the order, because they were offered its date.
 */
export function updateByCustomer(
  state: OrderState,
  command: CommandTo<'update'>,
  updates: readonly Fact[],
  newEvent: EventFactory,
): Fact[] {
  const rescheduled = updates.find(({ type }) => type.type === TimeWindowChanged.type);
  if (!rescheduled) return [...updates];
  mustBeChangeable(state);
  const events = [...expireOffer(state, command, newEvent), ...updates];
  const { price } = command;
  if (!price) return events;
  const { time_windows, schedule_date } = rescheduled.data as Partial<OrderState['schedule']>;
  const schedule = {
    time_windows: time_windows ?? state.schedule.time_windows,
    schedule_date: schedule_date ?? state.schedule.schedule_date,
  };
  mustBePricedFor({ ...state, schedule }, price);
  return [...events, ...changePrice(state, command, price, newEvent)];
}

/** The bill of the order that replaces a rerouted one. By staff: it keeps price, payments and hold. */
export function replacementBill(state: OrderState, { price }: CommandTo<'reroute'>): ReplacementBill {
  if (!price) return {};
  mustBePricedFor(state, price);
  const { agreed, payment, awaitsPrice } = price;
  if (agreed) mustKeepCurrency(state.bill, agreed.charges);
  // The replacement gets all payments, and the new one in addition.
  if (
    payment?.from === 'wallet' &&
    state.bill.payments.filter(({ status }) => status === 'received').length >= MAX_PAYMENTS
  )
    throw new DomainError('TOO_MANY_PAYMENTS', { max: MAX_PAYMENTS });
  return {
    ...(agreed && { price: { ...chargeMembers(agreed.charges), settlement: agreed.settlement } }),
    ...(payment && { payment: payment.from }),
    ...(awaitsPrice && { awaits_price: true as const }),
  };
}
