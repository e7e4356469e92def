/** The state of a label order for its decider. */
import { ChargesSet } from '../../events/bill/events.js';
import { evolveBill, NO_BILL, openPayment, type Bill } from '../../events/bill/state.js';
import type { JsonObject } from '../../events/core/log.js';
import { LABEL_EFFECTS } from '../../events/labels/effects.js';
import { LabelOrderCreated, type NewLabelOrder } from '../../events/labels/events.js';
import { evolveLabelOrder, NO_LABEL_ORDER, type LabelOrder } from '../../events/labels/order.js';
import type { PastEvent } from '../core/decider.js';
import { noteEffect, type EffectBook } from '../effects/book.js';
import { isUnsuccessful, isOver } from './endings.js';

export interface LabelState {
  /** Undefined: the order does not exist. */
  created:
    Pick<NewLabelOrder, 'order_id' | 'business' | 'customer_id' | 'account_id' | 'adapter' | 'shipments'> | undefined;
  order: LabelOrder;
  bill: Bill;
  effects: EffectBook;
  /** The order is over, or has ended its attempts without a label, and no payment was open then or later. */
  isOver: boolean;
  isUnsuccessful: boolean;
  /** The price before the cancellation of the bill; undefined: the bill is not cancelled. */
  cancelledPrice: JsonObject | undefined;
  price: JsonObject | undefined;
  /** The price was set again after the bill was cancelled, so it is due again. */
  isDueAgain: boolean;
  /** Ids of the events. */
  readonly done: Set<string>;
}

export const initial = (): LabelState => ({
  created: undefined,
  order: NO_LABEL_ORDER,
  bill: NO_BILL,
  effects: new Map(),
  isOver: false,
  isUnsuccessful: false,
  cancelledPrice: undefined,
  price: undefined,
  isDueAgain: false,
  done: new Set(),
});

/** Changes the state and returns it. */
export function evolve(state: LabelState, event: PastEvent): LabelState {
  if (event.type === LabelOrderCreated.type) {
    const { order_id, business, customer_id, account_id, adapter, shipments } = event.data as unknown as NewLabelOrder;
    state.created = { order_id, business, customer_id, account_id, adapter, shipments };
  }
  state.order = evolveLabelOrder(state.order, event);
  state.bill = evolveBill(state.bill, event);
  if (event.type === ChargesSet.type) {
    if (state.price?.['why'] === 'cancelled') state.isDueAgain = event.data['why'] !== 'cancelled';
    state.cancelledPrice = event.data['why'] === 'cancelled' ? state.price : undefined;
    state.price = event.data;
  }
  const isDecided = openPayment(state.bill) === undefined;
  state.isOver = isOver(state.order) && (state.isOver || isDecided);
  state.isUnsuccessful = isUnsuccessful(state.order) && (state.isUnsuccessful || isDecided);
  state.effects = noteEffect(LABEL_EFFECTS, state.effects, event);
  state.done.add(event.id);
  return state;
}
