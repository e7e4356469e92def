/** Shared by all commands on orders: event ids, and common reasons for rejection. */
import type { Fact } from '../../events/core/codec.js';
import { openPayment } from '../../events/bill/state.js';
import type { EventType } from '../../events/core/event-types.js';
import { orderSubject, statusRow } from '../../events/orders/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { DomainError } from '../core/domain-error.js';
import type { OrderCommand } from './command.js';
import type { OrderState } from './state.js';

export type EventFactory = <T>(type: EventType<T>, data: T) => Fact;

/** Id of the n-th event of a command. If the stream contains the first one, the command was executed before. */
export const factId = ({ orderId, commandId }: OrderCommand, n = 0): string =>
  derivedId('order', orderId, commandId, n);

/**
 * Creates the events of one command. Their ids are derived from the command; `first` is the id of the first event.
 * Undefined members are dropped when the event is serialized as JSON.
 */
export function createEventFactory(command: OrderCommand, first: string): EventFactory {
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

/**
 * Throws if the order is on hold or already in progress, because it then needs no dispatcher, and while the payment that
 * it waits for is not finished.
 */
export function mustBeDispatchable({ status, bill }: OrderState): void {
  if (status === 'HOLD') throw new DomainError('ORDER_HELD');
  if (!statusRow(status).dispatchable) throw new DomainError('NOT_DISPATCHABLE', { status });
  if (openPayment(bill)?.required) throw new DomainError('PAYMENT_IN_PROGRESS');
}
