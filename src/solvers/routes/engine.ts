/**
 * An external engine. It assigns orders to resources and determines the sequences. This service computes times, checks
 * and reasons.
 */
import type { Matrix, Problem, Solution } from './problem.js';

/** Features that a plan may request and that not every engine supports. */
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
  /** Version of the interface to the engine, because not every engine reports its own version. */
  readonly version: string;
  readonly name: string;
  readonly capabilities: readonly Feature[];
  readonly limits: EngineLimits;
  /**
   * Throws EngineLimit, before any request, if the problem is too large for the engine. Throws EngineFailed if the
   * engine finds no plan or does not respond.
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

/** Returns a feature that the problem needs and `capabilities` does not contain; undefined if there is none. */
export function missingFeature(capabilities: readonly Feature[], problem: Problem): Feature | undefined {
  const needed: Feature[] = [];
  if (problem.balance && problem.balance.strength > 0) needed.push('balance');
  if (problem.resources.some(({ driveBreak }) => driveBreak)) needed.push('drive_breaks');
  if (problem.resources.some(({ maxDuration }) => maxDuration !== undefined)) needed.push('max_route_minutes');
  if (problem.orders.some(({ pickup, delivery }) => pickup?.rank !== undefined || delivery?.rank !== undefined))
    needed.push('pins');
  return needed.find((feature) => !capabilities.includes(feature));
}
