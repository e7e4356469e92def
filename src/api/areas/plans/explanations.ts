/** Explains a plan, and replays it to check that the result is identical. */
import { z } from 'zod';
import { ArtifactDamaged, type JobArtifacts } from '../../../engines/postgres/job-artifacts.js';
import { planStream } from '../../../events/plans/events.js';
import { pageOfRows } from '../../../projections/core/page-of-rows.js';
import type { PlanQueries } from '../../../projections/plans/queries.js';
import type { PlanRow } from '../../../projections/plans/read-model.js';
import { fingerprint } from '../../../solvers/routes/fingerprint.js';
import { repeatInThreads } from '../../../solvers/routes/threads.js';
import { UNITS_PER_MILLI } from '../../../solvers/routes/weights.js';
import type { Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { jobKind } from '../jobs/kind.js';
import type { Jobs } from '../jobs/queue.js';
import { runInThread, isOverloaded } from './worker-threads/run-in-thread.js';
import type { StoredFiles } from './worker-threads/computations.js';
import type { Planner } from './planning-data.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { planIdInput, plannerOf, READ as READ_PLAN, type PlanService } from './plan-service.js';
import type { PlanProblem } from './problem.js';
import { reasonCode } from './record.js';
import { unassignedSchema } from './shapes.js';
import { solverVersionOf } from './engines.js';
import { MATRIX_FILE, PROBLEM_FILE } from './plan-job.js';

export interface ExplanationOptions {
  readonly plans: PlanQueries;
  readonly artifacts: Pick<JobArtifacts, 'get'>;
  readonly jobs: Jobs;
}

type Solved = PlanRow & {
  readonly solved: NonNullable<PlanRow['solved']>;
  readonly problem: NonNullable<PlanRow['problem']>;
};

/** Throws INPUT_ERASED if the files no longer exist, ARTIFACT_DAMAGED if they are corrupt. */
async function filesOf({ artifacts }: Pick<ExplanationOptions, 'artifacts'>, plan: Solved): Promise<StoredFiles> {
  const fileOf = async (name: string): Promise<Buffer | undefined> => {
    const file = await artifacts.get(plan.job_id, name).catch((cause: unknown) => {
      throw cause instanceof ArtifactDamaged ? new ApiError('ARTIFACT_DAMAGED', { cause }) : cause;
    });
    return file?.content;
  };
  const problem = await fileOf(PROBLEM_FILE);
  if (!problem) throw new ApiError('INPUT_ERASED');
  return { problem, matrix: plan.problem.matrix === 'osrm' ? await fileOf(MATRIX_FILE) : undefined };
}

async function solvedPlan(plans: PlanQueries, id: number, planner: Planner): Promise<Solved> {
  const plan = await plans.byId(id, planner);
  if (!plan) throw new ApiError('PLAN_NOT_FOUND');
  if (!plan.solved || !plan.problem) throw new ApiError('PLAN_NOT_READY', { params: { state: plan.state } });
  return plan as Solved;
}

interface ReplayWork {
  readonly planId: number;
  readonly planner: Planner;
}

/** The job that replays a plan from its problem, and compares the results. */
export const replayJob = (options: ExplanationOptions) =>
  jobKind<ReplayWork>({
    name: 'route_replay',
    scopes: { read: 'routes:read', write: 'routes:read' },
    stoppable: false,
    isLong: () => true,
    async run({ planId, planner }, { cancelled }) {
      const plan = await solvedPlan(options.plans, planId, planner);
      const { problem, solved } = plan;
      const version = solverVersionOf(problem.solver);
      const stored = await runInThread('opened', [await filesOf(options, plan)], cancelled);
      if (stored.code) throw new ApiError(stored.code);
      if (stored.inputSha256 !== problem.input_sha256) throw new ApiError('ARTIFACT_DAMAGED');
      const { made: storedProblem, matrix, matrixSha256 } = stored;
      const result = { route_plan_id: planId, solution_sha256: solved.solution_sha256 };
      // Another machine may compute other distances; then the plan cannot be identical.
      if (matrixSha256 !== problem.matrix_sha256)
        return { ...result, equal: false, replayed_sha256: null, reason: 'MATRIX_DIFFERS' };
      const { problem: input } = storedProblem.problem;
      const replayInput = { seed: problem.seed, trace: solved.trace, version };
      const replayed = fingerprint(await repeatInThreads(input, matrix, replayInput, cancelled));
      return { ...result, equal: replayed === solved.solution_sha256, replayed_sha256: replayed, reason: null };
    },
  });

const READ = { area: 'Client', scopes: ['routes:read'], reads: ['plans'] } as const;
const ANSWERS = {
  404: 'There is no such plan, or the caller cannot see it.',
  409: 'The plan is not solved.',
  410: '`INPUT_ERASED`: the input of the plan was erased.',
};
const planner = (caller: Caller): Planner => plannerOf(caller);

const explainedRouteSchema = z
  .object({
    index: z.int().nullable().describe('Index of the route in the plan. Null: the plan has no stops for this driver.'),
    route_id: z
      .int()
      .nullable()
      .describe('Id of the route. Null until the plan is committed, unless the route existed before.'),
    driver_id: z.int(),
    vehicle_id: z.string().nullable(),
    shift_id: z.int().nullable().describe('Id of the shift. Null: the default shift.'),
    delta_cost: z
      .string()
      .nullable()
      .describe('Additional cost of the order on this route. Null: the order does not fit.'),
    detour_m: z.int().nullable().describe('Additional distance, in metres.'),
    detour_s: z.int().nullable().describe('Additional driving time, in seconds.'),
    code: z.string().nullable().describe('Reason why the order does not fit.'),
    capacity: z.string().nullable().describe('For `EXCEEDS_CAPACITY`: the capacity that the order exceeds.'),
    stop_order_id: z
      .int()
      .nullable()
      .describe(
        'For `OUT_OF_HOURS`: id of the order whose stop would be the first one that is too late. Null: the end of the shift would be exceeded.',
      ),
    by: z
      .int()
      .nullable()
      .describe(
        'Excess over the limit: seconds, metres, stops, pieces, grams, litres, or thousandths of a `custom:` capacity.',
      ),
  })
  .meta({ id: 'ExplainedRoute' });
const NO_DETAILS = {
  delta_cost: null,
  detour_m: null,
  detour_s: null,
  code: null,
  capacity: null,
  stop_order_id: null,
  by: null,
};

const detourOf = (detour: { readonly metres: number; readonly seconds: number } | undefined) =>
  detour && { detour_m: detour.metres, detour_s: detour.seconds };

/** Identifies the route as the plan shows it. */
function routeOf({ commit }: PlanRow, { index, driver_id, vehicle_id, shift_id, route_id }: PlannedResource) {
  const committed = index === null ? undefined : commit?.route_ids[commit.indexes.indexOf(index)];
  return {
    index,
    route_id: committed ?? route_id ?? null,
    driver_id,
    vehicle_id: vehicle_id ?? null,
    shift_id: shift_id ?? null,
  };
}
type PlannedResource = PlanProblem['resources'][number] & { readonly index: number | null };

export function explanationOperations(
  options: ExplanationOptions & { readonly service: Pick<PlanService, 'toResponse'> },
): Operation[] {
  const { plans, jobs, service } = options;
  return [
    operation({
      ...READ,
      callers: ['client_admin', 'employee', 'broker', 'auditor'],
      reads: READ_PLAN.reads,
      name: 'routePlanExplain',
      summary: 'Explain why a plan leaves orders out',
      description:
        'Use it to answer why orders are unassigned, or why an order is on a certain route. Lists the unassigned orders with their reasons. With `order_id`, lists only this order, and returns the additional cost on each route of the plan, or the reason why the order does not fit on that route.',
      rest: { method: 'get', path: '/v1/route-plans/:route_plan_id/explain' },
      answers: ANSWERS,
      input: z.object({
        ...planIdInput,
        order_id: idSchema.optional().describe('Order to explain on each route. Omitted: lists all unassigned orders.'),
        ...pageInput,
      }),
      output: z.object({
        ...pageOutput,
        unassigned: z.array(unassignedSchema).describe('Unassigned orders, each with at least one reason.'),
        order_id: z.int().optional().describe('Present if the request has `order_id`, like the members below.'),
        driver_id: z
          .int()
          .nullable()
          .optional()
          .describe('Driver of the route of the order. Null: the order is unassigned.'),
        index: z
          .int()
          .nullable()
          .optional()
          .describe('Index of the route of the order in the plan. Null: the order is unassigned.'),
        routes: z.array(explainedRouteSchema).optional().describe('One entry per driver and shift of the plan.'),
      }),
      async run({ route_plan_id, order_id, ...page }, context) {
        const { caller } = context;
        const plan = await solvedPlan(plans, route_plan_id, planner(caller));
        const { solved, problem } = plan;
        const response = await service.toResponse(plan, context);
        const unassigned = response.unassigned.filter((one) => order_id === undefined || one.order_id === order_id);
        const { rows, ...listing } = pageOfRows(unassigned, rangeOf(page), (one) => one.order_id);
        const listed = { ...pageOf(page, listing), unassigned: [...rows] };
        // An order that the plan excluded before the search has no place in the problem.
        if (order_id === undefined || problem.excluded.some((one) => one.order_id === order_id)) return listed;
        const files = await filesOf(options, plan);
        if (isOverloaded()) throw new ApiError('UNAVAILABLE', { headers: { 'Retry-After': '1' } });
        const found = await runInThread('explained', [files, problem.input_sha256, solved.routes, order_id]);
        if (found.code) throw new ApiError(found.code);
        const { on, insertionOptions } = found;
        return {
          ...listed,
          order_id,
          driver_id: on?.driver_id ?? null,
          index: on?.index ?? null,
          routes: insertionOptions.map(({ way: option, ...plannedFor }) => ({
            ...routeOf(plan, plannedFor),
            ...('cost' in option
              ? {
                  ...NO_DETAILS,
                  delta_cost: (option.cost / UNITS_PER_MILLI / 1_000).toFixed(2),
                  ...detourOf(option.detour),
                }
              : {
                  ...NO_DETAILS,
                  code: reasonCode(option.code),
                  capacity: plannedFor.capacity,
                  stop_order_id: plannedFor.stopOrderId,
                  by: option.by ?? null,
                }),
          })),
        };
      },
    }),

    operation({
      ...READ,
      callers: ['client_admin', 'auditor'],
      name: 'routePlanReplay',
      returns: { read: 'job' },
      summary: 'Compute a plan again and compare the results',
      description:
        'Use it to prove that a plan is reproducible. The call queues a job. `equal` in the result of the job is true if both results are identical. Only plans of the built-in engine can be computed again.',
      rest: { method: 'post', path: '/v1/route-plans/:route_plan_id/replay', status: 202 },
      writes: true,
      answers: ANSWERS,
      input: z.object(planIdInput),
      output: z.object({ result: z.boolean() }),
      async run({ route_plan_id: planId }, context) {
        solverVersionOf((await solvedPlan(plans, planId, planner(context.caller))).problem.solver);
        if (context.cause.dryRun) return { result: true };
        const work: ReplayWork = { planId, planner: planner(context.caller) };
        return { result: true, job_id: await jobs.queue('route_replay', work, context, planStream(planId)) };
      },
    }),
  ];
}
