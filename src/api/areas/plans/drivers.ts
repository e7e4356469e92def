/**
 * Drivers of a day, with places, working times and capacities: from the shifts of the day, else from the default shift.
 */
import type { BoardQueries } from '../../../projections/board/queries.js';
import type { Home, Homes } from '../../../projections/drivers/homes.js';
import type { FleetQueries } from '../../../projections/fleets/queries.js';
import type { SkillQueries } from '../../../projections/skills/queries.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import type { Stop } from '../../../events/orders/events.js';
import type { PlanningSettings } from '../../../events/planning/events.js';
import type { Position } from '../../../solvers/distances/distances.js';
import { ApiError } from '../../core/errors.js';
import { localDate } from '../../../events/core/local-time.js';
import type { Parts } from '../../core/parts.js';
import type { DriverOnDuty, WorkingDay } from '../shifts/working-day.js';
import { positionOf, type DriverOfDay, type Planner, type ExistingRoute } from './planning-data.js';
import { freeHoursOf, busyPeriodsOf } from './free-time.js';
import type { EligibleDrivers } from './eligible-drivers.js';
import { PLAN_LIMITS, type PlanRequest } from './request.js';
import { defaultShiftHours, shiftHours } from './work-hours.js';

export interface DriversOptions extends Parts<'planning' | 'fleets' | 'now'> {
  readonly eligibleDrivers: EligibleDrivers;
  readonly warehouses: WarehouseQueries;
  readonly workingDay: WorkingDay;
  readonly skills: SkillQueries;
  readonly homes: Homes;
  readonly board: Pick<BoardQueries, 'others'>;
}

type Request = PlanRequest & { readonly date: string };

export const tooLarge = () =>
  new ApiError('ENGINE_LIMIT', { params: { limit: `${PLAN_LIMITS.orders} orders, ${PLAN_LIMITS.resources} drivers` } });

/** Sorted by id. Throws for unknown drivers, unknown fleets, and if the start is unknown. */
export async function driversOf(
  options: DriversOptions,
  request: Request,
  settings: PlanningSettings,
  planner: Planner,
  existingRoutes: readonly ExistingRoute[],
): Promise<{ readonly drivers: DriverOfDay[]; readonly depot: Position }> {
  const { planning, warehouses, workingDay, skills, board, now } = options;
  const { business, timezone } = planner;
  const { date } = request;
  const depot = await warehousePosition(warehouses, business, settings.default_start);
  const returnPlace =
    settings.default_end === undefined ? depot : await warehousePosition(warehouses, business, settings.default_end);
  const onRoute = new Map(existingRoutes.map((one) => [one.route.driver_id, one]));
  const candidates = await candidatesOf(options, request, planner, [...onRoute.keys()]);
  const onDuty = await workingDay({ business, date, timezone }, { driverIds: candidates });
  const chosen = resourcesOf(candidates, onDuty, request, onRoute);
  if (chosen.length > PLAN_LIMITS.resources) throw tooLarge();
  const ids = [...new Set(chosen.map(({ driverId }) => driverId))];
  const capacities = await planning.capacities(ids);
  const held = await skills.on(date, ids, business);
  const without = new Set(existingRoutes.map(({ route }) => route.id));
  const busyPeriods = await busyPeriodsOf(board, ids, { date, without });
  const home = await homesOf(options.homes, request, chosen);
  const today = date === localDate(now(), timezone) ? Math.ceil(now() / 60_000) * 60 : 0;
  const drivers = await Promise.all(
    chosen.map(async ({ driverId, duty }): Promise<DriverOfDay> => {
      const existingRoute = onRoute.get(driverId);
      const place = async (kind: 'start' | 'end') =>
        duty?.shift[`${kind}_place`].kind === 'home' ? home(driverId) : placeOf(warehouses, business, duty, kind);
      const end = async (): Promise<Position | null> => {
        if (request.end === 'home') return home(driverId);
        if (request.end === 'open' || duty?.shift.end_place.kind === 'open') return null;
        return (await place('end')) ?? returnPlace;
      };
      const hours = duty ? shiftHours(duty.shift) : defaultShiftHours(settings.default_shift, date, timezone);
      const notBefore = Math.max(today, existingRoute?.last?.leave ?? 0);
      const { max_orders, max_weight, max_volume } = capacities.get(driverId) ?? {};
      const vehicle = duty?.vehicle;
      return {
        driverId,
        ...(existingRoute && { routeId: existingRoute.route.id }),
        ...(existingRoute?.spent && { spent: existingRoute.spent }),
        ...(duty && { shiftId: duty.shift.id, fleetId: duty.shift.fleet_id }),
        ...(vehicle && { vehicleId: vehicle.vehicle_id, speedFactor: vehicle.speed_factor, cost: vehicle.cost }),
        start: existingRoute?.last?.position ?? (await place('start')) ?? depot,
        end: await end(),
        personal: request.end === 'home' || placesOf(duty).some((kind) => kind === 'home' || kind === 'coordinates'),
        notBefore,
        work: freeHoursOf(hours, busyPeriods.get(driverId) ?? [], notBefore),
        // Capacities of the vehicle take precedence over those of the driver.
        capacity: {
          ...withoutUndefined({ orders: max_orders, weight: max_weight, volume: max_volume }),
          ...vehicle?.capacity,
        },
        skills: duty?.skills ?? held.get(driverId) ?? [],
      };
    }),
  );
  return { drivers, depot };
}

