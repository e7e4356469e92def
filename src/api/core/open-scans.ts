/**
 * Limits for scans that the office must settle one by one. Without them, one driver could fill the list of the office,
 * and the disk, with contradictory scans.
 */
import { userOf, type Caller } from './callers.js';
import { ApiError } from './errors.js';

/** Maximum number of unsettled scans of a business. Beyond it, scans of its drivers are refused. */
export const MAX_OPEN_SCANS = 2_000;
/** Maximum number of unsettled scans of one driver: a quarter. */
export const MAX_OPEN_SCANS_OF_DRIVER = MAX_OPEN_SCANS / 4;
/** The office has to settle scans first. */
const RETRY_SECONDS = 60;

/** Numbers of unsettled scans: of one user, and of the whole business. */
export interface OpenScans {
  readonly own: number;
  readonly all: number;
}

/** Whether the caller is limited: staff settle the scans themselves. */
export const isLimitedReporter = (caller: Caller): boolean => userOf(caller).role === 'driver';

export const isFull = ({ own, all }: OpenScans): boolean => own > MAX_OPEN_SCANS_OF_DRIVER || all > MAX_OPEN_SCANS;

export const tooManyOpenScans = (): ApiError =>
  new ApiError('TOO_MANY_OPEN_SCANS', {
    params: { max: MAX_OPEN_SCANS_OF_DRIVER, all: MAX_OPEN_SCANS },
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });
