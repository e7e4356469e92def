/** What the commands to an order share: how facts get their ids, and why something is refused. */
import type { Fact } from '../../events/core/codec.js';
import type { EventType } from '../../events/core/event-types.js';
import { orderSubject, statusRow } from '../../events/orders/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { DomainError } from '../core/domain-error.js';
import type { OrderCommand } from './command.js';
import type { OrderState } from './state.js';

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
  if (status === 'DELIVERED') throw new DomainError('ALREADY_DELIVERED');
  if (statusRow(status).final) throw new DomainError('ORDER_CLOSED', { status });
}

/** Held orders and those under way wait for no dispatcher. */
export function mustBeDispatchable({ status }: OrderState): void {
  if (status === 'HOLD') throw new DomainError('ORDER_HELD');
  if (!statusRow(status).dispatchable) throw new DomainError('NOT_DISPATCHABLE', { status });
}
