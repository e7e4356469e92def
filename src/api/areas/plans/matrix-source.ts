/** The distance matrix of a plan: distances and durations between all of its places. */
import { MatrixUnavailable, type Distances } from '../../../solvers/distances/distances.js';
import type { Matrix } from '../../../solvers/routes/problem.js';
import { ApiError } from '../../core/errors.js';
import { runInThread } from './worker-threads/run-in-thread.js';
import { missingFeatureError } from './engines.js';
import type { PlanProblem } from './problem.js';
import { MATRICES, type MatrixId } from './request.js';
import { greatCircles } from './matrix.js';

/** Maximum number of places of a stored matrix: two integers per cell, within the maximum size of an artifact. */
const MAX_STORED_PLACES = 2_800;

export type MatrixSource = ReturnType<typeof createMatrixSource>;

export function createMatrixSource(maps: readonly Distances[]) {
  const mapOf = (id: MatrixId): Distances => {
    const map = maps.find((one) => one.id === id);
    if (!map) throw missingFeatureError(id);
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
      if (problem.matrix === 'haversine') return { problem, matrix: await measureGreatCircles(problem, signal) };
      const map = mapOf(problem.matrix);
      if (problem.positions.length > MAX_STORED_PLACES)
        throw new ApiError('ENGINE_LIMIT', { params: { limit: `${MAX_STORED_PLACES} places` } });
      try {
        const measured = await map.matrix(problem.positions, signal);
        const { trafficPercent } = problem;
        if (trafficPercent === 100) return { problem, matrix: measured };
        return { problem, matrix: await runInThread('inTraffic', [measured, trafficPercent], signal) };
      } catch (error) {
        if (!(error instanceof MatrixUnavailable)) throw error;
        if (!fallback) throw new ApiError('MATRIX_UNAVAILABLE', { cause: error });
        const fallbackProblem = { ...problem, matrix: 'haversine' as const };
        return { problem: fallbackProblem, matrix: await measureGreatCircles(fallbackProblem, signal) };
      }
    },
  };
}

/** Up to this number of places, measuring is faster than a thread. */
const MAX_PLACES_INLINE = 40;

const measureGreatCircles = async (
  { positions, roadFactorPercent, speeds, trafficPercent }: PlanProblem,
  signal: AbortSignal | undefined,
): Promise<Matrix> => {
  const measured = { positions, roadFactorPercent, speeds, trafficPercent };
  return positions.length <= MAX_PLACES_INLINE
    ? greatCircles(measured)
    : runInThread('greatCircles', [measured], signal);
};
