/** Who sees a fleet, and who acts for it. */
import type { FleetRow } from '../../../projections/fleets/read-model.js';
import type { FleetQueries, FleetViewer } from '../../../projections/fleets/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';

const OFFICE: readonly string[] = ['client_admin', 'employee', 'auditor'];
export const isOffice = (caller: Caller): boolean => OFFICE.includes(userOf(caller).role);

/** Offices see all fleets of the business; everybody else those that are theirs or that they are captain of. */
export function viewerOf(caller: Caller): FleetViewer {
  const business = businessOf(caller);
  return isOffice(caller) ? { business } : { business, userId: userOf(caller).userId };
}

/** Whether the caller acts for a fleet of the business: its owner's side, or a captain. */
export function actsFor({ contractor_id, captains }: Pick<FleetRow, 'contractor_id' | 'captains'>, caller: Caller) {
  const { userId } = userOf(caller);
  return (contractor_id === null ? isOffice(caller) : contractor_id === userId) || captains.includes(userId);
}

/** A business has fewer fleets. */
const MOST_FLEETS = 1_000;

/**
 * The drivers whom the caller may put into a fleet: those of fleets it acts for, and itself. Who is in a fleet is known
 * to its captains, so nobody may bring others in by their ids. Undefined: any of the business, for offices. Fleets R11.
 */
export async function addableDrivers(fleets: FleetQueries, caller: Caller): Promise<ReadonlySet<number> | undefined> {
  if (isOffice(caller)) return undefined;
  const { rows } = await fleets.list({ offset: 0, limit: MOST_FLEETS }, viewerOf(caller));
  const own = rows.filter((fleet) => actsFor(fleet, caller));
  return new Set([userOf(caller).userId, ...own.flatMap(({ drivers }) => drivers)]);
}
