/** Route plans: create and read. Planning itself does not change routes or orders. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { PlanCommand } from '../../../commands/plans/decider.js';
import { derivedId } from '../../../events/otep/identity.js';
import { PLAN_MODES, planStream } from '../../../events/plans/events.js';
import { LOCKS } from '../../../events/routes/events.js';
import { PLAN_STATES } from '../../../events/plans/states.js';
import { PLAN_IDS } from '../../../projections/plans/read-model.js';
import { businessOf, userOf } from '../../core/callers.js';
import { fieldError, invalidField } from '../../core/errors.js';
import { localDate } from '../../../events/core/local-time.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { MAX_WAIT_S, type Jobs } from '../jobs/queue.js';
import { INPUT_READ_MODELS, NOT_FOUND, planIdInput, plannerOf } from './plan-service.js';
import { READ, WRITE, type PlanService } from './plan-service.js';
import type { Gather } from './gather.js';
import { BALANCES, DEFAULT_SECONDS, ENDS, PLAN_LIMITS, OBJECTIVES, planInput, toStoredRequest } from './request.js';
import { checkRequest } from './request-check.js';
import { planHeadSchema, planSchema } from './shapes.js';
import { allCapacities, inOrder, checkCustomNames, customNames } from './capacities.js';
import { toHead } from './plan-response.js';
import type { MatrixSource } from './matrix-source.js';
import type { Engines } from './engines.js';
import { FEATURES } from '../../../solvers/routes/engine.js';
import type { Parts } from '../../core/parts.js';
import { requestId, type PlanWork } from './plan-job.js';

/** Maximum number of excluded orders that a dry run lists. */
const MAX_LISTED_EXCLUSIONS = 100;

export const waitInput = z.int().min(0).max(MAX_WAIT_S).default(0).describe('Maximum number of seconds to wait.');

