/** Converts the facts to a problem of the solver: pure, integers only, without names of persons. */
import type { PlanningSettings } from '../../../events/planning/events.js';
import type { OrderPlanning } from '../../../events/orders/events.js';
import type { Position } from '../../../solvers/distances/distances.js';
import type { Order, Problem, Resource, Route, Visit, Window } from '../../../solvers/routes/problem.js';
import { weightsOf } from '../../../solvers/routes/weights.js';
import { allCapacities, inOrder, isStandard, customUnits, type CapacityId } from './capacities.js';
import { clockAt, dayBegins } from '../../../events/core/wall-clock.js';
import type { Lock, PlannedStop } from '../../../events/routes/events.js';
import { sizesOf, STOPS_OF, type DriverOfDay, type OrderOfDay } from './planning-data.js';
import { PlaceNumbers, SkillNumbers } from './solver-numbers.js';
import type { MatrixId, PlanRequest } from './request.js';
import { capacitiesOf, pricesOf, resourceOf } from './resource.js';
import { usedLimitsOf, type UsedLimits } from './used-limits.js';

/** Priority of an order without an explicit one. */
const DEFAULT_PRIORITY = 5;
/** Orders whose goods are already with a driver have the highest priority. */
const IN_HAND_PRIORITY = 10;

export interface PlanInput {
  readonly date: string;
  readonly timezone: string;
  readonly request: PlanRequest;
  readonly settings: PlanningSettings;
  readonly orders: readonly OrderOfDay[];
  readonly drivers: readonly DriverOfDay[];
  /** Completed stops by route. */
  readonly done: ReadonlyMap<number, readonly PlannedStop[]>;
}

/** The problem, and the meaning of its numbers. It is stored, so that the plan can be replayed. */
export interface PlanProblem {
  readonly problem: Problem;
  /** Start of the problem's time, in epoch seconds. */
  readonly origin: number;
  readonly positions: readonly Position[];
  readonly capacities: readonly CapacityId[];
  readonly orders: readonly number[];
  readonly resources: readonly {
    readonly driver_id: number;
    readonly vehicle_id?: string;
    readonly route_id?: number;
    readonly shift_id?: number;
    readonly fleet_id?: number;
  }[];
  /** By order: the reason why it keeps its driver, or its position. */
  readonly locks: readonly (Lock | null)[];
  /** By resource: completed stops of its route. */
  readonly done: readonly (readonly PlannedStop[])[];
  /** The existing stops, in their current sequence. */
  readonly before: readonly Route[];
  /** Routes that are under way; absent: none. */
  readonly spent?: readonly UsedLimits[];
  /** Length of the windows that are announced to recipients. */
  readonly etaSeconds: number;
  /** Source of distances and durations. */
  readonly matrix: MatrixId;
  readonly roadFactorPercent: number;
  readonly speeds: PlanningSettings['speeds'];
  /** In percent. */
  readonly trafficPercent: number;
}

