/**
 * Carries a plan out: creates routes and puts orders on them, each through its own stream. All ids derive from the
 * plan, so a process that continues after a crash finishes the work, and nothing is there twice.
 */
import type { Commands } from '../../../commands/commands.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Cause, Handle } from '../../../commands/core/handle.js';
import type { PlanCommand } from '../../../commands/plans/decider.js';
import { orderStream } from '../../../events/orders/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import { planStream, type PlannedRoute } from '../../../events/plans/events.js';
import { routeStream } from '../../../events/routes/events.js';
import type { EventLog } from '../../../events/core/log.js';
import type { PlanningQueries } from '../../../projections/contractors/queries.js';
import type { Progress } from '../../../projections/core/progress.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { PlanQueries } from '../../../projections/plans/queries.js';
import type { PlanRow } from '../../../projections/plans/read-model.js';
import { ApiError } from '../../core/errors.js';
import type { JobHandle } from '../jobs/kind.js';
import { type PlannerOf } from './facts.js';
import { stepsOf, type Step } from './steps.js';

export interface CommitWork {
  readonly planId: number;
  readonly planner: PlannerOf;
  readonly onConflict: 'skip' | 'fail';
  /** Which of its routes; absent: all. */
  readonly indexes?: readonly number[];
}

export interface CommitOutcome {
  readonly placed: number;
  readonly moved: number;
  readonly refused: { readonly order_id: number; readonly code: string }[];
  readonly closed_route_ids: number[];
}

export type Commit = (
  work: CommitWork,
  job: Pick<JobHandle, 'cause' | 'cancelled' | 'owner'>,
) => Promise<CommitOutcome>;

export interface CommitOptions {
  readonly handle: Handle<PlanCommand, undefined>;
  readonly commands: Pick<Commands, 'orders' | 'routes'>;
  readonly orders: OrderQueries;
  readonly planning: PlanningQueries;
  readonly solvedPlan: SolvedPlan;
  /** Ids of new routes; the same command gets the same ones. */
  readonly reserveRoutes: (count: number, commandId: string) => Promise<readonly number[]>;
}

const AWAIT_MS = 10_000;
/** Orders that are put on routes side by side. */
const STEP = 100;

/** A plan as of now: what was solved a moment ago is in it. Undefined unless it is solved. */
export type SolvedPlan = (id: number, planner: PlannerOf) => Promise<PlanRow | undefined>;

export const createSolvedPlan =
  ({
    plans,
    log,
    progress,
  }: {
    readonly plans: PlanQueries;
    readonly log: EventLog;
    readonly progress: Progress;
  }): SolvedPlan =>
  async (id, { business, brokerId }) => {
    const head = await log.head();
    await Promise.all([progress.waitFor('plans', head, AWAIT_MS), progress.waitFor('orders', head, AWAIT_MS)]);
    const plan = await plans.byId(id, { business, ...(brokerId !== undefined && { brokerId }) });
    return plan?.solved && plan.problem ? plan : undefined;
  };

export function createCommit(options: CommitOptions): Commit {
  const { handle, solvedPlan, reserveRoutes } = options;

  return async (work, job) => {
    const { planId, planner, onConflict } = work;
    const { cause } = job;
    const plan = await solvedPlan(planId, planner);
    if (!plan) throw new ApiError('PLAN_NOT_FOUND');
    if (plan.outcome) return plan.outcome;
    const tell = (command: Pick<PlanCommand, 'do'>) =>
      handle(
        planStream(planId),
        {
          ...command,
          id: planId,
          business: planner.business,
          commandId: derivedId('plan', planId, command.do),
        } as PlanCommand,
        cause,
      );
    const routes = plan.solved!.routes;
    const indexes = plan.commit?.indexes ?? work.indexes ?? [...routes.keys()];
    const planned = await stepsOf(options, plan, indexes, planner);
    if (!plan.commit) {
      if (onConflict === 'fail') await mustAllHold(options, planned, job);
      const fresh = indexes.filter((index) => routes[index]!.route_id === undefined);
      const made = await reserveRoutes(fresh.length, derivedId('plan', planId, 'routes'));
      const ids = indexes.map((index) => routes[index]!.route_id ?? made[fresh.indexOf(index)]!);
      const commit = { committed_by: job.owner, indexes: [...indexes], route_ids: ids };
      await tell({ do: 'begin_commit', commit } as Pick<PlanCommand, 'do'>);
      return carryOut(options, { plan: { ...plan, commit }, planner, planned }, job, tell);
    }
    return carryOut(options, { plan, planner, planned }, job, tell);
  };
}

