/**
 * Limits for refused scans that the office must settle one by one. Without them, one driver could fill the list of the
 * office, and the disk, with contradictory scans. Scans that apply are never limited.
 */
import { userOf, type Caller } from './callers.js';
import { ApiError } from './errors.js';

/** Maximum number of unsettled scans of all drivers of a business, received in the last `OPEN_SCAN_DAYS` days. */
export const MAX_OPEN_SCANS = 2_000;
/** Maximum number of unsettled scans of one driver: a quarter. */
export const MAX_OPEN_SCANS_OF_DRIVER = MAX_OPEN_SCANS / 4;
/** Unsettled scans that each driver may have, whatever other drivers of the business have. */
export const MIN_OPEN_SCANS_OF_DRIVER = 25;
export const OPEN_SCAN_DAYS = 7;
/** The office has to settle scans first. */
const RETRY_SECONDS = 60;

/** Numbers of unsettled scans: of one driver, and of all drivers of the business in the last `OPEN_SCAN_DAYS` days. */
export interface OpenScans {
  readonly own: number;
  readonly all: number;
}

/** Whether the caller is limited: staff settle the scans themselves. */
export const isLimitedReporter = (caller: Caller): boolean => userOf(caller).role === 'driver';

/** The number of the driver's scans beyond the limits. */
export const excessOf = ({ own, all }: OpenScans): number =>
  Math.max(0, own - MAX_OPEN_SCANS_OF_DRIVER, Math.min(all - MAX_OPEN_SCANS, own - MIN_OPEN_SCANS_OF_DRIVER));

export const OPEN_SCAN_PARAMS = { max: MAX_OPEN_SCANS_OF_DRIVER, all: MAX_OPEN_SCANS } as const;

export const tooManyOpenScans = (): ApiError =>
  new ApiError('TOO_MANY_OPEN_SCANS', { params: OPEN_SCAN_PARAMS, headers: { 'Retry-After': String(RETRY_SECONDS) } });