export function problemOf({ date, timezone, request, settings, orders, drivers, done }: PlanInput): PlanProblem {
  const places = new PlaceNumbers();
  const toSeconds = (clock: string): number => clockAt(date, clock, timezone);
  const capacities = inOrder(request.capacity_types ?? allCapacities(settings).map(({ id }) => id));
  const skills = new SkillNumbers();
  const origin = dayBegins(date, timezone);
  const prices = pricesOf(request, settings);
  const driveBreak = request.drive_break ?? settings.default_shift.drive_break;
  const resources = drivers.map((driver): Resource =>
    resourceOf(driver, { request, prices, places, capacities, skills, origin, driveBreak }),
  );
  const overrides = new Map(request.orders?.map((one) => [one.order_id, one]));
  const day: Window = [
    Math.min(...resources.map(({ shift }) => shift[0])),
    Math.max(...resources.map(({ shift }) => shift[1])),
  ];

  const indexOf = new Map(drivers.map(({ driverId }, index) => [driverId, index]));

  const planned = orders.map(
    ({ order, orderId, at: stopPositions, driverId, inHand, place, ranked, warehouse }): Order => {
      const { time_windows, ...override } = overrides.get(orderId) ?? {};
      const requirements: OrderPlanning = { ...order.planning, ...withoutUndefined(override) };
      const { service_time_s, priority = DEFAULT_PRIORITY, required_skills = [], custom_sizes } = requirements;
      const service =
        service_time_s ?? settings.default_service_s + settings.per_further_package_s * (order.packages.length - 1);
      const stops = STOPS_OF[order.type].filter((kind) => !(inHand && kind === 'pickup' && order.type === 'P2P'));
      const visit = (kind: 'pickup' | 'delivery'): Visit => ({
        place: places.of(stopPositions[kind]!),
        service,
        windows: windowsOf(
          (time_windows ?? order.time_windows).filter(({ stop }) => stop === kind),
          toSeconds,
          day,
        ),
        ...(ranked && place && { rank: place[kind] }),
      });
      const sizes = sizesOf(order);
      const resource = driverId === undefined ? undefined : indexOf.get(driverId);
      return {
        ...(stops.includes('pickup') && { pickup: visit('pickup') }),
        ...(stops.includes('delivery') && { delivery: visit('delivery') }),
        size: capacities.map((id) => (isStandard(id) ? sizes[id] : (customUnits(id, custom_sizes) ?? 0))),
        skills: required_skills.map((code) => skills.of(code)),
        priority: inHand ? IN_HAND_PRIORITY : priority,
        ...(resource !== undefined && { resource }),
        ...(warehouse && { warehouse: places.of(warehouse) }),
      };
    },
  );

  const spent = drivers.flatMap((driver, resource) => {
    const capacity = capacitiesOf(driver.capacity, capacities);
    return driver.spent ? [usedLimitsOf(resource, driver.spent, { request, capacities, capacity, origin })] : [];
  });
  const { balance } = request;
  return {
    problem: {
      places: places.all.length,
      capacities: capacities.length,
      orders: planned,
      resources,
      weights: weightsOf(request.minimize, prices),
      ...(balance &&
        balance.mode !== 'none' && {
          balance: { mode: balance.mode, strength: Math.round(balance.strength * 1_000), useAll: balance.use_all },
        }),
    },
    origin,
    positions: places.all,
    capacities,
    orders: orders.map(({ orderId }) => orderId),
    resources: drivers.map(({ driverId, vehicleId, routeId, shiftId, fleetId }) => ({
      driver_id: driverId,
      ...(vehicleId !== undefined && { vehicle_id: vehicleId }),
      ...(routeId !== undefined && { route_id: routeId }),
      ...(shiftId !== undefined && { shift_id: shiftId }),
      ...(fleetId !== undefined && { fleet_id: fleetId }),
    })),
    locks: orders.map(({ lock }) => lock ?? null),
    done: drivers.map(({ routeId }) => (routeId === undefined ? [] : (done.get(routeId) ?? []))),
    before: existingSequence(orders, drivers, planned),
    ...(spent.length > 0 && { spent }),
    etaSeconds: (request.eta_window_minutes ?? settings.eta_window_minutes) * 60,
    matrix: request.matrix ?? settings.matrix ?? 'haversine',
    roadFactorPercent: settings.road_factor_percent,
    speeds: settings.speeds,
    trafficPercent: Math.round(request.traffic_factor * 100),
  };
}

/** The existing routes; orders without a route are unassigned. */
function existingSequence(
  orders: readonly OrderOfDay[],
  drivers: readonly DriverOfDay[],
  planned: readonly Order[],
): Route[] {
  return drivers.flatMap(({ routeId }, resource) => {
    if (routeId === undefined) return [];
    const stops = orders.flatMap(({ routeId: on, place }, order) =>
      on !== routeId || !place
        ? []
        : ([0, 1] as const).flatMap((kind) => {
            const name = kind === 0 ? ('pickup' as const) : ('delivery' as const);
            return planned[order]![name] ? [{ at: place[name], stop: [order, kind] as const }] : [];
          }),
    );
    const sequence = stops.sort((one, other) => one.at - other.at).map(({ stop }) => stop);
    return sequence.length === 0 ? [] : [{ resource, stops: sequence }];
  });
}

/** Members that are not undefined. */
const withoutUndefined = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

/** Sorts the windows and merges overlapping ones. Without windows, the whole working day counts. */
function windowsOf(
  input: readonly { readonly from: string; readonly to: string }[],
  at: (clock: string) => number,
  day: Window,
): Window[] {
  if (input.length === 0) return [day];
  const sorted = input
    .map(({ from, to }): [number, number] => [at(from), Math.max(at(from), at(to))])
    .sort(([one], [other]) => one - other);
  const merged: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
