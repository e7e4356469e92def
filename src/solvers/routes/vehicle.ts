/** What differs by vehicle: how fast it drives the ways of the matrix, and what its route costs. */
import type { Problem, Resource, Weights } from './problem.js';

/** As fast as the matrix says. */
export const USUAL_SPEED = 1_000;

/** Seconds that a way takes at this speed, never fewer than it needs; negative where no way leads there. */
export function secondsAt(speed: number | undefined, seconds: number): number {
  if (speed === undefined || seconds <= 0) return seconds;
  return Math.ceil((seconds * USUAL_SPEED) / speed);
}

/** What the route of a resource costs. */
export const weightsFor = ({ weights }: Pick<Problem, 'weights'>, resource: Resource): Weights =>
  resource.weights ?? weights;

/** By resource a name: those with the same drive and pay every way alike. */
export function kindsOf({ weights, resources }: Pick<Problem, 'weights' | 'resources'>): string[] {
  return resources.map((resource) => {
    const { perMetre, perSecond } = weightsFor({ weights }, resource);
    return `${resource.speed ?? USUAL_SPEED} ${perMetre} ${perSecond}`;
  });
}
