/** Access to a driver: the driver, staff, and captains of the driver's fleets. */
import { businessOf, userOf, isStaff, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Parts } from '../../core/parts.js';
import { viewerOf } from '../fleets/permissions.js';
import { hasDriver } from './workers.js';

export type ExpectDriverOptions = Parts<'accounts' | 'fleets'>;

const MAX_FLEETS = 1_000;

/** Throws DRIVER_NOT_FOUND for all other callers. */
export function createExpectDriver({ accounts, fleets }: ExpectDriverOptions) {
  return async function expectDriver(caller: Caller, driverId: number): Promise<void> {
    const { userId } = userOf(caller);
    const exists = await hasDriver(accounts, businessOf(caller), driverId);
    if (!exists || !(userId === driverId || isStaff(caller) || (await isCaptained(caller, driverId))))
      throw new ApiError('DRIVER_NOT_FOUND');
  };

  async function isCaptained(caller: Caller, driverId: number): Promise<boolean> {
    const { rows } = await fleets.list({ offset: 0, limit: MAX_FLEETS }, viewerOf(caller));
    return rows.some(({ captains, drivers }) => captains.includes(userOf(caller).userId) && drivers.includes(driverId));
  }
}
