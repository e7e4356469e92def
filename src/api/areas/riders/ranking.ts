/** Ranks riders for offers: the nearest first; a rider who declined recently moves down one place. */
import type { NearRider } from '../../../projections/riders/queries.js';
import type { Candidate } from '../../../commands/riders/decider.js';

/** A declined offer counts for this long. */
const DECLINE_PENALTY_MS = 600_000;
const EARTH_RADIUS_M = 6_371_008.8;
const RADIANS_PER_DEGREE = Math.PI / 180;

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Great-circle distance, in metres. */
export function metresBetween(from: Place, to: Place): number {
  const north = Math.sin(((to.latitude - from.latitude) * RADIANS_PER_DEGREE) / 2);
  const east = Math.sin(((to.longitude - from.longitude) * RADIANS_PER_DEGREE) / 2);
  const share =
    north ** 2 + Math.cos(from.latitude * RADIANS_PER_DEGREE) * Math.cos(to.latitude * RADIANS_PER_DEGREE) * east ** 2;
  return Math.round(2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(share))));
}

/** `now`: milliseconds since 1970. A recent decline moves a rider down by at most one place. */
export function rank(riders: readonly NearRider[], pickup: Place, now: number): Candidate[] {
  const found = riders
    .map((rider) => ({ rider, distance_m: metresBetween(rider, pickup) }))
    .filter(({ rider, distance_m }) => distance_m <= (rider.instant?.radius_m ?? Infinity))
    .sort((a, b) => a.distance_m - b.distance_m || a.rider.id - b.rider.id);
  const declined = ({ rider: { declined_at } }: (typeof found)[number]) =>
    declined_at !== null && Date.parse(declined_at) > now - DECLINE_PENALTY_MS;
  for (let at = 0; at + 1 < found.length; at++)
    if (declined(found[at]!) && !declined(found[at + 1]!)) {
      [found[at], found[at + 1]] = [found[at + 1]!, found[at]!];
      at++;
    }
  return found.map(({ rider: { id: riderId }, distance_m }) => ({ riderId, distance_m }));
}
