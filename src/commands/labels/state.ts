/** The state of a label order for its decider. */
import { evolveBill, NO_BILL, type Bill } from '../../events/bill/state.js';
import { LABEL_EFFECTS } from '../../events/labels/effects.js';
import { LabelOrderCreated, type NewLabelOrder } from '../../events/labels/events.js';
import { evolveLabelOrder, NO_LABEL_ORDER, type LabelOrder } from '../../events/labels/order.js';
import type { PastEvent } from '../core/decider.js';
import { noteEffect, type EffectBook } from '../effects/book.js';

export interface LabelState {
  /** Undefined: the order does not exist. */
  created:
    Pick<NewLabelOrder, 'order_id' | 'business' | 'customer_id' | 'account_id' | 'adapter' | 'shipments'> | undefined;
  order: LabelOrder;
  bill: Bill;
  effects: EffectBook;
  /** Ids of the events. */
  readonly done: Set<string>;
}

export const initial = (): LabelState => ({
  created: undefined,
  order: NO_LABEL_ORDER,
  bill: NO_BILL,
  effects: new Map(),
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
  state.effects = noteEffect(LABEL_EFFECTS, state.effects, event);
  state.done.add(event.id);
  return state;
}
