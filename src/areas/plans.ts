/** Plans: routes that the solver proposes, and that become real routes when they are committed. */
import { PLAN_EXAMPLES } from '../api/areas/plans/examples.js';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { threadedBodies } from '../api/areas/plans/worker-threads/run-in-thread.js';
import { manualChangeOperations } from '../api/areas/plans/manual-changes.js';
import { createCommit, type CommitWork } from '../api/areas/plans/commit.js';
import { createEligibleDrivers } from '../api/areas/plans/eligible-drivers.js';
import { createSolvedPlan } from '../api/areas/plans/solved-plan.js';
import { createMatrixSource } from '../api/areas/plans/matrix-source.js';
import { createEngines } from '../api/areas/plans/engines.js';
import { explanationOperations, replayJob } from '../api/areas/plans/explanations.js';
import { createGather } from '../api/areas/plans/gather.js';
import { createTimeReservations } from '../api/areas/plans/time-reservations.js';
import { planDecisionOperations } from '../api/areas/plans/decisions.js';
import { createPlanService } from '../api/areas/plans/plan-service.js';
import { planOperations } from '../api/areas/plans/operations.js';
import { createCheckFailureReporter } from '../api/areas/plans/metrics.js';
import { planJob } from '../api/areas/plans/plan-job.js';
import type { ToolDefinition } from '../api/mcp/definition.js';
import { jobKind } from '../api/areas/jobs/kind.js';
import { plans as decider } from '../commands/plans/decider.js';
import { Osrm } from '../engines/routing/osrm.js';
import { Vroom } from '../engines/routing/vroom.js';
import { PLAN_EVENTS, PLAN_PREFIX } from '../events/plans/events.js';
import { createPlanQueries } from '../projections/plans/queries.js';
import { PLAN_IDS, plans as planRows } from '../projections/plans/read-model.js';
import { ROUTE_IDS } from '../projections/routes/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { board } from './board.js';
import { contractors } from './contractors.js';
import { datasets } from './datasets.js';
import { drivers } from './drivers.js';
import { fleets } from './fleets.js';
import { jobs } from './jobs.js';
import { orders } from './orders.js';
import { planning } from './planning.js';
import { routes } from './routes.js';
import { shifts } from './shifts.js';
import { skills } from './skills.js';
import { warehouses } from './warehouses.js';

const OPTIONS: ToolDefinition = {
  category: 'routes',
  name: 'get_build_route_options',
  title: 'Options for building routes',
  operation: 'routePlanOptions',
  description: 'Routing engines, balance modes, capacity types, limits and defaults. Call it before build_route.',
};
const BUILD: ToolDefinition = {
  category: 'routes',
  name: 'build_route',
  title: 'Build optimized routes',
  operation: 'routePlanCreate',
  description:
    'Plan pending orders onto drivers and, unless auto_commit is false, put them on routes. Call get_build_route_options first. Returns orders that do not fit with a reason each.',
  arguments: {
    mode: {
      description: '`build`: new routes; `insert`: add orders to `route_ids`; `reoptimize`: plan `route_ids` again.',
    },
    schedule_date: { description: 'Day to plan. Default: that of `route_ids`, else today.' },
    order_ids: { description: 'Orders to plan. Default: those of `pool`.' },
    pool: { description: 'Pending orders: of the day, earlier or without day (`due`, default); of the day; all.' },
    postal_prefixes: { description: 'Only postal codes that begin so.' },
    route_ids: { description: 'Routes to change. Not with `build`.' },
    driver_ids: { description: 'Default: drivers with a shift that day, else all active ones.' },
    vehicle_ids: { description: 'Only shifts in these vehicles.' },
    fleet_ids: { description: 'Only drivers of these fleets. Not with `insert`.' },
    engine: { description: 'Solver.' },
    matrix: { description: 'Distances: great circles or streets.' },
    minimize: { description: 'Objective.' },
    prices: { description: 'Costs as decimal strings: `per_route`, `per_km`, `per_hour`.', opaque: true },
    balance: {
      description: '`mode` (none, stops, duration, load), `strength` 0 to 1, `use_all` drivers.',
      opaque: true,
    },
    capacity_types: { description: 'Capacities that count. Default: all.' },
    end: { description: 'Route ends at the depot, the last stop (`open`) or home.' },
    drive_break: { description: 'Pause of `duration_s` after `after_s` seconds at the wheel.', opaque: true },
    max_route_minutes: { description: 'Longest duration of a route.' },
    max_route_km: { description: 'Longest distance of a route.' },
    max_stops: { description: 'Most stops on a route.' },
    traffic_factor: { description: 'Multiplies driving times.' },
    eta_window_minutes: { description: 'Width of the arrival windows.' },
    orders: {
      description:
        'Exceptions for single orders: `order_id` with `service_time_s`, `priority` 0 to 9, `required_skills`, `custom_sizes` or `time_windows`.',
      opaque: true,
    },
    budget: {
      description: 'Search effort: `time_limit_s` (default 10) or `iterations`; `threads`, `seed`.',
      opaque: true,
    },
    respect_pins: { description: 'Keep pinned orders.' },
    respect_manual: { description: 'Keep orders that a person assigned.' },
    auto_commit: { description: 'False: only propose a plan, change no route.' },
    commit_partial: { description: 'False: do not commit if an order is left over.' },
    on_conflict: { description: 'If an order changed meanwhile: skip it or commit nothing.' },
  },
  shape: { wait_s: z.int().min(0).max(25).default(20).describe('Seconds to wait for the plan.') },
};

