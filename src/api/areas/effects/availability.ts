/** Refuses requests while the circuit of an external system is open. */
import type { Account, Circuits } from '../../../engines/outside/circuits.js';
import { ApiError, type ErrorCode } from '../../core/errors.js';

/** `code`: error of the area, with the status 503. */
export function expectAvailable(
  circuits: Pick<Circuits, 'waitOf'>,
  account: Account,
  code: ErrorCode = 'PROVIDER_UNAVAILABLE',
): void {
  const waitMs = circuits.waitOf(account);
  if (waitMs === 0) return;
  throw new ApiError(code, { headers: { 'Retry-After': String(Math.ceil(waitMs / 1_000)) }, isByDesign: true });
}
