/** An engine besides our own: it finds who drives where in which sequence; times, checks and reasons stay ours. */
import type { Matrix, Problem, Solution } from './problem.js';

/** What a plan may ask for and not every engine can do. */
export const FEATURES = [
  'balance',
  'drive_breaks',
  'insert',
  'iterations',
  'max_route_minutes',
  'pins',
  'replay',
  'seed',
] as const;
export type Feature = (typeof FEATURES)[number];

export interface EngineLimits {
  readonly orders: number;
  readonly resources: number;
}

export interface RouteEngine {
  readonly id: string;
  /** Of the way it is asked: not every engine tells its own. */
  readonly version: string;
  readonly name: string;
  readonly capabilities: readonly Feature[];
  readonly limits: EngineLimits;
  /**
   * Throws EngineLimit before anything is sent where the problem is too large for it, EngineFailed where it finds
   * nothing or does not answer.
   */
  solve(
    problem: Problem,
    matrix: Matrix,
    budget: { readonly seconds: number; readonly threads: number },
    signal?: AbortSignal,
  ): Promise<Solution>;
}

export class EngineFailed extends Error {
  override readonly name = 'EngineFailed';
}

export class EngineLimit extends Error {
  override readonly name = 'EngineLimit';
}

/** What the problem needs and the capabilities lack; undefined: nothing. */
export function lackedBy(capabilities: readonly Feature[], problem: Problem): Feature | undefined {
  const needed: Feature[] = [];
  if (problem.balance && problem.balance.strength > 0) needed.push('balance');
  if (problem.resources.some(({ driveBreak }) => driveBreak)) needed.push('drive_breaks');
  if (problem.resources.some(({ maxDuration }) => maxDuration !== undefined)) needed.push('max_route_minutes');
  if (problem.orders.some(({ pickup, delivery }) => pickup?.rank !== undefined || delivery?.rank !== undefined))
    needed.push('pins');
  return needed.find((feature) => !capabilities.includes(feature));
}
