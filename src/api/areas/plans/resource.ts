/** Converts a driver's day in a vehicle to a resource of the solver: places, times, capacities, speed and prices. */
import { thousandthsOf } from './settings-conversion.js';
import type { Vehicle } from '../../../events/fleets/events.js';
import type { PlanningSettings } from '../../../events/planning/events.js';
import type { Resource } from '../../../solvers/routes/problem.js';
import { USUAL_SPEED } from '../../../solvers/routes/vehicle.js';
import { weightsOf, type Prices } from '../../../solvers/routes/weights.js';
import { isStandard, NO_LIMIT, customUnits, perUnitOf, type CapacityId } from './capacities.js';
import type { DriverOfDay } from './planning-data.js';
import type { PlaceNumbers, SkillNumbers } from './solver-numbers.js';
import type { PlanRequest } from './request.js';
import { carriedOf, remainingOf } from './used-limits.js';

/** Maximum price in thousandths of the currency. Larger costs could not be represented exactly. */
const MAX_PRICE = 100_000_000;

export function resourceOf(
  {
    start,
    end,
    work,
    capacity,
    spent,
    notBefore = 0,
    speedFactor = 1,
    cost = {},
    skills: skillCodes = [],
  }: DriverOfDay,
  {
    request,
    prices,
    places,
    capacities,
    skills,
    origin,
    driveBreak,
  }: {
    readonly request: PlanRequest;
    readonly prices: Prices;
    readonly places: PlaceNumbers;
    readonly capacities: readonly CapacityId[];
    readonly skills: SkillNumbers;
    readonly origin: number;
    readonly driveBreak: PlanningSettings['default_shift']['drive_break'];
  },
): Resource {
  const { max_route_minutes, max_route_km, max_stops } = request;
  const speed = Math.round(speedFactor * USUAL_SPEED);
  // If the plan does not minimize cost, all vehicles have the same weights.
  const hasVehiclePrices = request.minimize === 'cost' && Object.values(cost).some((price) => price !== undefined);
  // A shift that began before the planned day counts only from the start of the day.
  const begins = Math.max(0, work.start - origin, notBefore - origin);
  const limits = capacitiesOf(capacity, capacities);
  const carried = spent ? carriedOf(spent, capacities) : limits.map(() => 0);
  // The time limit of a route that is under way counts from its start.
  const latest = spent && max_route_minutes !== undefined ? spent.began + max_route_minutes * 60 : Infinity;
  return {
    start: places.of(start),
    end: end && places.of(end),
    shift: [begins, Math.max(begins, Math.min(work.end, latest) - origin)],
    breaks: work.breaks.map(({ duration, earliest, latest }) => ({
      duration,
      earliest: earliest - origin,
      latest: latest - origin,
    })),
    ...(driveBreak && { driveBreak: { after: driveBreak.after_s, duration: driveBreak.duration_s } }),
    capacity: limits.map((limit, type) => remainingOf(limit, carried[type]!)),
    skills: skillCodes.map((code) => skills.of(code)),
    ...(max_route_minutes !== undefined && !spent && { maxDuration: max_route_minutes * 60 }),
    ...(max_route_km !== undefined && {
      maxDistance: remainingOf(Math.round(max_route_km * 1_000), spent?.metres ?? 0),
    }),
    ...(max_stops !== undefined && { maxStops: remainingOf(max_stops, spent?.stops ?? 0) }),
    ...(speed !== USUAL_SPEED && { speed }),
    ...(hasVehiclePrices && { weights: weightsOf('cost', vehiclePrices(cost, prices)) }),
  };
}

/** Capacities of the empty vehicle, in units. */
export const capacitiesOf = (capacity: DriverOfDay['capacity'], capacities: readonly CapacityId[]): number[] =>
  capacities.map((id) => Math.min(NO_LIMIT, capacityLimitOf(id, capacity) ?? NO_LIMIT));

/** In units of the capacity; undefined: no limit is known. */
function capacityLimitOf(id: CapacityId, capacity: DriverOfDay['capacity']): number | undefined {
  if (!isStandard(id)) return customUnits(id, capacity.custom);
  const limit = capacity[id];
  return limit === undefined ? undefined : Math.floor(limit * perUnitOf(id));
}

/**
 * Prices of the vehicle take precedence over general prices. They are in hundredths, and are converted to thousandths.
 */
function vehiclePrices({ per_route, per_km, per_hour }: Vehicle['cost'], defaults: Prices): Prices {
  const price = (own: number | undefined, fallback: number): number =>
    own === undefined ? fallback : Math.min(MAX_PRICE, own * 10);
  return {
    perRoute: price(per_route, defaults.perRoute),
    perKm: price(per_km, defaults.perKm),
    perHour: price(per_hour, defaults.perHour),
  };
}

/** Prices of the request take precedence over the settings. */
export function pricesOf({ weights }: PlanRequest, { weights: defaults }: PlanningSettings): Prices {
  const price = (name: 'per_route' | 'per_km' | 'per_hour') =>
    weights?.[name] === undefined ? defaults[name] : thousandthsOf(weights[name]);
  return { perRoute: price('per_route'), perKm: price('per_km'), perHour: price('per_hour') };
}
