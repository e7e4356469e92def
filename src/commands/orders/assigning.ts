/**
 * Assigns orders to contractors as specified (spec 1, "States and transitions"): an order has at most one contractor.
 */
import { DomainError } from '../core/domain-error.js';
import type { Fact } from '../../events/core/codec.js';
import { AssignmentReleased, AssignmentRevoked, OrderAssigned } from '../../events/orders/events.js';
import type { CommandTo } from './command.js';
import { mustBeDispatchable, type EventFactory } from './rules.js';
import type { OrderState } from './state.js';

/**
 * A move ends the old assignment and creates the new one in the same append. Assigning the current contractor again is
 * rejected with ALREADY_ASSIGNED.
 */
export function assign(
  state: OrderState,
  { assignmentId, business, brokerId, note, by }: CommandTo<'assign'>,
  newEvent: EventFactory,
): Fact[] {
  if (state.route !== undefined) throw new DomainError('ORDER_ON_ROUTE', { route_id: state.route });
  if (!state.selfDelivery) throw new DomainError('NOT_SELF_DELIVERY');
  if (state.thirdParty !== undefined) throw new DomainError('HELD_BY_THIRD_PARTY');
  mustBeDispatchable(state);
  if (state.assignment?.broker_id === brokerId) throw new DomainError('ALREADY_ASSIGNED');
  return [
    ...(state.assignment
      ? [newEvent(AssignmentRevoked, { ...state.assignment, why: 'move' as const, ended_by: by })]
      : []),
    newEvent(OrderAssigned, { assignment_id: assignmentId, business, broker_id: brokerId, note, assigned_by: by }),
  ];
}

export function revokeAssignment(
  state: OrderState,
  { reason, by }: CommandTo<'revoke_assignment'>,
  newEvent: EventFactory,
): Fact[] {
  if (!state.assignment) throw new DomainError('NOT_ASSIGNED');
  if (state.route !== undefined) throw new DomainError('ORDER_ON_ROUTE', { route_id: state.route });
  return [newEvent(AssignmentRevoked, { ...state.assignment, why: 'revoke', ended_by: by, reason })];
}

export function releaseAssignment(
  state: OrderState,
  { brokerId, reason, by }: CommandTo<'release_assignment'>,
  newEvent: EventFactory,
): Fact[] {
  if (state.assignment?.broker_id !== brokerId) throw new DomainError('NOT_ASSIGNED_TO_YOU');
  if (state.route !== undefined) throw new DomainError('RELEASE_ON_ROUTE');
  return [newEvent(AssignmentReleased, { ...state.assignment, ended_by: by, reason })];
}