export function planOperations(
  options: Parts<'settings' | 'now'> & {
    readonly handle: Handle<PlanCommand, undefined>;
    readonly service: PlanService;
    readonly gather: Gather;
    readonly engines: Engines;
    readonly matrixSource: MatrixSource;
    readonly jobs: Jobs;
  },
): Operation[] {
  const { service, handle, settings, gather, engines, matrixSource, jobs, now } = options;

  return [
    operation({
      ...READ,
      name: 'routePlanOptions',
      summary: 'List engines, limits and defaults of route plans',
      rest: { method: 'get', path: '/v1/route-plans/options' },
      input: z.object({}),
      output: z.object({
        result: z.boolean(),
        engines: z.array(
          z
            .object({
              id: z.string(),
              name: z.string(),
              version: z.string().describe('Version of the engine. Empty if the engine is not connected.'),
              available: z.boolean(),
              capabilities: z.array(z.enum(FEATURES)).describe('Optional features that the engine supports.'),
              limits: z.object({ order_count: z.int(), resource_count: z.int() }).meta({ id: 'RoutingEngineLimits' }),
            })
            .meta({ id: 'RoutingEngine' }),
        ),
        matrices: z.array(z.object({ id: z.string(), available: z.boolean() }).meta({ id: 'DistanceMatrix' })),
        modes: z.array(z.string()),
        objectives: z.array(z.string()),
        balance_modes: z.array(z.string()),
        capacity_types: z.array(z.object({ id: z.string(), unit: z.string() }).meta({ id: 'CapacityType' })),
        ends: z.array(z.string()),
        locks: z.array(z.string()).describe('Reasons why plans do not change a stop.'),
        defaults: z
          .object({
            time_limit_s: z.number(),
            shift_start: z.string(),
            shift_end: z.string(),
            service_s: z.int(),
            per_further_package_s: z.int(),
            eta_window_minutes: z.int(),
          })
          .meta({ id: 'RoutePlanDefaults' }),
        limits: z
          .object({
            order_count: z.int(),
            resource_count: z.int(),
            route_count: z.int(),
            time_limit_s: z.int(),
            thread_count: z.int(),
            plan_count: z.int().describe('Maximum number of simultaneous plans per business.'),
            commit_hours: z.int().describe('Hours after which a plan can no longer be committed.'),
          })
          .meta({ id: 'RoutePlanLimits' }),
      }),
      async run(_input, { caller }) {
        const planningSettings = await settings.settingsOf(businessOf(caller));
        return {
          result: true,
          engines: engines.all.map(({ capabilities, limits, ...engine }) => ({
            ...engine,
            capabilities: [...capabilities],
            limits: { order_count: limits.orders, resource_count: limits.resources },
          })),
          matrices: matrixSource.all.map((one) => ({ ...one })),
          modes: [...PLAN_MODES],
          objectives: [...OBJECTIVES],
          balance_modes: [...BALANCES],
          capacity_types: allCapacities(planningSettings),
          ends: [...ENDS],
          locks: [...LOCKS],
          defaults: {
            time_limit_s: DEFAULT_SECONDS,
            shift_start: planningSettings.default_shift.start,
            shift_end: planningSettings.default_shift.end,
            service_s: planningSettings.default_service_s,
            per_further_package_s: planningSettings.per_further_package_s,
            eta_window_minutes: planningSettings.eta_window_minutes,
          },
          limits: {
            order_count: PLAN_LIMITS.orders,
            resource_count: PLAN_LIMITS.resources,
            route_count: PLAN_LIMITS.routes,
            time_limit_s: PLAN_LIMITS.seconds,
            thread_count: PLAN_LIMITS.threads,
            plan_count: PLAN_LIMITS.plans,
            commit_hours: PLAN_LIMITS.hours,
          },
        };
      },
    }),

    operation({
      ...WRITE,
      name: 'routePlanCreate',
      returns: { read: 'routePlan' },
      fixed: { name: 'clientBuildRoute', method: 'post', path: '/v3/client/build-route' },
      summary: 'Plan routes for available orders',
      description:
        'Queues a job that searches the best plan and checks it. Unless `auto_commit` is false, the job then creates routes for the drivers and puts the orders on them. The plan contains a reason for each unassigned order. Contractors can plan only orders of their pool, for drivers of their fleets. Read the plan with `routePlan`.',
      rest: { method: 'post', path: '/v1/route-plans', status: 202 },
      waits: MAX_WAIT_S,
      reads: INPUT_READ_MODELS,
      risk: 'high',
      confirm: true,
      isPreview: ({ auto_commit }) => auto_commit === false,
      answers: {
        404: 'There is no such route or fleet.',
        409: 'A route is closed or finished.',
        422: 'There is nothing to plan, the start is unknown, a driver is unknown, the date has passed, or a limit is exceeded.',
        429: '`TOO_MANY_JOBS`: too many jobs are queued.',
      },
      input: z.object({ ...planInput.shape, wait_s: waitInput }),
      output: z.object({
        result: z.boolean(),
        would_plan: z
          .object({
            order_count: z.int(),
            driver_count: z.int(),
            excluded_count: z.int(),
            excluded_orders: z
              .array(z.object({ order_id: z.int(), code: z.string() }).meta({ id: 'ExcludedOrder' }))
              .describe('The first 100 orders that the plan excludes, each with the reason.'),
          })
          .meta({ id: 'RoutePlanForecast' })
          .optional()
          .describe('Present only in a dry run. A dry run returns no `route_plan`.'),
      }),
      async run({ wait_s, ...body }, context) {
        const storedRequest = toStoredRequest(body);
        const { caller, cause, commandId } = context;
        const planner = plannerOf(caller);
        const today = localDate(now(), planner.timezone);
        const planningSettings = await settings.settingsOf(planner.business);
        checkCustomNames(customNames(storedRequest.capacity_types ?? []), planningSettings, 'capacity_types');
        const capacity_types = inOrder(
          storedRequest.capacity_types ?? allCapacities(planningSettings).map((one) => one.id),
        );
        if (storedRequest.mode !== 'build' && !storedRequest.route_ids) throw invalidField('REQUIRED', 'route_ids');
        const date = storedRequest.date ?? (await gather.dayOf(storedRequest, planner)) ?? today;
        const request = { ...storedRequest, capacity_types, date };
        if (request.date < today) throw fieldError('PLAN_DATE_PAST', 'schedule_date');
        checkRequest(request);
        engines.check(request);
        matrixSource.check(request.matrix ?? planningSettings.matrix ?? 'haversine');
        if (cause.dryRun) {
          const { input, excluded } = await gather(request, planner);
          const would_plan = {
            order_count: input.orders.length,
            driver_count: input.drivers.length,
            excluded_count: excluded.length,
            excluded_orders: excluded
              .slice(0, MAX_LISTED_EXCLUSIONS)
              .map(({ order_id, reasons }) => ({ order_id, code: reasons[0]!.code })),
          };
          return { result: true, would_plan };
        }
        await gather.check(request, planner);
        const [id] = await context.reserveIds(PLAN_IDS, 1);
        const jobId = derivedId('job', 'route_plan', commandId);
        const { brokerId } = planner;
        const work: PlanWork = {
          planId: id!,
          planner,
          request,
          requested: {
            ...(brokerId !== undefined && { broker_id: brokerId }),
            mode: request.mode,
            date: request.date,
            options: request,
            requested_by: userOf(caller).userId,
            job_id: jobId,
          },
        };
        // The job is queued first: it begins the plan itself if this process dies in between.
        await jobs.queue('route_plan', work, context, planStream(id!), PLAN_LIMITS.plans);
        const command = { do: 'request' as const, id: id!, business: planner.business, commandId: requestId(jobId) };
        context.wrote((await handle(planStream(id!), { ...command, request: work.requested }, cause)).position);
        await jobs.waitFor(jobId, wait_s);
        return { result: true, route_plan_id: id! };
      },
    }),

    operation({
      ...READ,
      name: 'routePlans',
      summary: 'List route plans',
      description: 'Lists plans without their routes, newest first. Contractors see only their own plans.',
      rest: { method: 'get', path: '/v1/route-plans' },
      input: z.object({ schedule_date: z.iso.date().optional(), status: z.enum(PLAN_STATES).optional(), ...pageInput }),
      output: z.object({ ...pageOutput, route_plans: z.array(planHeadSchema) }),
      async run({ schedule_date: date, status, ...page }, { caller }) {
        const { rows, ...found } = await service.plans.list(
          { date, state: status, ...rangeOf(page) },
          plannerOf(caller),
        );
        return { ...pageOf(page, found), route_plans: rows.map(toHead) };
      },
    }),

    operation({
      ...READ,
      name: 'routePlan',
      summary: 'Get a route plan',
      description: 'Returns the routes with stops and times, and the reasons for each unassigned order.',
      rest: { method: 'get', path: '/v1/route-plans/:route_plan_id' },
      answers: NOT_FOUND,
      input: z.object(planIdInput),
      output: z.object({ result: z.boolean(), route_plan: planSchema }),
      async run({ route_plan_id }, context) {
        const found = await service.planOf(route_plan_id, context.caller);
        return { result: true, route_plan: await service.toResponse(found, context) };
      },
    }),
  ];
}