export const plans = area({
  name: 'plans',
  examples: PLAN_EXAMPLES,
  streams: [{ prefix: PLAN_PREFIX, events: PLAN_EVENTS, tenant: 'business' }],
  readModels: [planRows],
  sequences: [PLAN_IDS],
  errors: {
    PLAN_NOT_FOUND: 404,
    PLAN_NOT_READY: 409,
    DRIVER_BOUND: 409,
    PLAN_CONFLICT: 409,
    PLAN_DATE_PAST: 422,
    PLAN_TOO_OLD: 422,
    NOTHING_TO_PLAN: 422,
    UNKNOWN_CAPACITY: 422,
    NO_HOME: 422,
    NO_START: 422,
    ROUTE_FINISHED: 409,
    ROUTE_HAS_NO_DRIVER: 422,
    ROUTE_OF_ANOTHER_DAY: 422,
    PROBLEM_REFUSED: 500,
    DRIVER_ON_SEVERAL_ROUTES: 422,
    ENGINE_LACKS: 422,
    ENGINE_LIMIT: 422,
    ENGINE_FAILED: 503,
    MATRIX_UNAVAILABLE: 503,
    CHECK_FAILED: 500,
    INPUT_ERASED: 410,
    SOLVER_RETIRED: 410,
    NOT_GEOCODED: 422,
    UNREACHABLE: 422,
  },
  tools: { operations: [OPTIONS, BUILD], developer: [OPTIONS, BUILD] },
  services: ({ database, handle, commands, of, now, config: { routing }, metrics, logger }) => ({
    reportCheckFailure: createCheckFailureReporter(metrics.registry, logger),
    handle: handle(decider),
    engines: createEngines(
      routing.vroomUrl === undefined
        ? []
        : [new Vroom({ url: routing.vroomUrl, maxBody: routing.vroomMaxBody, bodies: threadedBodies })],
    ),
    matrixSource: createMatrixSource(
      routing.osrmUrl === undefined ? [] : [new Osrm({ url: routing.osrmUrl, tableSize: routing.osrmTableSize })],
    ),
    queries: createPlanQueries(database),
    eligibleDrivers: createEligibleDrivers({ accounts: of(accounts).queries, fleets: of(fleets).queries }),
    reservations: createTimeReservations({ commands, board: of(board).boards, routes: of(routes).queries }),
    gather: createGather({
      orders: of(orders).queries,
      routes: of(routes).queries,
      planning: of(contractors).planning,
      eligibleDrivers: createEligibleDrivers({ accounts: of(accounts).queries, fleets: of(fleets).queries }),
      fleets: of(fleets).queries,
      warehouses: of(warehouses).queries,
      workingDay: of(shifts).workingDay,
      skills: of(skills).queries,
      homes: of(drivers).homes,
      board: of(board).boards,
      settings: of(planning).settings,
      geocode: of(datasets).geocode,
      now,
    }),
  }),
  operations({ handle, queries, gather, engines, matrixSource, reservations: givenTime }, { of, now, commands }) {
    const { jobs: queue, store, artifacts } = of(jobs);
    const service = createPlanService({ plans: queries, accounts: of(accounts).queries, orders: of(orders).queries });
    return [
      ...planOperations({
        service,
        handle,
        settings: of(planning).settings,
        gather,
        engines,
        matrixSource,
        jobs: queue,
        now,
      }),
      ...planDecisionOperations({ service, handle, jobs: queue, store, now }),
      ...manualChangeOperations({
        routes: of(routes).queries,
        orders: of(orders).queries,
        commands,
        gather,
        matrixSource,
        reservations: givenTime,
      }),
      ...explanationOperations({ plans: queries, artifacts, jobs: queue }),
    ];
  },
  jobs(
    { handle, queries, gather, engines, matrixSource, eligibleDrivers, reservations, reportCheckFailure },
    { commands, engines: { log }, progress, reserveIds, awaitReadModels, config, of },
  ) {
    const solvedPlan = createSolvedPlan({ plans: queries, log, progress });
    const commit = createCommit({
      handle,
      commands,
      orders: of(orders).queries,
      planning: of(contractors).planning,
      eligibleDrivers,
      board: of(board).boards,
      reservations,
      solvedPlan,
      reserveRoutes: (count, commandId) => reserveIds(ROUTE_IDS, count, commandId),
    });
    // Waits for the read models that show the result of a plan.
    const awaitPlan = () => awaitReadModels('plans', 'routes', 'orders', 'board');
    const threads = config.worker.solverThreads ?? Math.max(1, availableParallelism() - 1);
    const { jobs: queue, artifacts } = of(jobs);
    return [
      planJob({
        gather,
        engines,
        matrixSource,
        handle,
        commit,
        solvedPlan,
        awaitReadModels: awaitPlan,
        threads,
        reportCheckFailure,
      }),
      jobKind<CommitWork>({
        name: 'route_commit',
        scopes: { read: 'routes:read', write: 'routes:write' },
        stoppable: false,
        async run(work, job) {
          const { placed, moved } = await commit(work, job);
          await awaitPlan();
          return { route_plan_id: work.planId, placed, moved };
        },
      }),
      replayJob({ plans: queries, artifacts, jobs: queue }),
    ];
  },
});
