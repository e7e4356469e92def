/** Which parcels a caller sees in full, and the errors for those that it does not see. */
import type { Named } from '../../../projections/trackings/rank.js';
import type { TrackingHead } from '../../../projections/trackings/queries.js';
import { isStaff, isUser, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';

/** Limits the number of carriers in an error and in the `Link` header. */
export const MAX_LINKS = 20;

/** The same error for an unknown number and for one that the caller may not see. */
export function notFound(number: string): ApiError {
  const params = { number: number.slice(0, 64) };
  const error = { field: 'tracking_number', path: '/tracking_number', code: 'TRACKING_NOT_FOUND', params } as const;
  return new ApiError('TRACKING_NOT_FOUND', { params, errors: [error] });
}

/**
 * The number exists, but not with the requested carrier. Any response lists the other carriers, so the error may too.
 */
export function notOfCarrier(number: string, names: readonly string[]): ApiError {
  const allowed = [...new Set(names)].slice(0, MAX_LINKS).join(', ');
  const error = { field: 'carrier', path: '/carrier', code: 'INVALID_VALUE', params: { allowed } } as const;
  return new ApiError('TRACKING_NOT_FOUND', { params: { number: number.slice(0, 64) }, errors: [error] });
}

/** Whether the caller sees the shipment in full (G7). */
export function seesAll(
  {
    owner,
    trackings,
  }: Pick<Named<TrackingHead>, 'owner'> & { readonly trackings: readonly Pick<TrackingHead, 'writers'>[] },
  caller: Caller,
): boolean {
  return (
    isOwn({ owner }, caller) ||
    (caller.role === 'provider' && trackings.every(({ writers }) => writers.includes(caller.id)))
  );
}

/** Whether the caller, or the caller's business, opened the tracking. */
export function isOwn({ owner }: Pick<TrackingHead, 'owner'>, caller: Caller): boolean {
  if (caller.role === 'provider') return owner.kind === 'provider' && owner.id === caller.id;
  // Drivers, contractors and customers see their part of a shipment through its order.
  return (
    isUser(caller) &&
    isStaff(caller) &&
    caller.scopes.has('orders:read') &&
    owner.kind === 'business' &&
    owner.id === String(caller.businessId)
  );
}
