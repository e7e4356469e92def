/**
 * Circles on the earth. Sine and cosine are series of the four basic operations, because `Math.sin` and `Math.cos` may
 * differ between engines, and a price must be the same on every machine.
 */
import type { Position } from '../../events/pricing/values.js';

/** Mean radius of the earth in kilometres (IUGG). */
const RADIUS_KM = 6_371.0088;
const PI = 3.141592653589793;

/** Sine of an angle from -180 to 180 degrees, to about 1e-15. */
export function sine(degrees: number): number {
  const reduced = degrees > 90 ? 180 - degrees : degrees < -90 ? -180 - degrees : degrees;
  const angle = (reduced * PI) / 180;
  const square = angle * angle;
  let term = angle;
  let sum = angle;
  for (let power = 3; power <= 21; power += 2) {
    term *= -square / (power * (power - 1));
    sum += term;
  }
  return sum;
}

/** Cosine of a latitude. */
const cosine = (latitude: number): number => sine(90 - latitude);

/** Whether the great-circle distance of two positions is at most this many kilometres. */
export function isWithin(km: number, center: Position, position: Position): boolean {
  const angle = ((km / RADIUS_KM / 2) * 180) / PI;
  if (angle >= 90) return true;
  const north = sine((position.latitude - center.latitude) / 2);
  const east = sine((position.longitude - center.longitude) / 2);
  const radius = sine(angle);
  return north * north + cosine(center.latitude) * cosine(position.latitude) * east * east <= radius * radius;
}
