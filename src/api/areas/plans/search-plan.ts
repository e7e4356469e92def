/** Searches a plan: with the built-in solver in threads, or with an engine that the operator connected. */
import { EngineFailed, EngineLimit, missingFeature, type RouteEngine } from '../../../solvers/routes/engine.js';
import { checkProblem, hasTooManyKinds, LIMITS, ProblemError } from '../../../solvers/routes/limits.js';
import type { Matrix, Problem } from '../../../solvers/routes/problem.js';
import type { Solved, Watch } from '../../../solvers/routes/solve.js';
import { solveInThreads } from '../../../solvers/routes/threads.js';
import { ApiError } from '../../core/errors.js';
import { missingFeatureError, BUILTIN_SOLVER } from './engines.js';
import { DEFAULT_SECONDS } from './request.js';

/** The solver of a plan in the form `<engine>@<version>`. */
export const solverOf = (engine: RouteEngine | undefined): string =>
  engine ? `${engine.id}@${engine.version}` : BUILTIN_SOLVER;

/** An invalid problem fails the job without a retry, because it would be invalid again. */
function validateProblem(problem: Problem, matrix: Matrix): void {
  try {
    checkProblem(problem, matrix);
  } catch (cause) {
    if (!(cause instanceof ProblemError)) throw cause;
    throw new ApiError('PROBLEM_REFUSED', { params: { path: cause.path }, cause });
  }
}

/**
 * `engine`: undefined for the built-in solver. Throws PROBLEM_REFUSED; also ENGINE_LIMIT, and ENGINE_LACKS and
 * ENGINE_FAILED for a connected engine.
 */
export async function searchPlan(
  engine: RouteEngine | undefined,
  problem: Problem,
  matrix: Matrix,
  {
    seconds = DEFAULT_SECONDS,
    iterations,
    threads,
    seed,
  }: { seconds?: number | undefined; iterations?: number | undefined; threads: number; seed: number },
  watch: Watch,
): Promise<Solved> {
  if (!engine) {
    if (hasTooManyKinds(problem)) {
      const limit = `${LIMITS.cells} distances, counted for each kind of vehicle`;
      throw new ApiError('ENGINE_LIMIT', { params: { limit } });
    }
    validateProblem(problem, matrix);
    const budget = iterations === undefined ? { seconds, seed } : { iterations, seed };
    return solveInThreads(problem, matrix, budget, { threads }, watch);
  }
  validateProblem(problem, matrix);
  const missing = missingFeature(engine.capabilities, problem);
  if (missing) throw missingFeatureError(missing);
  const startedAt = performance.now();
  try {
    const solution = await engine.solve(problem, matrix, { seconds, threads }, watch.cancel);
    // Connected engines report no intermediate results, so there is nothing to replay.
    const durationS = (performance.now() - startedAt) / 1_000;
    return { solution, trace: { legs: [], done: [] }, iterations: 0, seconds: durationS, stopped: false };
  } catch (cause) {
    if (cause instanceof EngineLimit) throw new ApiError('ENGINE_LIMIT', { params: { limit: cause.message }, cause });
    if (cause instanceof EngineFailed) throw new ApiError('ENGINE_FAILED', { cause });
    throw cause;
  }
}