/** Tries all of them out; throws PLAN_CONFLICT where one would be refused. */
async function mustAllHold(
  { commands }: CommitOptions,
  steps: readonly Step[],
  { cause }: Pick<JobHandle, 'cause'>,
): Promise<void> {
  const NEW_ROUTE = 0;
  const rehearsed: Cause = { ...cause, rehearsal: [] };
  let count = 0;
  for (const { orderId, changed, from, command } of steps) {
    const refusal = changed
      ? 'ORDER_CHANGED'
      : await commands
          .orders(orderStream(orderId), command(from ?? NEW_ROUTE), rehearsed)
          .then(() => undefined, codeOf);
    if (refusal !== undefined) count += 1;
  }
  if (count > 0) throw new ApiError('PLAN_CONFLICT', { params: { count } });
}

/** The code of a refusal; what is none is thrown on. */
function codeOf(error: unknown): string {
  if (error instanceof DomainError) return error.code;
  throw error;
}

async function carryOut(
  { commands }: CommitOptions,
  {
    plan,
    planner: { business, brokerId },
    planned,
  }: { readonly plan: PlanRow; readonly planner: PlannerOf; readonly planned: readonly Step[] },
  { cause, cancelled, owner }: Pick<JobHandle, 'cause' | 'cancelled' | 'owner'>,
  tell: (command: Pick<PlanCommand, 'do'>) => Promise<unknown>,
): Promise<CommitOutcome> {
  const { indexes, route_ids } = plan.commit!;
  const routes = plan.solved!.routes;
  const toRoute = (routeId: number, what: string) => ({
    commandId: derivedId('plan', plan.id, what, routeId),
    routeId,
    business,
    by: owner,
    ...(brokerId !== undefined && { brokerId }),
  });
  for (const [at, index] of indexes.entries()) {
    const route = routes[index]!;
    const routeId = route_ids[at]!;
    if (route.route_id === undefined)
      await commands.routes(
        routeStream(routeId),
        {
          ...toRoute(routeId, 'create'),
          do: 'create',
          name: `Plan ${plan.id}, ${at + 1}`,
          schedule_date: plan.date,
          driverId: route.driver_id,
        },
        cause,
      );
    await commands.routes(
      routeStream(routeId),
      { ...toRoute(routeId, 'sequence'), do: 'sequence', planned: plannedOf(plan.id, route) },
      cause,
    );
  }

  let placed = 0;
  let moved = 0;
  const refused: CommitOutcome['refused'] = [];
  const filled = new Set<number>(routes.flatMap(({ route_id }) => route_id ?? []));
  for (let at = 0; at < planned.length; at += STEP) {
    cancelled.throwIfAborted();
    // Decided side by side, so that they meet in one append.
    await Promise.all(
      planned.slice(at, at + STEP).map(async ({ orderId, index, changed, from, command }) => {
        const routeId = route_ids[indexes.indexOf(index)]!;
        const refusal = changed
          ? 'ORDER_CHANGED'
          : await commands.orders(orderStream(orderId), command(routeId), cause).then(() => undefined, codeOf);
        if (refusal !== undefined) return void refused.push({ order_id: orderId, code: refusal });
        filled.add(routeId);
        if (from === undefined) placed += 1;
        else if (from !== routeId) moved += 1;
      }),
    );
  }
  // A route that nothing came onto is no route.
  const closed = route_ids.filter((id) => !filled.has(id));
  for (const routeId of closed)
    await commands.routes(routeStream(routeId), { ...toRoute(routeId, 'close'), do: 'close' }, cause);
  const outcome = { placed, moved, refused: refused.sort((a, b) => a.order_id - b.order_id), closed_route_ids: closed };
  await tell({ do: 'end_commit', outcome } as Pick<PlanCommand, 'do'>);
  return outcome;
}

const plannedOf = (planId: number, { start, end, distance_m, done = [], stops }: PlannedRoute) => ({
  plan_id: planId,
  start,
  end,
  distance_m,
  stops: [...done, ...stops],
});
