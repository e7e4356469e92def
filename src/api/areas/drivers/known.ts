/** Access to a driver: the driver, staff, and captains of the driver's fleets. */
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Parts } from '../../core/parts.js';
import { isOffice, viewerOf } from '../fleets/rights.js';
import { hasDriver } from './workers.js';

export type KnownOptions = Parts<'accounts' | 'fleets'>;

const MOST_FLEETS = 1_000;

/** Throws DRIVER_NOT_FOUND for all other callers. */
export function createNeedDriver({ accounts, fleets }: KnownOptions) {
  return async function need(caller: Caller, driverId: number): Promise<void> {
    const { userId } = userOf(caller);
    const isThere = await hasDriver(accounts, businessOf(caller), driverId);
    if (!isThere || !(userId === driverId || isOffice(caller) || (await isCaptained(caller, driverId))))
      throw new ApiError('DRIVER_NOT_FOUND');
  };

  async function isCaptained(caller: Caller, driverId: number): Promise<boolean> {
    const { rows } = await fleets.list({ offset: 0, limit: MOST_FLEETS }, viewerOf(caller));
    return rows.some(({ captains, drivers }) => captains.includes(userOf(caller).userId) && drivers.includes(driverId));
  }
}
