/**
 * The job that creates a plan: gathers the input, fixes the problem, searches, checks, records, and commits if
 * requested.
 */
import type { Handle } from '../../../commands/core/handle.js';
import type { PlanCommand } from '../../../commands/plans/decider.js';
import { accountSubject } from '../../../events/accounts/events.js';
import { orderSubject } from '../../../events/orders/events.js';
import { planStream, type PlanRequested } from '../../../events/plans/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { Matrix } from '../../../solvers/routes/problem.js';
import type { z } from 'zod';
import { ApiError } from '../../core/errors.js';
import { jobKind, type JobHandle } from '../jobs/kind.js';
import { runInThread } from './worker-threads/run-in-thread.js';
import type { StoredProblem } from './worker-threads/computations.js';
import type { Commit } from './commit.js';
import type { SolvedPlan } from './solved-plan.js';
import type { MatrixSource } from './matrix-source.js';
import type { Engines } from './engines.js';
import type { ReportCheckFailure } from './metrics.js';
import { orderFingerprint, type Planner } from './planning-data.js';
import type { Excluded, Gather } from './gather.js';
import { problemOf } from './problem.js';
import { DEFAULT_SEED, type PlanRequest } from './request.js';
import { searchPlan, solverOf } from './search-plan.js';

/** The artifact with the complete problem. Without it, the plan cannot be replayed or explained. */
export const PROBLEM_FILE = 'problem.json';
/** The artifact with the matrix, if it came from a map: the map may return other distances later. */
export const MATRIX_FILE = 'matrix.bin';

export interface PlanWork {
  readonly planId: number;
  readonly planner: Planner;
  readonly request: PlanRequest & { readonly date: string };
  /** Data of the event that begins the plan. The operation or the job writes it, whichever comes first. */
  readonly requested: Omit<z.infer<typeof PlanRequested.schema>, 'plan_id' | 'business'>;
}

/** A problem with its matrix, and the fingerprints of both. */
interface FixedProblem extends StoredProblem {
  readonly matrix: Matrix;
  readonly inputSha256: string;
  readonly matrixSha256: string;
}

export interface PlanJobOptions {
  readonly gather: Gather;
  readonly handle: Handle<PlanCommand, undefined>;
  readonly engines: Engines;
  readonly matrixSource: MatrixSource;
  readonly commit: Commit;
  /** The current plan, if it is solved. */
  readonly solvedPlan: SolvedPlan;
  /** Waits until the read models have processed all changes, so that the plan is readable when the job ends. */
  readonly awaitReadModels: () => Promise<void>;
  /** Called when the checker rejects a solution. */
  readonly reportCheckFailure: ReportCheckFailure;
  /** Maximum number of threads per search. */
  readonly threads: number;
}

/** The id of the command that begins the plan of a job. */
export const requestId = (jobId: string): string => derivedId('plan', jobId, 'request');

