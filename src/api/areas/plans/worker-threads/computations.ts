/**
 * Long computations of a plan other than the search: distance matrices, the check, the reasons. They are pure
 * functions, and their arguments can be copied to a thread. Errors are returned as codes.
 */
import type { z } from 'zod';
import type { PlannedRoute, PlanProblemFixed } from '../../../../events/plans/events.js';
import { parseVroomResponse, vroomBody } from '../../../../engines/routing/vroom-bodies.js';
import { faultsOf } from '../../../../solvers/routes/checker.js';
import { Explanation, type InsertionOption } from '../../../../solvers/routes/explain.js';
import { canonicalJson, fingerprint, matrixFingerprint } from '../../../../solvers/routes/fingerprint.js';
import { planOf, UndrivableRoute, type Plan } from '../../../../solvers/routes/plan.js';
import type { Matrix, Solution } from '../../../../solvers/routes/problem.js';
import type { Excluded } from '../gather.js';
import type { PlanProblem } from '../problem.js';
import { previousTotals, routesOf, unassignedOf } from '../record.js';
import { exceedsLimits } from '../used-limits.js';
import { greatCircles, inTraffic, packMatrix, unpackMatrix } from '../matrix.js';
import { solutionOf, withoutOrder } from './solution.js';

/** Content of the file with the problem. */
export interface StoredProblem {
  readonly problem: PlanProblem;
  readonly facts: z.infer<typeof PlanProblemFixed.schema>['orders'];
  readonly excluded: readonly Excluded[];
}

/** Files of a job: the problem, and the matrix if it came from a map. */
export interface StoredFiles {
  readonly problem: Uint8Array;
  readonly matrix: Uint8Array | undefined;
}

/** The files of a problem, and their fingerprints. */
async function fixed(storedProblem: StoredProblem, matrix: Matrix) {
  return {
    file: Buffer.from(canonicalJson(storedProblem)) as Uint8Array,
    // A map may return different distances later, so its matrix is stored.
    packedMatrix: storedProblem.problem.matrix === 'haversine' ? undefined : ((await packMatrix(matrix)) as Uint8Array),
    inputSha256: fingerprint(storedProblem.problem),
    matrixSha256: matrixFingerprint(matrix),
  };
}

/** Reads a stored problem. */
async function opened(files: StoredFiles) {
  const storedProblem = JSON.parse(Buffer.from(files.problem).toString('utf8')) as StoredProblem;
  const { problem } = storedProblem;
  const isMapped = problem.matrix === 'osrm';
  if (isMapped && !files.matrix) return { code: 'INPUT_ERASED' as const };
  const matrix = isMapped ? await unpackMatrix(files.matrix!, problem.positions.length) : await greatCircles(problem);
  return { made: storedProblem, matrix, inputSha256: fingerprint(problem), matrixSha256: matrixFingerprint(matrix) };
}

/** Checks a solution of any engine: a solution that breaks a rule is rejected. Then explains the unassigned orders. */
async function concluded(plan: PlanProblem, matrix: Matrix, solution: Solution) {
  const found = computePlan(plan, matrix, solution);
  if (
    !found ||
    faultsOf(plan.problem, matrix, found).length > 0 ||
    exceedsLimits(plan.problem, plan.spent ?? [], found)
  )
    return { code: 'CHECK_FAILED' as const };
  const explanation = new Explanation(plan.problem, matrix, solution);
  return {
    solutionSha256: fingerprint(solution),
    before: previousTotals(plan, matrix),
    routes: routesOf(plan, found),
    unassigned: unassignedOf(plan, found.unassigned, explanation),
  };
}

function computePlan({ problem }: PlanProblem, matrix: Matrix, solution: Solution): Plan | undefined {
  try {
    return planOf(problem, matrix, solution);
  } catch (error) {
    if (error instanceof UndrivableRoute) return undefined;
    throw error;
  }
}

/** Computes the cost of the order on each route, as if it were unassigned. */
async function explained(files: StoredFiles, inputSha256: string, routes: readonly PlannedRoute[], orderId: number) {
  const stored = await opened(files);
  if (stored.code) return { code: stored.code };
  if (stored.inputSha256 !== inputSha256) return { code: 'ARTIFACT_DAMAGED' as const };
  const { problem } = stored.made;
  const order = problem.orders.indexOf(orderId);
  if (order < 0) return { code: 'ORDER_NOT_FOUND' as const };
  const solution = solutionOf(routes, problem);
  const at = solution.routes.findIndex(({ stops }) => stops.some(([index]) => index === order));
  const insertionOptions: readonly InsertionOption[] = new Explanation(
    problem.problem,
    stored.matrix,
    withoutOrder(solution, order),
  ).ways(order, true);
  const describeResource = (resource: number) => {
    const index = solution.routes.findIndex((route) => route.resource === resource);
    return { ...problem.resources[resource]!, index: index < 0 ? null : index };
  };
  return {
    on: at < 0 ? null : describeResource(solution.routes[at]!.resource),
    insertionOptions: insertionOptions.map((option) => ({
      way: option,
      ...describeResource(option.resource),
      capacity: 'code' in option && option.type !== undefined ? problem.capacities[option.type]! : null,
      stopOrderId: 'code' in option && option.order !== undefined ? problem.orders[option.order]! : null,
    })),
  };
}

export const COMPUTATIONS = {
  greatCircles,
  inTraffic,
  fixed,
  opened,
  concluded,
  explained,
  vroomBody,
  vroomAnswer: parseVroomResponse,
};
export type Computations = typeof COMPUTATIONS;
