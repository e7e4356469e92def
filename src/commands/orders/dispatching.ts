/** Holds, routes and third parties: each excludes the other two. */
import { DomainError } from '../core/domain-error.js';
import type { Fact } from '../../events/core/codec.js';
import { ruleFor } from '../../events/contractors/events.js';
import {
  OrderHeld,
  OrderPutOnRoute,
  OrderReleased,
  OrderTakenOffRoute,
  ThirdPartyReturnedOrder,
  ThirdPartyTookOrder,
} from '../../events/orders/events.js';
import type { CommandTo } from './command.js';
import { mustBeDispatchable, mustBeOpen, type EventFactory } from './rules.js';
import { statusOffRoute } from './scan-course.js';
import type { OrderState } from './state.js';

type Planning = CommandTo<'put_on_route' | 'take_off_route' | 'move_to_route'>;

/** Holding an order that a user holds changes nothing. An order that waits for a payment is then not released by it. */
export function hold(state: OrderState, { reason, by }: CommandTo<'hold' | 'release'>, newEvent: EventFactory): Fact[] {
  if (state.status === 'HOLD') return state.heldFor === undefined ? [] : [newEvent(OrderHeld, { held_by: by, reason })];
  mustBeOpen(state);
  if (state.route !== undefined) throw new DomainError('ORDER_ON_ROUTE', { route_id: state.route });
  if (state.thirdParty !== undefined) throw new DomainError('HELD_BY_THIRD_PARTY');
  mustBeDispatchable(state);
  return [newEvent(OrderHeld, { held_by: by, reason })];
}

/** The status always returns to NEW_ORDER, as specified. */
export function release(
  state: OrderState,
  { reason, by }: CommandTo<'hold' | 'release'>,
  newEvent: EventFactory,
): Fact[] {
  if (state.status !== 'HOLD') throw new DomainError('ORDER_NOT_HELD');
  return [newEvent(OrderReleased, { released_by: by, reason })];
}

/**
 * A contractor must not learn about deliveries of others. An order that is neither assigned to the contractor nor
 * covered by its rules is treated as missing.
 */
function mustBeKnown({ assignment, served }: OrderState, { brokerId, rules = [] }: Planning): void {
  if (brokerId === undefined) return;
  if (assignment ? assignment.broker_id !== brokerId : !ruleFor(rules, served))
    throw new DomainError('ORDER_NOT_FOUND');
}

export function putOnRoute(state: OrderState, command: Planning, newEvent: EventFactory): Fact[] {
  const { routeId, brokerId, by, planId } = command;
  mustBeKnown(state, command);
  if (state.assignment && brokerId === undefined) throw new DomainError('ASSIGNED_TO_CONTRACTOR');
  if (state.route === routeId) return [];
  if (state.route !== undefined) throw new DomainError('ORDER_ON_ROUTE', { route_id: state.route });
  if (!state.selfDelivery) throw new DomainError('NOT_SELF_DELIVERY');
  if (state.thirdParty !== undefined) throw new DomainError('HELD_BY_THIRD_PARTY');
  mustBeOpen(state);
  mustBeDispatchable(state);
  return [newEvent(OrderPutOnRoute, { route_id: routeId, put_by: by, plan_id: planId })];
}

export function takeOffRoute(state: OrderState, command: Planning, newEvent: EventFactory): Fact[] {
  const { routeId, by } = command;
  if (state.route !== routeId) {
    mustBeKnown(state, command);
    throw new DomainError('ORDER_NOT_ON_ROUTE');
  }
  mustBeOpen(state);
  return [
    newEvent(OrderTakenOffRoute, {
      route_id: routeId,
      why: 'removed',
      status: statusOffRoute(state.history.course),
      taken_by: by,
    }),
  ];
}

/** Moves an order only if its work has not started. An order in the vehicle, or on the way to it, keeps its driver. */
export function moveToRoute(state: OrderState, command: CommandTo<'move_to_route'>, newEvent: EventFactory): Fact[] {
  const { from, routeId, by, planId } = command;
  mustBeKnown(state, command);
  if (state.route === routeId) return [];
  if (state.route !== from) throw new DomainError('ORDER_NOT_ON_ROUTE');
  if (state.status !== 'PLANNED') throw new DomainError('NOT_DISPATCHABLE', { status: state.status });
  return [
    newEvent(OrderTakenOffRoute, {
      route_id: from,
      why: 'moved',
      status: state.history.course.beforeRoute,
      taken_by: by,
    }),
    newEvent(OrderPutOnRoute, { route_id: routeId, put_by: by, plan_id: planId }),
  ];
}

export function giveToThirdParty(
  state: OrderState,
  { provider, by }: CommandTo<'give_to_third_party' | 'take_from_third_party'>,
  newEvent: EventFactory,
): Fact[] {
  if (state.thirdParty === provider) return [];
  if (state.thirdParty !== undefined) throw new DomainError('HELD_BY_THIRD_PARTY');
  if (state.route !== undefined) throw new DomainError('ORDER_ON_ROUTE', { route_id: state.route });
  if (state.assignment) throw new DomainError('ASSIGNED_TO_CONTRACTOR');
  mustBeOpen(state);
  mustBeDispatchable(state);
  return [newEvent(ThirdPartyTookOrder, { provider, given_by: by })];
}

export function takeFromThirdParty(
  state: OrderState,
  { provider, by }: CommandTo<'give_to_third_party' | 'take_from_third_party'>,
  newEvent: EventFactory,
): Fact[] {
  if (state.thirdParty !== provider) throw new DomainError('NOT_WITH_THIRD_PARTY');
  return [newEvent(ThirdPartyReturnedOrder, { provider, taken_by: by, why: 'taken_back' })];
}
