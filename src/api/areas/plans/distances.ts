/** The ways of a plan: from each of its places to each. */
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { Haversine } from '../../../solvers/distances/haversine.js';
import { MatrixUnavailable, type Distances } from '../../../solvers/distances/distances.js';
import type { Matrix } from '../../../solvers/routes/problem.js';
import { ApiError } from '../../core/errors.js';
import { engineLacks } from './engines.js';
import type { PlanProblem } from './problem.js';
import { MATRICES, type MatrixId } from './request.js';

/** Places of a matrix that is kept: two whole numbers a cell, within what an artifact may hold. */
const MOST_KEPT = 2_800;

export interface Ways {
  readonly all: readonly { readonly id: MatrixId; readonly available: boolean }[];
  /** Throws ENGINE_LACKS where nobody connected such a map. */
  check(id: MatrixId): void;
  /**
   * Measured now. Throws MATRIX_UNAVAILABLE where no map answers, unless `fallback` says that it is then done without
   * one: the problem given back is the one that was measured.
   */
  measure(
    problem: PlanProblem,
    fallback: boolean,
    signal?: AbortSignal,
  ): Promise<{ readonly problem: PlanProblem; readonly matrix: Matrix }>;
}

export function createWays(maps: readonly Distances[]): Ways {
  const mapOf = (id: MatrixId): Distances => {
    const map = maps.find((one) => one.id === id);
    if (!map) throw engineLacks(id);
    return map;
  };
  return {
    all: MATRICES.map((id) => ({ id, available: id === 'haversine' || maps.some((map) => map.id === id) })),
    check: (id) => void (id === 'haversine' || mapOf(id)),
    async measure(problem, fallback, signal) {
      if (problem.matrix === 'haversine') return { problem, matrix: await greatCircles(problem) };
      const map = mapOf(problem.matrix);
      if (problem.positions.length > MOST_KEPT)
        throw new ApiError('ENGINE_LIMIT', { params: { limit: `${MOST_KEPT} places` } });
      try {
        return { problem, matrix: inTraffic(await map.matrix(problem.positions, signal), problem) };
      } catch (error) {
        if (!(error instanceof MatrixUnavailable)) throw error;
        if (!fallback) throw new ApiError('MATRIX_UNAVAILABLE', { cause: error });
        const without = { ...problem, matrix: 'haversine' as const };
        return { problem: without, matrix: await greatCircles(without) };
      }
    },
  };
}

/** The same for the same plan, at any time and on any machine with the same arithmetic; its fingerprint shows that. */
async function greatCircles(problem: PlanProblem): Promise<Matrix> {
  const { positions, roadFactorPercent, speeds } = problem;
  const distances = new Haversine({
    roadFactor: roadFactorPercent / 100,
    speeds: speeds.map(({ metres, kmh }) => [metres, kmh] as const),
  });
  return inTraffic(await distances.matrix(positions), problem);
}

function inTraffic(matrix: Matrix, { trafficPercent }: PlanProblem): Matrix {
  if (trafficPercent === 100) return matrix;
  const duration = matrix.duration.map((seconds) =>
    seconds < 0 ? seconds : Math.round((seconds * trafficPercent) / 100),
  );
  return { ...matrix, duration };
}

/** The matrix that a plan was made with; `kept`: what was kept of it, where it is not made anew. */
export async function waysOf(problem: PlanProblem, kept: Buffer | undefined): Promise<Matrix> {
  if (problem.matrix !== 'osrm') return greatCircles(problem);
  if (!kept) throw new ApiError('INPUT_ERASED');
  return unpacked(kept, problem.positions.length);
}

const deflate = promisify(deflateRaw);
const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);

/** Rows of metres, then rows of seconds: 32 bits each, little-endian, deflated. */
export function packed({ distance, duration }: Matrix): Promise<Buffer> {
  const cells = Buffer.alloc(4 * (distance.length + duration.length));
  distance.forEach((value, index) => cells.writeInt32LE(value, 4 * index));
  duration.forEach((value, index) => cells.writeInt32LE(value, 4 * (distance.length + index)));
  return deflate(cells);
}

async function unpacked(content: Buffer, size: number): Promise<Matrix> {
  const cells = await inflate(content, { maxOutputLength: 8 * size * size });
  const part = (from: number): Int32Array =>
    Int32Array.from({ length: size * size }, (_, index) => cells.readInt32LE(4 * (from + index)));
  return { size, distance: part(0), duration: part(size * size) };
}
