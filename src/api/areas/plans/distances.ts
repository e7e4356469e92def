/** The distance matrix of a plan: distances and durations between all of its places. */
import { MatrixUnavailable, type Distances } from '../../../solvers/distances/distances.js';
import type { Matrix } from '../../../solvers/routes/problem.js';
import { ApiError } from '../../core/errors.js';
import { aside } from './aside/aside.js';
import { engineLacks } from './engines.js';
import type { PlanProblem } from './problem.js';
import { MATRICES, type MatrixId } from './request.js';
import { greatCircles } from './ways.js';

/** Maximum number of places of a stored matrix: two integers per cell, within the maximum size of an artifact. */
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
    /** Throws ENGINE_LACKS if no such map is connected. */
    check: (id: MatrixId): void => void (id === 'haversine' || mapOf(id)),
    /**
     * Measures the matrix. Throws MATRIX_UNAVAILABLE if the map does not respond, unless `fallback` allows great
     * circles. The returned problem names the source that was used.
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

/** Up to this number of places, measuring is faster than a thread. */
const FEW = 40;

const circlesOf = async (
  { positions, roadFactorPercent, speeds, trafficPercent }: PlanProblem,
  signal: AbortSignal | undefined,
): Promise<Matrix> => {
  const measured = { positions, roadFactorPercent, speeds, trafficPercent };
  return positions.length <= FEW ? greatCircles(measured) : aside('greatCircles', [measured], signal);
};
