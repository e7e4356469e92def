/** Visibility of posted routes: staff see all; captains, contractors and drivers see routes posted to their fleets. */
import type { FleetQueries } from '../../../projections/fleets/queries.js';
import type { BoardViewer } from '../../../projections/board/queries.js';
import { businessOf, userOf, isStaff, type Caller } from '../../core/callers.js';

/** More fleets than a business can have. */
const MAX_FLEETS = 1_000;

export interface BoardView {
  readonly viewer: BoardViewer;
  /** User id of the caller with the role of a driver; undefined for other roles. */
  readonly driverId: number | undefined;
  /** Drivers whose ids the caller may see; undefined: all. Fleets R11. */
  readonly known: ReadonlySet<number> | undefined;
}

export async function boardViewOf(fleets: FleetQueries, caller: Caller): Promise<BoardView> {
  const business = businessOf(caller);
  const { userId, role } = userOf(caller);
  if (isStaff(caller)) return { viewer: { business }, driverId: undefined, known: undefined };
  const all = (await fleets.list({ offset: 0, limit: MAX_FLEETS }, { business })).rows;
  const captained = all.filter(({ captains, contractor_id }) => captains.includes(userId) || contractor_id === userId);
  const driverFleets = role === 'driver' ? all.filter(({ drivers }) => drivers.includes(userId)) : [];
  const fleetIds = [...new Set([...captained, ...driverFleets].map(({ id }) => id))];
  const driverId = role === 'driver' ? userId : undefined;
  const known = new Set(driverId === undefined ? captained.flatMap(({ drivers }) => drivers) : [driverId]);
  return { viewer: { business, fleetIds }, driverId, known };
}
