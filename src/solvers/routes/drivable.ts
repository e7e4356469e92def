/** Whether a sequence can be driven, as the search checks it. There is one function per supported solver version. */
import { pausesOver } from './pauses.js';
import type { Matrix, Resource, Visit } from './problem.js';
import { drive } from './timeline.js';
import { earliestEndWithin } from './duration-limit.js';

export type Drivable = (resource: Resource, visits: readonly Visit[], matrix: Matrix) => boolean;

/** Version of the solver. Increase it when a change alters any resulting plan. */
export const SOLVER_VERSION = 2;

/** Returns whether the sequence can be driven within the maximum duration of the route. */
export const isDrivable: Drivable = (resource, visits, matrix) => {
  const { shift, maxDuration = Infinity } = resource;
  return maxDuration < shift[1] - shift[0]
    ? earliestEndWithin(resource, visits, matrix, maxDuration) !== null
    : drive(resource, visits, matrix, shift[0]) !== null;
};

/**
 * Version 1 tried only one departure under a duration limit: the earliest one that satisfies the limit with the
 * earliest possible end.
 */
const isDrivableByOneDeparture: Drivable = (resource, visits, matrix) => {
  const first = drive(resource, visits, matrix, resource.shift[0]);
  const { maxDuration } = resource;
  if (!first || maxDuration === undefined || first.time - resource.shift[0] <= maxDuration) return first !== null;
  const departure = first.time - maxDuration;
  const before = [0, ...pausesOver(resource).flatMap((over, index) => (over <= departure ? [index + 1] : []))];
  return before.some((taken) => drive(resource, visits, matrix, departure, taken)?.time === first.time);
};

/** By solver version. Earlier versions differ from the current one only in this check. */
export const DRIVABLE: ReadonlyMap<number, Drivable> = new Map([
  [1, isDrivableByOneDeparture],
  [SOLVER_VERSION, isDrivable],
]);
