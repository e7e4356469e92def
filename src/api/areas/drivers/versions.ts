/**
 * Versions of a driver and of the driver's profile. Both are parts of one stream, to which the driver's work constantly
 * adds events. The version of a part therefore changes only with events of this part.
 */
import type { DriverPart } from '../../../commands/drivers/decider.js';
import { driverStream } from '../../../events/drivers/events.js';
import { userOf } from '../../core/callers.js';
import { versionBy, versionOf } from '../../core/versions.js';

const WORK: DriverPart = 'work';
const PROFILE: DriverPart = 'profile';

/** Version of the driver's capacity and skills. */
export const DRIVER_VERSION = versionBy('driver_id', driverStream, WORK);
export const PROFILE_VERSION = versionBy('driver_id', driverStream, PROFILE);
export const OWN_PROFILE_VERSION = versionOf(
  (_input, caller) => driverStream(userOf(caller).userId),
  () => PROFILE,
);
