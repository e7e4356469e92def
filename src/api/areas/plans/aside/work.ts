/**
 * Long computations of a plan other than the search: distance matrices, the check, the reasons. They are pure
 * functions, and their arguments can be copied to a thread. Errors are returned as codes.
 */
import type { z } from 'zod';
import type { PlannedRoute, PlanProblemFixed } from '../../../../events/plans/events.js';
import { vroomAnswer, vroomBody } from '../../../../engines/routing/vroom-bodies.js';
import { faultsOf } from '../../../../solvers/routes/checker.js';
import { Explanation, type InsertionOption } from '../../../../solvers/routes/explain.js';
import { canonicalJson, fingerprint, matrixFingerprint } from '../../../../solvers/routes/fingerprint.js';
import { planOf, UndrivableRoute, type Plan } from '../../../../solvers/routes/plan.js';
import type { Matrix, Solution } from '../../../../solvers/routes/problem.js';
import type { Excluded } from '../gather.js';
import type { PlanProblem } from '../problem.js';
import { beforeOf, routesOf, unassignedOf } from '../record.js';
import { isOverdrawn } from '../under-way.js';
import { greatCircles, inTraffic, packed, unpacked } from '../ways.js';
import { solutionOf, without } from './solution.js';

/** Content of the file with the problem. */
export interface KeptProblem {
  readonly problem: PlanProblem;
  readonly facts: z.infer<typeof PlanProblemFixed.schema>['orders'];
  readonly excluded: readonly Excluded[];
}

/** Files of a job: the problem, and the matrix if it came from a map. */
export interface KeptFiles {
  readonly problem: Uint8Array;
  readonly matrix: Uint8Array | undefined;
}

/** The files of a problem, and their fingerprints. */
async function fixed(made: KeptProblem, matrix: Matrix) {
  return {
    file: Buffer.from(canonicalJson(made)) as Uint8Array,
    // A map may return different distances later, so its matrix is stored.
    ways: made.problem.matrix === 'haversine' ? undefined : ((await packed(matrix)) as Uint8Array),
    inputSha256: fingerprint(made.problem),
    matrixSha256: matrixFingerprint(matrix),
  };
}

/** Reads a stored problem. */
async function opened(files: KeptFiles) {
  const made = JSON.parse(Buffer.from(files.problem).toString('utf8')) as KeptProblem;
  const { problem } = made;
  const isMapped = problem.matrix === 'osrm';
  if (isMapped && !files.matrix) return { code: 'INPUT_ERASED' as const };
  const matrix = isMapped ? await unpacked(files.matrix!, problem.positions.length) : await greatCircles(problem);
  return { made, matrix, inputSha256: fingerprint(problem), matrixSha256: matrixFingerprint(matrix) };
}

/** Checks a solution of any engine: a solution that breaks a rule is rejected. Then explains the unassigned orders. */
async function concluded(plan: PlanProblem, matrix: Matrix, solution: Solution) {
  const found = drivenPlan(plan, matrix, solution);
  if (!found || faultsOf(plan.problem, matrix, found).length > 0 || isOverdrawn(plan.problem, plan.spent ?? [], found))
    return { code: 'CHECK_FAILED' as const };
  const explanation = new Explanation(plan.problem, matrix, solution);
  return {
    solutionSha256: fingerprint(solution),
    before: beforeOf(plan, matrix),
    routes: routesOf(plan, found),
    unassigned: unassignedOf(plan, found.unassigned, explanation),
  };
}

function drivenPlan({ problem }: PlanProblem, matrix: Matrix, solution: Solution): Plan | undefined {
  try {
    return planOf(problem, matrix, solution);
  } catch (error) {
    if (error instanceof UndrivableRoute) return undefined;
    throw error;
  }
}

/** Computes the cost of the order on each route, as if it were unassigned. */
async function explained(files: KeptFiles, inputSha256: string, routes: readonly PlannedRoute[], orderId: number) {
  const kept = await opened(files);
  if (kept.code) return { code: kept.code };
  if (kept.inputSha256 !== inputSha256) return { code: 'ARTIFACT_DAMAGED' as const };
  const { problem } = kept.made;
  const order = problem.orders.indexOf(orderId);
  if (order < 0) return { code: 'ORDER_NOT_FOUND' as const };
  const solution = solutionOf(routes, problem);
  const at = solution.routes.findIndex(({ stops }) => stops.some(([index]) => index === order));
  const ways: readonly InsertionOption[] = new Explanation(problem.problem, kept.matrix, without(solution, order)).ways(
    order,
    true,
  );
  const whose = (resource: number) => {
    const index = solution.routes.findIndex((route) => route.resource === resource);
    return { ...problem.resources[resource]!, index: index < 0 ? null : index };
  };
  return {
    on: at < 0 ? null : whose(solution.routes[at]!.resource),
    ways: ways.map((way) => ({
      way,
      ...whose(way.resource),
      capacity: 'code' in way && way.type !== undefined ? problem.capacities[way.type]! : null,
      stopOrderId: 'code' in way && way.order !== undefined ? problem.orders[way.order]! : null,
    })),
  };
}

export const WORK = { greatCircles, inTraffic, fixed, opened, concluded, explained, vroomBody, vroomAnswer };
export type Work = typeof WORK;
