/** Converts a driver's day in a vehicle to a resource of the solver: places, times, capacities, speed and prices. */
import { thousandthsOf } from './stored-settings.js';
import type { Vehicle } from '../../../events/fleets/events.js';
import type { PlanningSettings } from '../../../events/planning/events.js';
import type { Resource } from '../../../solvers/routes/problem.js';
import { USUAL_SPEED } from '../../../solvers/routes/vehicle.js';
import { weightsOf, type Prices } from '../../../solvers/routes/weights.js';
import { isKnown, NO_LIMIT, ownUnits, perUnitOf, type CapacityId } from './capacities.js';
import type { DriverOfDay } from './facts.js';
import type { Places, Skills } from './numbers.js';
import type { PlanRequest } from './request.js';
import { carriedOf, leftOf } from './under-way.js';

/** In thousandths of the currency: larger costs would not be exact numbers. */
const DEAREST = 100_000_000;

export function resourceOf(
  { start, end, work, capacity, spent, notBefore = 0, speedFactor = 1, cost = {}, skills: can = [] }: DriverOfDay,
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
    readonly places: Places;
    readonly capacities: readonly CapacityId[];
    readonly skills: Skills;
    readonly origin: number;
    readonly driveBreak: PlanningSettings['default_shift']['drive_break'];
  },
): Resource {
  const { max_route_minutes, max_route_km, max_stops } = request;
  const speed = Math.round(speedFactor * USUAL_SPEED);
  // If the plan does not minimize cost, all vehicles have the same weights.
  const costsItsOwn = request.minimize === 'cost' && Object.values(cost).some((price) => price !== undefined);
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
    capacity: limits.map((limit, type) => leftOf(limit, carried[type]!)),
    skills: can.map((code) => skills.of(code)),
    ...(max_route_minutes !== undefined && !spent && { maxDuration: max_route_minutes * 60 }),
    ...(max_route_km !== undefined && { maxDistance: leftOf(Math.round(max_route_km * 1_000), spent?.metres ?? 0) }),
    ...(max_stops !== undefined && { maxStops: leftOf(max_stops, spent?.stops ?? 0) }),
    ...(speed !== USUAL_SPEED && { speed }),
    ...(costsItsOwn && { weights: weightsOf('cost', ownPrices(cost, prices)) }),
  };
}

/** Capacities of the empty vehicle, in units. */
export const capacitiesOf = (capacity: DriverOfDay['capacity'], capacities: readonly CapacityId[]): number[] =>
  capacities.map((id) => Math.min(NO_LIMIT, roomFor(id, capacity) ?? NO_LIMIT));

/** In units of the capacity; undefined: no limit is known. */
function roomFor(id: CapacityId, capacity: DriverOfDay['capacity']): number | undefined {
  if (!isKnown(id)) return ownUnits(id, capacity.custom);
  const limit = capacity[id];
  return limit === undefined ? undefined : Math.floor(limit * perUnitOf(id));
}

/**
 * Prices of the vehicle take precedence over general prices. They are in hundredths, and are converted to thousandths.
 */
function ownPrices({ per_route, per_km, per_hour }: Vehicle['cost'], usual: Prices): Prices {
  const price = (own: number | undefined, otherwise: number): number =>
    own === undefined ? otherwise : Math.min(DEAREST, own * 10);
  return {
    perRoute: price(per_route, usual.perRoute),
    perKm: price(per_km, usual.perKm),
    perHour: price(per_hour, usual.perHour),
  };
}

/** Prices of the request take precedence over the settings. */
export function pricesOf({ weights }: PlanRequest, { weights: usual }: PlanningSettings): Prices {
  const price = (name: 'per_route' | 'per_km' | 'per_hour') =>
    weights?.[name] === undefined ? usual[name] : thousandthsOf(weights[name]);
  return { perRoute: price('per_route'), perKm: price('per_km'), perHour: price('per_hour') };
}
