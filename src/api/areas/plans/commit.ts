/**
 * Commits a plan: creates routes and puts orders on them, each through its own stream. All ids derive from the plan. So
 * a process that continues after a crash completes the work without duplicates.
 */
import type { Cause, Handle } from '../../../commands/core/handle.js';
import type { PlanCommand } from '../../../commands/plans/decider.js';
import { orderStream } from '../../../events/orders/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import { planStream } from '../../../events/plans/events.js';
import { routeStream } from '../../../events/routes/events.js';
import type { BoardQueries } from '../../../projections/board/queries.js';
import type { PlanRow } from '../../../projections/plans/read-model.js';
import { ApiError } from '../../core/errors.js';
import type { JobHandle } from '../jobs/kind.js';
import { carryOut, codeOf, commandsTo, type CarryOptions, type CommitOutcome } from './carry-out.js';
import type { PlannerOf } from './facts.js';
import { overlap, takenBy } from './free-time.js';
import type { MayDrive } from './may-drive.js';
import type { SolvedPlan } from './solved-plan.js';
import { stepsOf } from './steps.js';

export interface CommitWork {
  readonly planId: number;
  readonly planner: PlannerOf;
  readonly onConflict: 'skip' | 'fail';
  /** Indexes of the routes to commit; absent: all. */
  readonly indexes?: readonly number[];
}

export type Commit = (
  work: CommitWork,
  job: Pick<JobHandle, 'cause' | 'cancelled' | 'owner'>,
) => Promise<CommitOutcome>;

export interface CommitOptions extends CarryOptions {
  readonly handle: Handle<PlanCommand, undefined>;
  readonly mayDrive: MayDrive;
  readonly board: Pick<BoardQueries, 'others'>;
  readonly solvedPlan: SolvedPlan;
  /** Reserves ids of new routes; the same command gets the same ids. */
  readonly reserveRoutes: (count: number, commandId: string) => Promise<readonly number[]>;
}

type Tell = (command: Pick<PlanCommand, 'do'>) => Promise<unknown>;
type Begun = NonNullable<PlanRow['commit']>;

export function createCommit(options: CommitOptions): Commit {
  const { handle, solvedPlan } = options;

  return async ({ planId, planner, onConflict, indexes }, job) => {
    const found = async (): Promise<PlanRow> => {
      const plan = await solvedPlan(planId, planner);
      if (!plan) throw new ApiError('PLAN_NOT_FOUND');
      return plan;
    };
    const tell: Tell = (command) =>
      handle(
        planStream(planId),
        {
          ...command,
          id: planId,
          business: planner.business,
          commandId: derivedId('plan', planId, command.do),
        } as PlanCommand,
        job.cause,
      );
    let plan = await found();
    if (!plan.outcome && !plan.commit) {
      const wanted = indexes ?? [...plan.solved!.routes.keys()];
      const commit = await beginningOf(options, { plan, planner, wanted, onConflict }, job);
      await tell({ do: 'begin_commit', commit } as Pick<PlanCommand, 'do'>);
      // Another commit may have begun first: then both complete that one.
      plan = await found();
    }
    if (plan.outcome) return plan.outcome;
    const outcome = await carryOut(options, { plan, planner }, job);
    await tell({ do: 'end_commit', outcome } as Pick<PlanCommand, 'do'>);
    return (await found()).outcome ?? outcome;
  };
}

/**
 * Decides which routes are created, their ids, and which routes are rejected. A route is rejected if its driver may no
 * longer drive, or got another route since planning. With `fail`, it tries everything in a dry run first; throws
 * PLAN_CONFLICT if an order would be rejected.
 */
async function beginningOf(
  options: CommitOptions,
  {
    plan,
    planner,
    wanted,
    onConflict,
  }: {
    readonly plan: PlanRow;
    readonly planner: PlannerOf;
    readonly wanted: readonly number[];
    readonly onConflict: 'skip' | 'fail';
  },
  job: Pick<JobHandle, 'cause' | 'owner'>,
): Promise<Begun> {
  const routes = plan.solved!.routes;
  const drivers = await options.mayDrive(
    wanted.map((index) => routes[index]!.driver_id),
    planner,
  );
  const isBound = await bindingOf(options, plan);
  const refusalOf = (index: number): string | undefined =>
    !drivers.has(routes[index]!.driver_id) ? 'UNKNOWN_DRIVER' : isBound(index) ? 'DRIVER_BOUND' : undefined;
  const indexes = wanted.filter((index) => refusalOf(index) === undefined);
  const refused_routes = wanted.flatMap((index) => {
    const code = refusalOf(index);
    return code === undefined ? [] : [{ index, code }];
  });
  if (onConflict === 'fail') await mustAllHold(options, { plan, planner, indexes, refused_routes }, job);
  const fresh = indexes.filter((index) => routes[index]!.route_id === undefined);
  // A commit of different routes of the plan reserves different ids.
  const made = await options.reserveRoutes(fresh.length, derivedId('plan', plan.id, 'routes', fresh.join(' ')));
  return {
    committed_by: job.owner,
    on_conflict: onConflict,
    indexes,
    route_ids: indexes.map((index) => routes[index]!.route_id ?? made[fresh.indexOf(index)]!),
    ...(refused_routes.length > 0 && { refused_routes }),
  };
}

/** Returns a test whether the driver of a planned route got another route at the same time. */
async function bindingOf({ board }: CommitOptions, { date, solved }: PlanRow): Promise<(index: number) => boolean> {
  const { routes } = solved!;
  const driverIds = [...new Set(routes.map(({ driver_id }) => driver_id))];
  const without = new Set(routes.flatMap(({ route_id }) => route_id ?? []));
  const taken = await takenBy(board, driverIds, { date, without });
  return (index) => {
    const { driver_id, start, end } = routes[index]!;
    return (taken.get(driver_id) ?? []).some((one) => overlap(one, { from: start, to: end }));
  };
}

type Tried = Pick<Begun, 'indexes' | 'refused_routes'> & { readonly plan: PlanRow; readonly planner: PlannerOf };

/** Tries all routes and orders in a dry run; throws PLAN_CONFLICT if one would be rejected. */
async function mustAllHold(
  options: CommitOptions,
  { plan, planner, indexes, refused_routes = [] }: Tried,
  { cause, owner }: Pick<JobHandle, 'cause' | 'owner'>,
): Promise<void> {
  const { commands, givenTime } = options;
  const NEW_ROUTE = 0;
  const rehearsed: Cause = { ...cause, rehearsal: [] };
  const closed = new Set(refused_routes.map(({ index }) => index));
  for (const index of indexes) {
    const { route_id } = plan.solved!.routes[index]!;
    const { sequence, time } = commandsTo({ plan, planner, owner }, index, route_id ?? NEW_ROUTE);
    const isRefused =
      route_id === undefined
        ? !(await givenTime.reserve(time('reserve'), rehearsed))
        : (await codeOf(commands.routes(routeStream(route_id), sequence, rehearsed))) !== undefined;
    if (isRefused) closed.add(index);
  }
  let count = 0;
  for (const { orderId, index, changed, command } of await stepsOf(options, plan, [...closed, ...indexes], planner)) {
    const routeId = plan.solved!.routes[index]!.route_id ?? NEW_ROUTE;
    const isRefused =
      changed ||
      closed.has(index) ||
      (await codeOf(commands.orders(orderStream(orderId), command(routeId), rehearsed))) !== undefined;
    if (isRefused) count += 1;
  }
  if (count > 0) throw new ApiError('PLAN_CONFLICT', { params: { count } });
}
