/** Limits the attempts of an order: each one adds events to its stream, and most create an object at the carrier. */
import type { LabelShipment } from '../../events/labels/order.js';
import { DomainError } from '../core/domain-error.js';
import { lastAttempt, type EffectBook } from '../effects/book.js';

/** Maximum number of purchases of one shipment, and of its voids. */
export const MAX_ATTEMPTS = 25;

/** Throws TOO_MANY_ATTEMPTS. */
export function mustHaveAttemptsLeft(shipments: readonly LabelShipment[], kind: string, effects: EffectBook): void {
  const isUsedUp = ({ about }: LabelShipment): boolean =>
    (lastAttempt(effects, kind, about)?.attempt ?? 0) >= MAX_ATTEMPTS;
  if (shipments.some(isUsedUp)) throw new DomainError('TOO_MANY_ATTEMPTS', { max: MAX_ATTEMPTS });
}
