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
import { LONGEST_WAIT, type Jobs } from '../jobs/queue.js';
import { GATHERED, NOT_THERE, ofPlan, plannerOf, READ, WRITE, type PlanDesk } from './desk.js';
import type { Gather } from './gather.js';
import { BALANCES, DEFAULT_SECONDS, ENDS, MOST, OBJECTIVES, planInput, toStoredRequest } from './request.js';
import { mustFitTogether } from './request-check.js';
import { planHeadSchema, planSchema } from './shapes.js';
import { allCapacities, inOrder, mustBeNamed, ownNames } from './capacities.js';
import { toHead } from './shown.js';
import type { Ways } from './distances.js';
import type { Engines } from './engines.js';
import { FEATURES } from '../../../solvers/routes/engine.js';
import type { Parts } from '../../core/parts.js';
import { requestId, type PlanWork } from './solving.js';

/** Maximum number of excluded orders that a dry run lists. */
const NAMED = 100;

export const waitInput = z.int().min(0).max(LONGEST_WAIT).default(0).describe('Seconds to wait for the end.');

export function planOperations(
  options: Parts<'settings' | 'now'> & {
    readonly handle: Handle<PlanCommand, undefined>;
    readonly desk: PlanDesk;
    readonly gather: Gather;
    readonly engines: Engines;
    readonly ways: Ways;
    readonly jobs: Jobs;
  },
): Operation[] {
  const { desk, handle, settings, gather, engines, ways, jobs, now } = options;

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
              version: z.string().describe('Empty where it is not connected.'),
              available: z.boolean(),
              capabilities: z.array(z.enum(FEATURES)).describe('What not every engine can do, and this one can.'),
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
        locks: z.array(z.string()).describe('Why a stop of a route may stay as it is.'),
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
            plan_count: z.int().describe('Of a business at once.'),
            commit_hours: z.int().describe('So long a plan can be committed.'),
          })
          .meta({ id: 'RoutePlanLimits' }),
      }),
      async run(_input, { caller }) {
        const usual = await settings.settingsOf(businessOf(caller));
        return {
          result: true,
          engines: engines.all.map(({ capabilities, limits, ...engine }) => ({
            ...engine,
            capabilities: [...capabilities],
            limits: { order_count: limits.orders, resource_count: limits.resources },
          })),
          matrices: ways.all.map((one) => ({ ...one })),
          modes: [...PLAN_MODES],
          objectives: [...OBJECTIVES],
          balance_modes: [...BALANCES],
          capacity_types: allCapacities(usual),
          ends: [...ENDS],
          locks: [...LOCKS],
          defaults: {
            time_limit_s: DEFAULT_SECONDS,
            shift_start: usual.default_shift.start,
            shift_end: usual.default_shift.end,
            service_s: usual.default_service_s,
            per_further_package_s: usual.per_further_package_s,
            eta_window_minutes: usual.eta_window_minutes,
          },
          limits: {
            order_count: MOST.orders,
            resource_count: MOST.resources,
            route_count: MOST.routes,
            time_limit_s: MOST.seconds,
            thread_count: MOST.threads,
            plan_count: MOST.plans,
            commit_hours: MOST.hours,
          },
        };
      },
    }),

    operation({
      ...WRITE,
      name: 'routePlanCreate',
      returns: { read: 'routePlan' },
      fixed: { name: 'clientBuildRoute', method: 'post', path: '/v3/client/build-route' },
      summary: 'Plan routes for waiting orders',
      description:
        'A job looks for the best plan, checks it, and unless `auto_commit` is false carries it out: routes are made for the drivers, and orders put on them. Each order that is left over has a reason. A contractor plans its own pool onto drivers of its own fleets.',
      rest: { method: 'post', path: '/v1/route-plans', status: 202 },
      waits: LONGEST_WAIT,
      reads: GATHERED,
      risk: 'high',
      confirm: true,
      answers: {
        404: 'There is no such route or fleet.',
        409: 'A route is closed or finished.',
        422: 'There is nothing to plan, no start, a foreign driver, a day that is over, or too much for one plan.',
        429: 'Too many jobs wait.',
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
              .describe('The first 100, each with why it is not planned.'),
          })
          .meta({ id: 'RoutePlanForecast' })
          .optional()
          .describe('Of a dry run, which has no `route_plan`.'),
      }),
      async run({ wait_s, ...wanted }, context) {
        const asked = toStoredRequest(wanted);
        const { caller, cause, commandId } = context;
        const planner = plannerOf(caller);
        const today = localDate(now(), planner.timezone);
        const usual = await settings.settingsOf(planner.business);
        mustBeNamed(ownNames(asked.capacity_types ?? []), usual, 'capacity_types');
        const capacity_types = inOrder(asked.capacity_types ?? allCapacities(usual).map((one) => one.id));
        if (asked.mode !== 'build' && !asked.route_ids) throw invalidField('REQUIRED', 'route_ids');
        const date = asked.date ?? (await gather.dayOf(asked, planner)) ?? today;
        const request = { ...asked, capacity_types, date };
        if (request.date < today) throw fieldError('PLAN_DATE_PAST', 'schedule_date');
        mustFitTogether(request);
        engines.check(request);
        ways.check(request.matrix ?? usual.matrix ?? 'haversine');
        if (cause.rehearsal) {
          const { input, excluded } = await gather(request, planner);
          const would_plan = {
            order_count: input.orders.length,
            driver_count: input.drivers.length,
            excluded_count: excluded.length,
            excluded_orders: excluded
              .slice(0, NAMED)
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
        await jobs.queue('route_plan', work, context, planStream(id!), MOST.plans);
        const command = { do: 'request' as const, id: id!, business: planner.business, commandId: requestId(jobId) };
        context.wrote((await handle(planStream(id!), { ...command, request: work.requested }, cause)).position);
        await jobs.waitFor(jobId, wait_s);
        return { result: true, route_plan_id: id! };
      },
    }),

    operation({
      ...READ,
      name: 'routePlans',
      summary: 'Plans, newest first',
      rest: { method: 'get', path: '/v1/route-plans' },
      input: z.object({ schedule_date: z.iso.date().optional(), status: z.enum(PLAN_STATES).optional(), ...pageInput }),
      output: z.object({ ...pageOutput, route_plans: z.array(planHeadSchema) }),
      async run({ schedule_date: date, status, ...page }, { caller }) {
        const { rows, ...found } = await desk.plans.list({ date, state: status, ...rangeOf(page) }, plannerOf(caller));
        return { ...pageOf(page, found), route_plans: rows.map(toHead) };
      },
    }),

    operation({
      ...READ,
      name: 'routePlan',
      summary: 'Read a route plan',
      description: 'Its routes with stops and times, and the reasons for each order that is left over.',
      rest: { method: 'get', path: '/v1/route-plans/:route_plan_id' },
      answers: NOT_THERE,
      input: z.object(ofPlan),
      output: z.object({ result: z.boolean(), route_plan: planSchema }),
      async run({ route_plan_id }, context) {
        const found = await desk.planOf(route_plan_id, context.caller);
        return { result: true, route_plan: await desk.shown(found, context) };
      },
    }),
  ];
}
