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
import { executeCommit, codeOf, commandsTo, type ExecuteCommitOptions, type CommitOutcome } from './execute-commit.js';
import type { Planner } from './planning-data.js';
import { overlap, busyPeriodsOf } from './free-time.js';
import type { EligibleDrivers } from './eligible-drivers.js';
import type { SolvedPlan } from './solved-plan.js';
import { stepsOf } from './steps.js';

export interface CommitWork {
  readonly planId: number;
  readonly planner: Planner;
  readonly onConflict: 'skip' | 'fail';
  /** Indexes of the routes to commit; absent: all. */
  readonly indexes?: readonly number[];
}

export type Commit = (
  work: CommitWork,
  job: Pick<JobHandle, 'cause' | 'cancelled' | 'owner'>,
) => Promise<CommitOutcome>;

export interface CommitOptions extends ExecuteCommitOptions {
  readonly handle: Handle<PlanCommand, undefined>;
  readonly eligibleDrivers: EligibleDrivers;
  readonly board: Pick<BoardQueries, 'others'>;
  readonly solvedPlan: SolvedPlan;
  /** Reserves ids of new routes; the same command gets the same ids. */
  readonly reserveRoutes: (count: number, commandId: string) => Promise<readonly number[]>;
}

type SendCommand = (command: Pick<PlanCommand, 'do'>) => Promise<unknown>;
type CommitStart = NonNullable<PlanRow['commit']>;

export function createCommit(options: CommitOptions): Commit {
  const { handle, solvedPlan } = options;

  return async ({ planId, planner, onConflict, indexes }, job) => {
    const currentPlan = async (): Promise<PlanRow> => {
      const plan = await solvedPlan(planId, planner);
      if (!plan) throw new ApiError('PLAN_NOT_FOUND');
      return plan;
    };
    const sendCommand: SendCommand = (command) =>
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
    let plan = await currentPlan();
    if (!plan.outcome && !plan.commit) {
      const requestedIndexes = indexes ?? [...plan.solved!.routes.keys()];
      const commit = await prepareCommit(options, { plan, planner, requestedIndexes, onConflict }, job);
      await sendCommand({ do: 'begin_commit', commit } as Pick<PlanCommand, 'do'>);
      // Another commit may have started first: then both calls complete the first commit.
      plan = await currentPlan();
    }
    if (plan.outcome) return plan.outcome;
    const outcome = await executeCommit(options, { plan, planner }, job);
    await sendCommand({ do: 'end_commit', outcome } as Pick<PlanCommand, 'do'>);
    return (await currentPlan()).outcome ?? outcome;
  };
}

/**
 * Decides which routes are created, their ids, and which routes are rejected. A route is rejected if its driver may no
 * longer drive, or got another route since planning. With `fail`, it tries everything in a dry run first; throws
 * PLAN_CONFLICT if an order would be rejected.
 */
async function prepareCommit(
  options: CommitOptions,
  {
    plan,
    planner,
    requestedIndexes,
    onConflict,
  }: {
    readonly plan: PlanRow;
    readonly planner: Planner;
    readonly requestedIndexes: readonly number[];
    readonly onConflict: 'skip' | 'fail';
  },
  job: Pick<JobHandle, 'cause' | 'owner'>,
): Promise<CommitStart> {
  const routes = plan.solved!.routes;
  const drivers = await options.eligibleDrivers(
    requestedIndexes.map((index) => routes[index]!.driver_id),
    planner,
  );
  const hasConflict = await createConflictCheck(options, plan);
  const refusalOf = (index: number): string | undefined =>
    !drivers.has(routes[index]!.driver_id) ? 'UNKNOWN_DRIVER' : hasConflict(index) ? 'DRIVER_BOUND' : undefined;
  const indexes = requestedIndexes.filter((index) => refusalOf(index) === undefined);
  const refused_routes = requestedIndexes.flatMap((index) => {
    const code = refusalOf(index);
    return code === undefined ? [] : [{ index, code }];
  });
  if (onConflict === 'fail') await checkByDryRun(options, { plan, planner, indexes, refused_routes }, job);
  const newIndexes = indexes.filter((index) => routes[index]!.route_id === undefined);
  // A commit of different routes of the plan reserves different ids.
  const newIds = await options.reserveRoutes(
    newIndexes.length,
    derivedId('plan', plan.id, 'routes', newIndexes.join(' ')),
  );
  return {
    committed_by: job.owner,
    on_conflict: onConflict,
    indexes,
    route_ids: indexes.map((index) => routes[index]!.route_id ?? newIds[newIndexes.indexOf(index)]!),
    ...(refused_routes.length > 0 && { refused_routes }),
  };
}

/** Returns a test whether the driver of a planned route got another route at the same time. */
async function createConflictCheck(
  { board }: CommitOptions,
  { date, solved }: PlanRow,
): Promise<(index: number) => boolean> {
  const { routes } = solved!;
  const driverIds = [...new Set(routes.map(({ driver_id }) => driver_id))];
  const without = new Set(routes.flatMap(({ route_id }) => route_id ?? []));
  const busyPeriods = await busyPeriodsOf(board, driverIds, { date, without });
  return (index) => {
    const { driver_id, start, end } = routes[index]!;
    return (busyPeriods.get(driver_id) ?? []).some((one) => overlap(one, { from: start, to: end }));
  };
}

type CommitAttempt = Pick<CommitStart, 'indexes' | 'refused_routes'> & {
  readonly plan: PlanRow;
  readonly planner: Planner;
};

/** Tries all routes and orders in a dry run; throws PLAN_CONFLICT if one would be rejected. */
async function checkByDryRun(
  options: CommitOptions,
  { plan, planner, indexes, refused_routes = [] }: CommitAttempt,
  { cause, owner }: Pick<JobHandle, 'cause' | 'owner'>,
): Promise<void> {
  const { commands, reservations } = options;
  const NEW_ROUTE = 0;
  const dryRunCause: Cause = { ...cause, dryRun: [] };
  const closed = new Set(refused_routes.map(({ index }) => index));
  for (const index of indexes) {
    const { route_id } = plan.solved!.routes[index]!;
    const { sequence, reservationFor } = commandsTo({ plan, planner, owner }, index, route_id ?? NEW_ROUTE);
    const isRefused =
      route_id === undefined
        ? !(await reservations.reserve(reservationFor('reserve'), dryRunCause))
        : (await codeOf(commands.routes(routeStream(route_id), sequence, dryRunCause))) !== undefined;
    if (isRefused) closed.add(index);
  }
  let count = 0;
  for (const { orderId, index, changed, command } of await stepsOf(options, plan, [...closed, ...indexes], planner)) {
    const routeId = plan.solved!.routes[index]!.route_id ?? NEW_ROUTE;
    const isRefused =
      changed ||
      closed.has(index) ||
      (await codeOf(commands.orders(orderStream(orderId), command(routeId), dryRunCause))) !== undefined;
    if (isRefused) count += 1;
  }
  if (count > 0) throw new ApiError('PLAN_CONFLICT', { params: { count } });
}