/** The drivers that the plan may use. */
async function candidatesOf(
  { eligibleDrivers, fleets }: DriversOptions,
  { driver_ids, fleet_ids, mode }: Request,
  planner: Planner,
  onRoutes: readonly number[],
): Promise<number[]> {
  const inFleets = fleet_ids && new Set(await membersOf(fleets, fleet_ids, planner));
  // The limit applies only to the selected drivers, not to all drivers of the business.
  const eligible = await eligibleDrivers(driver_ids ?? (inFleets && [...inFleets]), planner);
  for (const id of driver_ids ?? [])
    if (!eligible.has(id)) throw new ApiError('UNKNOWN_DRIVER', { params: { driver: id } });
  // `reoptimize` uses the drivers of the routes, unless the request names others, for example to replace a driver.
  const selected =
    mode === 'build' || (mode === 'reoptimize' && driver_ids)
      ? [...eligible].filter((id) => inFleets?.has(id) ?? true)
      : [...onRoutes];
  return selected.sort((one, other) => one - other);
}

/**
 * Returns one entry per shift of that day. Drivers without a shift are included if the request names drivers, or if no
 * driver has a shift.
 */
function resourcesOf(
  candidates: readonly number[],
  onDuty: readonly DriverOnDuty[],
  { mode, driver_ids, vehicle_ids }: Request,
  onRoute: ReadonlyMap<number, ExistingRoute>,
): { readonly driverId: number; readonly duty?: DriverOnDuty }[] {
  const includesUnscheduled = mode !== 'build' || driver_ids !== undefined || onDuty.length === 0;
  const all = candidates.flatMap((driverId): { driverId: number; duty?: DriverOnDuty }[] => {
    const duties = onDuty.filter((duty) => duty.driverId === driverId);
    const existingRoute = onRoute.get(driverId);
    if (duties.length === 0) return includesUnscheduled ? [{ driverId }] : [];
    if (!existingRoute) return duties.map((duty) => ({ driverId, duty }));
    // A route belongs to one shift.
    const begins = new Date((existingRoute.route.planned?.start ?? 0) * 1_000).toISOString();
    return [{ driverId, duty: duties.find(({ shift }) => begins < shift.end_at) ?? duties[0]! }];
  });
  const wanted = vehicle_ids && new Set(vehicle_ids);
  return wanted ? all.filter(({ duty }) => duty?.vehicle && wanted.has(duty.vehicle.vehicle_id)) : all;
}

const placesOf = (duty: DriverOnDuty | undefined) =>
  duty ? [duty.shift.start_place.kind, duty.shift.end_place.kind] : [];

/**
 * Returns a function that finds the home of a driver, and throws NO_HOME if it is unknown. It reads only homes at which
 * a route begins or ends.
 */
async function homesOf(
  homes: Homes,
  { end }: Request,
  chosen: readonly { readonly driverId: number; readonly duty?: DriverOnDuty }[],
): Promise<(driverId: number) => Position> {
  const needingHome = chosen.filter(({ duty }) => end === 'home' || placesOf(duty).includes('home'));
  const homeByDriver =
    needingHome.length === 0
      ? new Map<number, Home>()
      : await homes([...new Set(needingHome.map(({ driverId }) => driverId))]);
  return (driverId) => {
    const position = positionOf({ position: homeByDriver.get(driverId) });
    if (!position) throw new ApiError('NO_HOME', { params: { driver: driverId } });
    return position;
  };
}

/** The place where a shift begins or ends; undefined if the shift has none, or if the position is unknown. */
async function placeOf(
  warehouses: WarehouseQueries,
  business: number,
  duty: DriverOnDuty | undefined,
  end: 'start' | 'end',
): Promise<Position | undefined> {
  if (!duty) return undefined;
  const { kind, warehouse_id } = duty.shift[`${end}_place`];
  if (kind !== 'warehouse') return positionOf({ position: duty.shift[`${end}_position`] });
  const found = warehouse_id === undefined ? undefined : await warehouses.byId(warehouse_id, business);
  return positionOf(found?.address as Stop | undefined);
}

const withoutUndefined = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [M in keyof T]?: NonNullable<T[M]>;
  };

async function membersOf(
  fleets: FleetQueries,
  ids: readonly number[],
  { business, brokerId }: Pick<Planner, 'business' | 'brokerId'>,
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

/** The position of the given warehouse, or of the only one of the business. */
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
