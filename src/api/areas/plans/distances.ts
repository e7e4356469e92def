/** The ways of a plan: from each of its places to each. */
import { MatrixUnavailable, type Distances } from '../../../solvers/distances/distances.js';
import type { Matrix } from '../../../solvers/routes/problem.js';
import { ApiError } from '../../core/errors.js';
import { aside } from './aside/aside.js';
import { engineLacks } from './engines.js';
import type { PlanProblem } from './problem.js';
import { MATRICES, type MatrixId } from './request.js';
import { greatCircles } from './ways.js';

/** Places of a matrix that is kept: two whole numbers a cell, within what an artifact may hold. */
const MOST_KEPT = 2_800;

export type Ways = ReturnType<typeof createWays>;

export function createWays(maps: readonly Distances[]) {
  const mapOf = (id: MatrixId): Distances => {
    const map = maps.find((one) => one.id === id);
    if (!map) throw engineLacks(id);
    return map;
  };
  return {
    all: MATRICES.map((id) => ({ id, available: id === 'haversine' || maps.some((map) => map.id === id) })),
    /** Throws ENGINE_LACKS where nobody connected such a map. */
    check: (id: MatrixId): void => void (id === 'haversine' || mapOf(id)),
    /**
     * Measured now. Throws MATRIX_UNAVAILABLE where no map answers, unless `fallback` says that it is then done without
     * one: the problem given back is the one that was measured.
     */
    async measure(
      problem: PlanProblem,
      fallback: boolean,
      signal?: AbortSignal,
    ): Promise<{ readonly problem: PlanProblem; readonly matrix: Matrix }> {
      if (problem.matrix === 'haversine') return { problem, matrix: await circlesOf(problem, signal) };
      const map = mapOf(problem.matrix);
      if (problem.positions.length > MOST_KEPT)
        throw new ApiError('ENGINE_LIMIT', { params: { limit: `${MOST_KEPT} places` } });
      try {
        const measured = await map.matrix(problem.positions, signal);
        const { trafficPercent } = problem;
        if (trafficPercent === 100) return { problem, matrix: measured };
        return { problem, matrix: await aside('inTraffic', [measured, trafficPercent], signal) };
      } catch (error) {
        if (!(error instanceof MatrixUnavailable)) throw error;
        if (!fallback) throw new ApiError('MATRIX_UNAVAILABLE', { cause: error });
        const without = { ...problem, matrix: 'haversine' as const };
        return { problem: without, matrix: await circlesOf(without, signal) };
      }
    },
  };
}

/** So few ways are measured sooner than a thread has begun. */
const FEW = 40;

const circlesOf = async (
  { positions, roadFactorPercent, speeds, trafficPercent }: PlanProblem,
  signal: AbortSignal | undefined,
): Promise<Matrix> => {
  const measured = { positions, roadFactorPercent, speeds, trafficPercent };
  return positions.length <= FEW ? greatCircles(measured) : aside('greatCircles', [measured], signal);
};
