import type { Break, Matrix, Order, Problem, Resource, Visit } from './problem.js';
import { kindsOf } from './vehicle.js';

/** Thrown for an invalid problem. `path` is the location of the error, for example `orders.3.size`. */
export class ProblemError extends Error {
  constructor(
    readonly path: string,
    reason: string,
  ) {
    super(`${path}: ${reason}`);
    this.name = 'ProblemError';
  }
}

export const LIMITS = {
  orders: 2_000,
  resources: 250,
  breaks: 4,
  windows: 10,
  capacities: 8,
  seconds: 500_000_000,
  weight: 2e12,
  /** For all kinds of vehicles together, because a search stores a matrix for each kind. */
  cells: 32_000_000,
};

/** Returns whether the problem has too many kinds of vehicles for its number of places. */
export function hasTooManyKinds(problem: Problem): boolean {
  const kinds = new Set(kindsOf(problem)).size;
  return kinds > 1 && kinds * problem.places ** 2 > LIMITS.cells;
}

/** Throws a ProblemError if a number is not an integer, is out of range, or references an unknown item. */
export function checkProblem(problem: Problem, matrix: Matrix): void {
  whole('places', problem.places, 1, 10_000);
  if (matrix.size !== problem.places) throw new ProblemError('places', `the matrix has ${matrix.size} places`);
  for (const cells of [matrix.distance, matrix.duration])
    if (cells.length !== matrix.size ** 2) throw new ProblemError('matrix', 'not square');
  whole('capacities', problem.capacities, 0, LIMITS.capacities);
  whole('orders', problem.orders.length, 0, LIMITS.orders);
  whole('resources', problem.resources.length, 0, LIMITS.resources);
  for (const [name, weight] of Object.entries(problem.weights)) whole(`weights.${name}`, weight, 0, LIMITS.weight);
  if (hasTooManyKinds(problem)) throw new ProblemError('resources', 'too many kinds of vehicles');
  if (problem.balance) whole('balance.strength', problem.balance.strength, 0, 1_000);
  problem.orders.forEach((order, index) => checkOrder(`orders.${index}`, order, problem));
  problem.resources.forEach((resource, index) => checkResource(`resources.${index}`, resource, problem));
}

function checkOrder(path: string, order: Order, problem: Problem): void {
  if (!order.pickup && !order.delivery) throw new ProblemError(path, 'neither pickup nor delivery');
  if (order.pickup) checkVisit(`${path}.pickup`, order.pickup, problem);
  if (order.delivery) checkVisit(`${path}.delivery`, order.delivery, problem);
  sizes(`${path}.size`, order.size, problem);
  whole(`${path}.priority`, order.priority, 0, 10);
  order.skills.forEach((skill) => whole(`${path}.skills`, skill, 0, 1e6));
  if (order.resource !== undefined) whole(`${path}.resource`, order.resource, 0, problem.resources.length - 1);
  if (order.warehouse !== undefined) whole(`${path}.warehouse`, order.warehouse, 0, problem.places - 1);
}

function checkVisit(path: string, visit: Visit, problem: Problem): void {
  whole(`${path}.place`, visit.place, 0, problem.places - 1);
  whole(`${path}.service`, visit.service, 0, LIMITS.seconds);
  whole(`${path}.windows`, visit.windows.length, 1, LIMITS.windows);
  if (visit.rank !== undefined) whole(`${path}.rank`, visit.rank, 0, 1e6);
  let last = -1;
  for (const [from, to] of visit.windows) {
    whole(`${path}.windows`, from, last + 1, LIMITS.seconds);
    whole(`${path}.windows`, to, from, LIMITS.seconds);
    last = to;
  }
}

function checkResource(path: string, resource: Resource, problem: Problem): void {
  whole(`${path}.start`, resource.start, 0, problem.places - 1);
  if (resource.end !== null) whole(`${path}.end`, resource.end, 0, problem.places - 1);
  whole(`${path}.shift`, resource.shift[0], 0, LIMITS.seconds);
  whole(`${path}.shift`, resource.shift[1], resource.shift[0], LIMITS.seconds);
  sizes(`${path}.capacity`, resource.capacity, problem);
  checkBreaks(`${path}.breaks`, resource.breaks);
  if (resource.driveBreak) {
    whole(`${path}.driveBreak.after`, resource.driveBreak.after, 1, LIMITS.seconds);
    whole(`${path}.driveBreak.duration`, resource.driveBreak.duration, 1, LIMITS.seconds);
  }
  for (const name of ['maxDistance', 'maxDuration', 'maxStops'] as const)
    if (resource[name] !== undefined) whole(`${path}.${name}`, resource[name], 0, 2e9);
  if (resource.speed !== undefined) whole(`${path}.speed`, resource.speed, 1, 100_000);
  for (const [name, weight] of Object.entries(resource.weights ?? {}))
    whole(`${path}.weights.${name}`, weight, 0, LIMITS.weight);
}

function checkBreaks(path: string, breaks: readonly Break[]): void {
  whole(path, breaks.length, 0, LIMITS.breaks);
  let last = -1;
  for (const { duration, earliest, latest } of breaks) {
    whole(path, duration, 1, LIMITS.seconds);
    whole(path, earliest, last + 1, LIMITS.seconds);
    whole(path, latest, earliest, LIMITS.seconds);
    last = latest;
  }
}

function sizes(path: string, values: readonly number[], problem: Problem): void {
  if (values.length !== problem.capacities) throw new ProblemError(path, `not ${problem.capacities} numbers`);
  for (const value of values) whole(path, value, 0, 1e8);
}

function whole(path: string, value: number, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw new ProblemError(path, `${value} is not an integer from ${least} to ${most}`);
}
