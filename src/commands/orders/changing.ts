/** Creates and cancels orders, and changes their content. */
import { DomainError } from '../core/domain-error.js';
import { isDeepStrictEqual } from 'node:util';
import type { Fact } from '../../events/core/codec.js';
import {
  AssignmentRevoked,
  DeliveryInstructionChanged,
  OrderCancelled,
  OrderCreated,
  OrderNoteChanged,
  OrderPlanningSet,
  OrderTakenOffRoute,
  OrderWarehouseSet,
  TimeWindowChanged,
  type OrderPlanning,
} from '../../events/orders/events.js';
import type { ReplacementBill } from '../../events/bill/events.js';
import { agreedPrice, cancelledBill } from './billing.js';
import type { CommandTo } from './command.js';
import { mustBeBeforePickUp, mustBeChangeable, replacementBill } from './customer-changes.js';
import { endOfferOfCancelled } from './offering.js';
import { mustBeOpen, type EventFactory } from './rules.js';
import { wasInHand } from './scan-history.js';
import type { OrderState } from './state.js';

export function create(state: OrderState, command: CommandTo<'create'>, newEvent: EventFactory): Fact[] {
  const { orderId, business, by, order, warehouse } = command;
  if (state.business !== undefined) throw new DomainError('ORDER_EXISTS');
  return [
    newEvent(OrderCreated, { order_id: orderId, business, created_by: by, ...order }),
    ...(warehouse === undefined
      ? []
      : [newEvent(OrderWarehouseSet, { warehouse_id: warehouse, why: 'created', set_by: by })]),
    ...agreedPrice(state, command, newEvent),
  ];
}

/**
 * Allowed only before delivery. The same append also removes the order from its route and its contractor, ends an open
 * offer to providers, and refunds its payments. The payments of a rerouted order continue in its replacement.
 */
export function cancel(
  state: OrderState,
  command: CommandTo<'cancel' | 'reroute'>,
  newEvent: EventFactory,
  replacement?: CommandTo<'reroute'>['replacement'] & { readonly bill: ReplacementBill },
): Fact[] {
  mustBeOpen(state);
  if (command.do === 'cancel' && command.byCustomer === true && wasInHand(state.history))
    throw new DomainError('NOT_CANCELLABLE');
  const { reason, by } = command;
  return [
    newEvent(OrderCancelled, {
      cancelled_by: by,
      reason,
      replacement: replacement && { ...replacement, tracking_numbers: [...replacement.tracking_numbers] },
    }),
    ...(state.route !== undefined
      ? [
          newEvent(OrderTakenOffRoute, {
            route_id: state.route,
            why: 'cancelled' as const,
            status: 'CANCELLED' as const,
            taken_by: by,
          }),
        ]
      : []),
    ...(state.assignment
      ? [newEvent(AssignmentRevoked, { ...state.assignment, why: 'cancel' as const, ended_by: by })]
      : []),
    ...endOfferOfCancelled(state, command, newEvent),
    ...cancelledBill(state, command, newEvent),
  ];
}

export function reroute(state: OrderState, command: CommandTo<'reroute'>, newEvent: EventFactory): Fact[] {
  if (command.byCustomer) mustBeChangeable(state);
  else mustBeBeforePickUp(state);
  if (!state.stops.has('delivery')) throw new DomainError('NOTHING_TO_REROUTE');
  return cancel(state, command, newEvent, { ...command.replacement, bill: replacementBill(state, command) });
}

/**
 * The text is personal data, and past texts are encrypted. So the decider cannot compare them, and records every
 * command.
 */
export function instruct(
  state: OrderState,
  { delivery_instruction, by }: CommandTo<'instruct'>,
  newEvent: EventFactory,
): Fact[] {
  mustBeOpen(state);
  return [newEvent(DeliveryInstructionChanged, { delivery_instruction, changed_by: by })];
}

/** Also allowed for closed orders, because a note may be about past events. */
export const annotate = (_state: OrderState, { note, by }: CommandTo<'annotate'>, newEvent: EventFactory): Fact[] => [
  newEvent(OrderNoteChanged, { note, changed_by: by }),
];

/** Changes the warehouse where the order starts or ends. */
export function setWarehouse(
  state: OrderState,
  { warehouse, by }: CommandTo<'set_warehouse'>,
  newEvent: EventFactory,
): Fact[] {
  mustBeOpen(state);
  if (state.warehouse === warehouse) return [];
  return [newEvent(OrderWarehouseSet, { warehouse_id: warehouse, why: 'corrected', set_by: by })];
}

export function setPlanning(
  state: OrderState,
  { planning, by }: CommandTo<'set_planning'>,
  newEvent: EventFactory,
): Fact[] {
  mustBeOpen(state);
  const changed = { ...state.planning, ...planning };
  const next = Object.fromEntries(
    Object.entries(changed).filter(([, value]) => value !== null && value !== undefined),
  ) as OrderPlanning;
  if (isDeepStrictEqual(next, state.planning)) return [];
  return [newEvent(OrderPlanningSet, { ...next, set_by: by })];
}

export function reschedule(
  state: OrderState,
  { time_windows, schedule_date, by }: CommandTo<'reschedule'>,
  newEvent: EventFactory,
): Fact[] {
  mustBeOpen(state);
  const next = {
    time_windows: time_windows ?? state.schedule.time_windows,
    schedule_date: schedule_date ?? state.schedule.schedule_date,
  };
  if (isDeepStrictEqual(next, state.schedule)) return [];
  return [
    newEvent(TimeWindowChanged, { time_windows: time_windows && [...time_windows], schedule_date, changed_by: by }),
  ];
}
