/** Plans: routes that the solver proposes, and that become real routes when they are committed. */
import { PLAN_EXAMPLES } from '../api/areas/plans/examples.js';
import { availableParallelism } from 'node:os';
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
import { BUILDING_TOOLS, PLAN_TOOLS } from '../api/mcp/tools/plans.js';
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
  tools: { operations: [...BUILDING_TOOLS, ...PLAN_TOOLS], developer: BUILDING_TOOLS },
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
      ...explanationOperations({ plans: queries, artifacts, jobs: queue, service }),
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
