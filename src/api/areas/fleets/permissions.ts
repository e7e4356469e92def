/** Permissions on fleets: who may see a fleet, and who may act for it. */
import type { FleetRow } from '../../../projections/fleets/read-model.js';
import type { FleetQueries, FleetViewer } from '../../../projections/fleets/queries.js';
import { businessOf, userOf, isStaff, type Caller } from '../../core/callers.js';

/** Staff see all fleets of the business. Other callers see fleets that they own or lead as captain. */
export function viewerOf(caller: Caller): FleetViewer {
  const business = businessOf(caller);
  return isStaff(caller) ? { business } : { business, userId: userOf(caller).userId };
}

/** Whether the caller acts for a fleet of the business: as its owner (staff or contractor), or as a captain. */
export function actsFor({ contractor_id, captains }: Pick<FleetRow, 'contractor_id' | 'captains'>, caller: Caller) {
  const { userId } = userOf(caller);
  return (contractor_id === null ? isStaff(caller) : contractor_id === userId) || captains.includes(userId);
}

/** More fleets than a business can have. */
const MAX_FLEETS = 1_000;

/**
 * The drivers that the caller may add to a fleet: the caller, and drivers of fleets that the caller acts for. Captains
 * see the drivers of their fleets, so they must not be able to add others by guessing ids. Undefined for staff, who may
 * add every driver of the business. Fleets R11.
 */
export const addableDrivers = (fleets: FleetQueries, caller: Caller): Promise<ReadonlySet<number> | undefined> =>
  membersOfManagedFleets(fleets, caller, ({ drivers }) => drivers);

/**
 * The users whom the caller may name as captains: the caller, and drivers and captains of fleets that the caller acts
 * for. Otherwise the error would show which ids are users of the business. Undefined for staff: they may name every
 * employee, contractor and driver of the business.
 */
export const nameableCaptains = (fleets: FleetQueries, caller: Caller): Promise<ReadonlySet<number> | undefined> =>
  membersOfManagedFleets(fleets, caller, ({ drivers, captains }) => [...drivers, ...captains]);

async function membersOfManagedFleets(
  fleets: FleetQueries,
  caller: Caller,
  membersOf: (fleet: FleetRow) => readonly number[],
): Promise<ReadonlySet<number> | undefined> {
  if (isStaff(caller)) return undefined;
  const { rows } = await fleets.list({ offset: 0, limit: MAX_FLEETS }, viewerOf(caller));
  const managedFleets = rows.filter((fleet) => actsFor(fleet, caller));
  return new Set([userOf(caller).userId, ...managedFleets.flatMap(membersOf)]);
}
