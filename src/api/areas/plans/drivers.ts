/** Who drives on a day, from where, how long, with how much room. */
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { PlanningQueries } from '../../../projections/contractors/queries.js';
import type { FleetQueries } from '../../../projections/fleets/queries.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import type { Stop } from '../../../events/orders/events.js';
import type { PlanningSettings } from '../../../events/planning/events.js';
import type { Position } from '../../../solvers/distances/distances.js';
import { ApiError } from '../../core/errors.js';
import { localDate } from '../../core/local-time.js';
import { positionOf, type DriverOfDay, type PlannerOf, type StandingRoute } from './facts.js';
import { MOST, type CapacityId, type PlanRequest } from './request.js';

export interface DriversOptions {
  readonly planning: PlanningQueries;
  readonly accounts: AccountQueries;
  readonly fleets: FleetQueries;
  readonly warehouses: WarehouseQueries;
  readonly now: () => number;
}

/** In the order of their ids. Throws for who is no driver of the planner's, a fleet that is not there, no start. */
export async function driversOf(
  { accounts, fleets, planning, warehouses, now }: DriversOptions,
  { driver_ids, fleet_ids, mode, end, date }: PlanRequest,
  settings: PlanningSettings,
  { business, brokerId, timezone }: PlannerOf,
  standing: readonly StandingRoute[],
): Promise<{ readonly drivers: DriverOfDay[]; readonly depot: Position }> {
  const start = await warehousePosition(warehouses, business, settings.default_start);
  const back =
    settings.default_end === undefined ? start : await warehousePosition(warehouses, business, settings.default_end);
  const active = (
    await accounts.list({ business, role: 'driver', status: 'active', offset: 0, limit: MOST.resources + 1 })
  ).accounts;
  const inFleets = fleet_ids && new Set(await membersOf(fleets, fleet_ids, { business, brokerId }));
  // A contractor plans the drivers of its own fleets.
  const own =
    brokerId === undefined
      ? undefined
      : new Set(
          (await fleets.list({ offset: 0, limit: 1_000 }, { business, userId: brokerId })).rows.flatMap(
            (one) => one.drivers,
          ),
        );
  const known = new Set(active.map(({ id }) => id).filter((id) => !own || own.has(id)));
  for (const id of driver_ids ?? [])
    if (!known.has(id)) throw new ApiError('UNKNOWN_DRIVER', { params: { driver: id } });
  const onRoute = new Map(standing.map((one) => [one.route.driver_id, one]));
  // Planned anew are the drivers of the routes, unless others are named: somebody was called off.
  const chosen =
    mode === 'build' || (mode === 'reoptimize' && driver_ids)
      ? [...known].filter((id) => (driver_ids?.includes(id) ?? true) && (inFleets?.has(id) ?? true))
      : [...onRoute.keys()];
  const today = date === localDate(now(), timezone) ? Math.ceil(now() / 60_000) * 60 : 0;
  const capacities = await planning.capacities(chosen);
  const drivers = chosen
    .sort((one, other) => one - other)
    .map((driverId) => {
      const there = onRoute.get(driverId);
      const { max_orders, max_weight, max_volume } = capacities.get(driverId) ?? {};
      const capacity: Partial<Record<CapacityId, number>> = {
        ...(max_orders !== undefined && { orders: max_orders }),
        ...(max_weight !== undefined && { weight: max_weight }),
        ...(max_volume !== undefined && { volume: max_volume }),
      };
      return {
        driverId,
        ...(there && { routeId: there.route.id }),
        start: there?.last?.position ?? start,
        notBefore: Math.max(today, there?.last?.leave ?? 0),
        end: end === 'open' ? null : back,
        shift: settings.default_shift,
        capacity,
      };
    });
  return { drivers, depot: start };
}

async function membersOf(
  fleets: FleetQueries,
  ids: readonly number[],
  { business, brokerId }: Pick<PlannerOf, 'business' | 'brokerId'>,
): Promise<number[]> {
  const found = await Promise.all(
    ids.map(async (id) => {
      const fleet = await fleets.byId(id, { business, ...(brokerId !== undefined && { userId: brokerId }) });
      if (!fleet) throw new ApiError('FLEET_NOT_FOUND');
      return fleet.drivers;
    }),
  );
  return found.flat();
}

/** Where a warehouse is: the named one, or the only one of the business. */
async function warehousePosition(
  warehouses: WarehouseQueries,
  business: number,
  named: number | undefined,
): Promise<Position> {
  const all = (await warehouses.list(business, { offset: 0, limit: 2 })).rows;
  const found = named === undefined ? (all.length === 1 ? all[0] : undefined) : await warehouses.byId(named, business);
  const position = positionOf(found?.address as Stop | undefined);
  if (!position) throw new ApiError('NO_START');
  return position;
}
