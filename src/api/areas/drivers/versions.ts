/**
 * Versions of a driver and of the driver's profile. Both are parts of one stream, which the work of the driver raises
 * all the time: the version of a part counts the changes of the part alone.
 */
import type { DriverPart } from '../../../commands/drivers/decider.js';
import { driverStream } from '../../../events/drivers/events.js';
import { userOf } from '../../core/callers.js';
import { versionBy, versionOf } from '../../core/versions.js';

const WORK: DriverPart = 'work';
const PROFILE: DriverPart = 'profile';

/** Of capacity and skills. */
export const DRIVER_VERSION = versionBy('driver_id', driverStream, WORK);
export const PROFILE_VERSION = versionBy('driver_id', driverStream, PROFILE);
export const OWN_PROFILE_VERSION = versionOf(
  (_input, caller) => driverStream(userOf(caller).userId),
  () => PROFILE,
);
