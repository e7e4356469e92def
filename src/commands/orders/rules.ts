/** What the commands to an order share: how facts get their ids, and why something is refused. */
import type { Fact } from '../../events/core/codec.js';
import type { EventType } from '../../events/core/event-types.js';
import { orderSubject, statusRow } from '../../events/orders/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { DomainError } from '../core/domain-error.js';
import type { OrderCommand } from './command.js';
import type { OrderState } from './state.js';

/** Why an order is not changed; each has a text in every language. */
export const REFUSALS = {
  ORDER_NOT_FOUND: 'There is no such order.',
  ORDER_EXISTS: 'The order exists already.',
  ORDER_ON_ROUTE: 'The order is on a route.',
  ORDER_NOT_ON_ROUTE: 'The order is not on this route.',
  NOT_SELF_DELIVERY: 'The order is not a self-delivery order.',
  NOT_DISPATCHABLE: 'The order is not in an assignable status.',
  HELD_BY_THIRD_PARTY: 'The order is held by a third-party carrier.',
  NOT_WITH_THIRD_PARTY: 'The order is not held by this third-party carrier.',
  ALREADY_ASSIGNED: 'The order is already assigned to this contractor.',
  ASSIGNED_TO_CONTRACTOR: 'The order is assigned to a contractor.',
  NOT_ASSIGNED: 'The order is not assigned to a contractor.',
  NOT_ASSIGNED_TO_YOU: 'The order is not assigned to this contractor.',
  RELEASE_ON_ROUTE: 'The order is on a route.',
  ORDER_HELD: 'The order is on hold.',
  ORDER_NOT_HELD: 'The order is not on hold.',
  ALREADY_PICKED_UP: 'The order is picked up.',
  ALREADY_DELIVERED: 'The order is delivered.',
  ORDER_CLOSED: 'The order has ended.',
  NOTHING_TO_REROUTE: 'The order has no delivery address.',
  UNKNOWN_PACKAGE: 'The order has no such package.',
} as const;
export type Refusal = keyof typeof REFUSALS;

export const refusal = (code: Refusal, params: Readonly<Record<string, string | number>> = {}): DomainError =>
  new DomainError(code, REFUSALS[code], params);

export type Happened = <T>(type: EventType<T>, data: T) => Fact;

/** Of a command's n-th fact: the first one is there when the command was done before. */
export const factId = ({ orderId, commandId }: OrderCommand, n = 0): string =>
  derivedId('order', orderId, commandId, n);

/**
 * Makes the facts of one command, with ids that follow from it: `first` is that of its first one. Absent members are
 * left out, as JSON does.
 */
export function happenings(command: OrderCommand, first: string): Happened {
  let n = 0;
  return (type, data) => ({
    id: n++ === 0 ? first : factId(command, n - 1),
    type: type as unknown as Fact['type'],
    data,
    subject: orderSubject(command.orderId),
  });
}

export function mustBeOpen({ status }: OrderState): void {
  if (status === 'DELIVERED') throw refusal('ALREADY_DELIVERED');
  if (statusRow(status).final) throw refusal('ORDER_CLOSED', { status });
}

/** Held orders and those under way wait for no dispatcher. */
export function mustBeDispatchable({ status }: OrderState): void {
  if (status === 'HOLD') throw refusal('ORDER_HELD');
  if (!statusRow(status).dispatchable) throw refusal('NOT_DISPATCHABLE', { status });
}
