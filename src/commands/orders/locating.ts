/** Sets the positions of an order's stops: from a geocoder, or from a user. */
import type { Fact } from '../../events/core/codec.js';
import { BY_PERSON, OrderGeocoded, statusRow } from '../../events/orders/events.js';
import { DomainError } from '../core/domain-error.js';
import type { CommandTo } from './command.js';
import { mustBeOpen, type EventFactory } from './rules.js';
import type { OrderState } from './state.js';

/**
 * A user gets an error if the command is not allowed. A geocoder's result is dropped if it is late or contradicts a
 * user.
 */
export function locate(
  state: OrderState,
  { stop, position, precision, confidence, source, by }: CommandTo<'locate'>,
  newEvent: EventFactory,
): Fact[] {
  const isThere = state.stops.has(stop);
  if (source.geocoder === BY_PERSON) {
    mustBeOpen(state);
    if (!isThere) throw new DomainError('NO_SUCH_STOP');
  } else if (!isThere || statusRow(state.status).final || state.pinned.has(stop)) return [];
  return [newEvent(OrderGeocoded, { stop, position, precision, confidence, source, set_by: by })];
}
