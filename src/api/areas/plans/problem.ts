/** From what is known to a problem of the solver: pure, integers only, and nobody's name in it. */
import type { PlanningSettings } from '../../../events/planning/events.js';
import type { Position } from '../../../solvers/distances/distances.js';
import type { Order, Problem, Resource, Visit, Window } from '../../../solvers/routes/problem.js';
import { weightsOf } from '../../../solvers/routes/weights.js';
import { clockAt, dayBegins } from './clock.js';
import { sizesOf, STOPS_OF, type DriverOfDay, type OrderOfDay } from './facts.js';
import { CAPACITIES, type CapacityId, type PlanRequest } from './request.js';

/** Where nothing is said, more than any load. */
const NO_LIMIT = 100_000_000;
/** Of an order that nobody gave another one. */
const PRIORITY = 5;
/** Goods in somebody's hands stay on a route before all others. */
const IN_HAND = 10;

export interface PlanInput {
  readonly date: string;
  readonly timezone: string;
  readonly request: PlanRequest;
  readonly settings: PlanningSettings;
  readonly orders: readonly OrderOfDay[];
  readonly drivers: readonly DriverOfDay[];
}

/** The problem, and what its numbers mean. It is kept, so that the plan can be made again. */
export interface PlanProblem {
  readonly problem: Problem;
  /** Epoch seconds at which its times begin. */
  readonly origin: number;
  readonly positions: readonly Position[];
  readonly capacities: readonly CapacityId[];
  readonly orders: readonly number[];
  readonly resources: readonly {
    readonly driver_id: number;
    readonly vehicle_id?: string;
    readonly route_id?: number;
  }[];
  readonly roadFactorPercent: number;
  readonly speeds: PlanningSettings['speeds'];
  /** In hundredths. */
  readonly trafficPercent: number;
}

export function problemOf({ date, timezone, request, settings, orders, drivers }: PlanInput): PlanProblem {
  const places = new Places();
  const at = (clock: string): number => clockAt(date, clock, timezone);
  const capacities = CAPACITIES.filter(({ id }) => request.capacity_types.includes(id));
  const resources = drivers.map((driver): Resource => resourceOf(driver, { request, places, at, capacities }));
  const overrides = new Map(request.orders?.map((one) => [one.order_id, one]));
  const day: Window = [
    Math.min(...resources.map(({ shift }) => shift[0])),
    Math.max(...resources.map(({ shift }) => shift[1])),
  ];

  const planned = orders.map(({ order, orderId, at: where, driverId, inHand, rank }): Order => {
    const { service_time_s, priority = PRIORITY, time_windows } = overrides.get(orderId) ?? {};
    const service =
      service_time_s ?? settings.default_service_s + settings.per_further_package_s * (order.packages.length - 1);
    const stops = STOPS_OF[order.type].filter((kind) => !(inHand && kind === 'pickup' && order.type === 'P2P'));
    const visit = (kind: 'pickup' | 'delivery'): Visit => ({
      place: places.of(where[kind]!),
      service,
      windows: windowsOf(
        (time_windows ?? order.time_windows).filter(({ stop }) => stop === kind),
        at,
        day,
      ),
      ...(rank?.[kind] !== undefined && { rank: rank[kind] }),
    });
    const sizes = sizesOf(order);
    const resource = driverId === undefined ? -1 : drivers.findIndex((driver) => driver.driverId === driverId);
    return {
      ...(stops.includes('pickup') && { pickup: visit('pickup') }),
      ...(stops.includes('delivery') && { delivery: visit('delivery') }),
      size: capacities.map(({ id }) => sizes[id]),
      skills: [],
      priority: inHand ? IN_HAND : priority,
      ...(resource >= 0 && { resource }),
    };
  });

  const { balance } = request;
  return {
    problem: {
      places: places.all.length,
      capacities: capacities.length,
      orders: planned,
      resources,
      weights: weightsOf(request.minimize, pricesOf(request, settings)),
      ...(balance &&
        balance.mode !== 'none' && {
          balance: { mode: balance.mode, strength: Math.round(balance.strength * 1_000), useAll: balance.use_all },
        }),
    },
    origin: dayBegins(date, timezone),
    positions: places.all,
    capacities: capacities.map(({ id }) => id),
    orders: orders.map(({ orderId }) => orderId),
    resources: drivers.map(({ driverId, vehicleId, routeId }) => ({
      driver_id: driverId,
      ...(vehicleId !== undefined && { vehicle_id: vehicleId }),
      ...(routeId !== undefined && { route_id: routeId }),
    })),
    roadFactorPercent: settings.road_factor_percent,
    speeds: settings.speeds,
    trafficPercent: Math.round(request.traffic_factor * 100),
  };
}

class Places {
  readonly all: Position[] = [];
  private readonly known = new Map<string, number>();

  /** The number of a place; the same for the same position. */
  of(position: Position): number {
    const key = `${position.latitude} ${position.longitude}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.known.set(key, this.all.length);
    return this.all.push(position) - 1;
  }
}

function resourceOf(
  { start, end, shift, capacity }: DriverOfDay,
  {
    request,
    places,
    at,
    capacities,
  }: {
    readonly request: PlanRequest;
    readonly places: Places;
    readonly at: (clock: string) => number;
    readonly capacities: readonly (typeof CAPACITIES)[number][];
  },
): Resource {
  const { max_route_minutes, max_route_km, max_stops } = request;
  return {
    start: places.of(start),
    end: end && places.of(end),
    shift: [at(shift.start), Math.max(at(shift.start), at(shift.end))],
    breaks: shift.breaks.map(({ duration_s, earliest, latest }) => ({
      duration: duration_s,
      earliest: at(earliest),
      latest: at(latest),
    })),
    capacity: capacities.map(({ id, perUnit }) => {
      const limit = capacity[id];
      return limit === undefined ? NO_LIMIT : Math.min(NO_LIMIT, Math.floor(limit * perUnit));
    }),
    skills: [],
    ...(max_route_minutes !== undefined && { maxDuration: max_route_minutes * 60 }),
    ...(max_route_km !== undefined && { maxDistance: Math.round(max_route_km * 1_000) }),
    ...(max_stops !== undefined && { maxStops: max_stops }),
  };
}

/** Sorted, and one where they touch; where none is given, the whole working day. */
function windowsOf(
  given: readonly { readonly from: string; readonly to: string }[],
  at: (clock: string) => number,
  day: Window,
): Window[] {
  if (given.length === 0) return [day];
  const sorted = given
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

/** Decimal text of the currency in thousandths. */
const milli = (text: string): number => Math.round(Number(text) * 1_000);

function pricesOf({ weights }: PlanRequest, { weights: usual }: PlanningSettings) {
  const price = (name: 'per_route' | 'per_km' | 'per_hour') =>
    weights?.[name] === undefined ? usual[name] : milli(weights[name]);
  return { perRoute: price('per_route'), perKm: price('per_km'), perHour: price('per_hour') };
}