export function planJob({
  gather,
  engines,
  matrixSource,
  handle,
  commit,
  solvedPlan,
  awaitReadModels,
  threads,
  reportCheckFailure,
}: PlanJobOptions) {
  const sendCommand = (
    { planId, planner }: PlanWork,
    { id, cause }: Pick<JobHandle, 'id' | 'cause'>,
    command: PlanCommandBody,
  ) =>
    handle(
      planStream(planId),
      {
        ...command,
        id: planId,
        business: planner.business,
        commandId: command.do === 'request' ? requestId(id) : derivedId('plan', id, command.do),
      } as PlanCommand,
      cause,
    );

  /** Returns the problem that an earlier attempt fixed, or fixes a new one. */
  async function prepareProblem(
    { request, planner }: PlanWork,
    { artifacts, cancelled }: JobHandle,
  ): Promise<FixedProblem> {
    const storedFile = await artifacts.get(PROBLEM_FILE);
    if (storedFile) {
      const previous = await runInThread(
        'opened',
        [{ problem: storedFile, matrix: await artifacts.get(MATRIX_FILE) }],
        cancelled,
      );
      if (previous.code) throw new ApiError(previous.code);
      const { made: storedProblem, ...more } = previous;
      return { ...storedProblem, ...more };
    }
    const { input, excluded } = await gather(request, planner);
    if (input.orders.length === 0) throw new ApiError('NOTHING_TO_PLAN');
    const facts = input.orders.map(({ orderId, order, routeId }) => ({
      order_id: orderId,
      facts: orderFingerprint(order),
      ...(routeId !== undefined && { route_id: routeId }),
    }));
    const { problem, matrix } = await matrixSource.measure(
      problemOf(input),
      input.settings.matrix_fallback ?? false,
      cancelled,
    );
    const storedProblem: StoredProblem = { problem, facts, excluded };
    const subjects = [
      ...input.orders.map(({ orderId }) => orderSubject(orderId)),
      ...input.drivers.flatMap(({ driverId, personal }) => (personal ? [accountSubject(driverId)] : [])),
    ];
    const { file, packedMatrix, ...fingerprints } = await runInThread('fixed', [storedProblem, matrix], cancelled);
    if (packedMatrix) await artifacts.put(MATRIX_FILE, 'application/octet-stream', Buffer.from(packedMatrix), subjects);
    await artifacts.put(PROBLEM_FILE, 'application/json', Buffer.from(file), subjects);
    return { ...storedProblem, matrix, ...fingerprints };
  }

  /** Searches and records; returns the number of unassigned orders. */
  async function solve(work: PlanWork, job: JobHandle): Promise<number> {
    const { budget: requestedBudget } = work.request;
    job.progress(0.01, 'reading');
    const engine = engines.of(work.request.engine);
    const { problem: plan, facts, excluded, matrix, ...fingerprints } = await prepareProblem(work, job);
    const budget = { seed: DEFAULT_SEED, ...requestedBudget, threads: Math.min(threads, requestedBudget.threads) };
    await sendCommand(work, job, {
      do: 'fix',
      problem: {
        input_sha256: fingerprints.inputSha256,
        matrix_sha256: fingerprints.matrixSha256,
        solver: solverOf(engine),
        matrix: plan.matrix,
        seed: budget.seed,
        threads: budget.threads,
        orders: facts,
        resources: [...plan.resources],
        excluded: [...excluded],
      },
    });
    const solved = await searchPlan(engine, plan.problem, matrix, budget, {
      stop: job.stopped,
      cancel: job.cancelled,
      onProgress: (fraction) => job.progress(0.05 + 0.8 * fraction, 'solving'),
    });
    job.progress(0.86, 'checking');
    const found = await runInThread('concluded', [plan, matrix, solved.solution], job.cancelled);
    if (found.code) {
      reportCheckFailure({ ...work, business: job.business, solver: solverOf(engine) });
      throw new ApiError(found.code);
    }
    const { solutionSha256: solution_sha256, before, routes, unassigned } = found;
    await sendCommand(work, job, {
      do: 'solve',
      solved: {
        solution_sha256,
        trace: { legs: [...solved.trace.legs], done: solved.trace.done.map((done) => [...done]) },
        iterations: solved.iterations,
        milliseconds: Math.round(solved.seconds * 1_000),
        stopped: solved.stopped,
        before,
        routes,
        unassigned,
      },
    });
    return countUnassigned(work.request, excluded, unassigned);
  }

  return jobKind<PlanWork>({
    name: 'route_plan',
    scopes: { read: 'routes:read', write: 'routes:write' },
    stoppable: true,
    isLong: () => true,

    async run(work, job) {
      await sendCommand(work, job, { do: 'request', request: work.requested });
      // If a worker died after the search, its result is reused.
      const before = job.attempt > 1 ? await solvedPlan(work.planId, work.planner) : undefined;
      const unassignedCount = before
        ? countUnassigned(work.request, before.problem!.excluded, before.solved!.unassigned)
        : await solve(work, job);
      const { auto_commit, commit_partial, on_conflict } = work.request;
      if (!auto_commit || (unassignedCount > 0 && !commit_partial)) {
        await awaitReadModels();
        return { route_plan_id: work.planId, committed: false };
      }
      job.progress(0.9, 'committing');
      const { placed, moved } = await commit({ ...work, onConflict: on_conflict }, job);
      await awaitReadModels();
      return { route_plan_id: work.planId, committed: true, placed, moved };
    },

    async onAborted(work, job, { state, code }) {
      const command: PlanCommandBody = state === 'failed' ? { do: 'fail', code } : { do: 'discard' };
      // If the plan was solved before, it stays: only the commit failed.
      await sendCommand(work, job, command).catch((error: { code?: string }) => {
        if (error.code !== 'PLAN_NOT_READY' && error.code !== 'PLAN_NOT_FOUND') throw error;
      });
      await awaitReadModels();
    },
  });
}

/** Exclusions by a decision of staff. They count as unassigned only if the request names the order. */
const KEPT_BACK_CODES: ReadonlySet<string> = new Set([
  'ORDER_HELD',
  'ASSIGNED_TO_CONTRACTOR',
  'HELD_BY_THIRD_PARTY',
  'OFFERED_TO_THIRD_PARTY',
  'NOT_SELF_DELIVERY',
]);

/** Number of orders that the plan should include and does not. */
const countUnassigned = (
  { order_ids }: PlanRequest,
  excluded: readonly Excluded[],
  unassigned: readonly unknown[],
): number =>
  unassigned.length +
  excluded.filter(({ reasons }) => order_ids || !KEPT_BACK_CODES.has(reasons[0]?.code ?? '')).length;

type PlanCommandBody = PlanCommand extends infer C
  ? C extends PlanCommand
    ? Omit<C, 'id' | 'business' | 'commandId'>
    : never
  : never;
