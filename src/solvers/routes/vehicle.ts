/** Differences between vehicles: the speed on the drives of the matrix, and the cost of a route. */
import type { Problem, Resource, Weights } from './problem.js';

/** Speed of the matrix durations. */
export const USUAL_SPEED = 1_000;

/** Seconds that a drive takes at this speed, rounded up; negative if no drive is possible. */
export function secondsAt(speed: number | undefined, seconds: number): number {
  if (speed === undefined || seconds <= 0) return seconds;
  return Math.ceil((seconds * USUAL_SPEED) / speed);
}

/** Cost weights of a resource's route. */
export const weightsFor = ({ weights }: Pick<Problem, 'weights'>, resource: Resource): Weights =>
  resource.weights ?? weights;

/** Returns a kind for each resource. Resources of the same kind have the same time and cost for every drive. */
export function kindsOf({ weights, resources }: Pick<Problem, 'weights' | 'resources'>): string[] {
  return resources.map((resource) => {
    const { perMetre, perSecond } = weightsFor({ weights }, resource);
    return `${resource.speed ?? USUAL_SPEED} ${perMetre} ${perSecond}`;
  });
}
