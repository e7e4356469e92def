/**
 * Rings of positions: closed sequences whose last position equals the first. They are compared in the plane of the
 * degrees, with the four basic operations only, so every machine has the same result.
 */
export type Point = readonly [longitude: number, latitude: number];

export const isSamePoint = ([a, b]: Point, [c, d]: Point): boolean => a === c && b === d;
/** Side of the line from `a` to `b` on which the point lies: -1, 0 (on the line) or 1. */
const side = (a: Point, b: Point, [x, y]: Point): number =>
  Math.sign((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]));
const isBetween = (a: Point, b: Point, [x, y]: Point): boolean =>
  x >= Math.min(a[0], b[0]) && x <= Math.max(a[0], b[0]) && y >= Math.min(a[1], b[1]) && y <= Math.max(a[1], b[1]);

/** Whether two line segments have a point in common. */
function intersect(a: Point, b: Point, c: Point, d: Point): boolean {
  const [s1, s2, s3, s4] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  if (s1 !== s2 && s3 !== s4) return true;
  return (
    (s1 === 0 && isBetween(a, b, c)) ||
    (s2 === 0 && isBetween(a, b, d)) ||
    (s3 === 0 && isBetween(c, d, a)) ||
    (s4 === 0 && isBetween(c, d, b))
  );
}

/** Whether two non-adjacent segments of the ring meet, or two adjacent ones overlap. */
export function isSelfIntersecting(ring: readonly Point[]): boolean {
  const lines = ring.length - 1;
  for (let i = 0; i < lines; i++) {
    const [a, b] = [ring[i]!, ring[i + 1]!];
    if (isSamePoint(a, b)) return true;
    const after = ring[((i + 1) % lines) + 1]!;
    if (side(a, b, after) === 0 && isBetween(a, b, after)) return true;
    for (let j = i + 2; j < lines; j++)
      if (!(i === 0 && j === lines - 1) && intersect(a, b, ring[j]!, ring[j + 1]!)) return true;
  }
  return false;
}

/** Whether the point is inside the ring or on its edge. */
export function contains(ring: readonly Point[], point: Point): boolean {
  const [x, y] = point;
  let isInside = false;
  for (let i = 1; i < ring.length; i++) {
    const [a, b] = [ring[i - 1]!, ring[i]!];
    if (side(a, b, point) === 0 && isBetween(a, b, point)) return true;
    if (a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]) isInside = !isInside;
  }
  return isInside;
}
