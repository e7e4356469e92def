/** Whether a sequence can be driven: as the search asks, in each version of it that can still be called. */
import { pausesOver } from './pauses.js';
import type { Matrix, Resource, Visit } from './problem.js';
import { drive } from './timeline.js';
import { earliestEndWithin } from './within.js';

export type Drivable = (resource: Resource, visits: readonly Visit[], matrix: Matrix) => boolean;

/** The version of the solver. A change of any plan it would make is a new number. */
export const SOLVER_VERSION = 2;

/** Whether the sequence can be driven, within the most time that a route may take. */
export const isDrivable: Drivable = (resource, visits, matrix) => {
  const { shift, maxDuration = Infinity } = resource;
  return maxDuration < shift[1] - shift[0]
    ? earliestEndWithin(resource, visits, matrix, maxDuration) !== null
    : drive(resource, visits, matrix, shift[0]) !== null;
};

/** Version 1 knew one departure under a limit of duration: the first that keeps it at the earliest end there is. */
const isDrivableByOneDeparture: Drivable = (resource, visits, matrix) => {
  const first = drive(resource, visits, matrix, resource.shift[0]);
  const { maxDuration } = resource;
  if (!first || maxDuration === undefined || first.time - resource.shift[0] <= maxDuration) return first !== null;
  const departure = first.time - maxDuration;
  const before = [0, ...pausesOver(resource).flatMap((over, index) => (over <= departure ? [index + 1] : []))];
  return before.some((taken) => drive(resource, visits, matrix, departure, taken)?.time === first.time);
};

/** By version; of those before it the present one differs in this alone. */
export const DRIVABLE: ReadonlyMap<number, Drivable> = new Map([
  [1, isDrivableByOneDeparture],
  [SOLVER_VERSION, isDrivable],
]);
