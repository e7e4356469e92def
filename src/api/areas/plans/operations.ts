/** Plans of routes: asked for, read, committed, discarded. A run changes nothing; a commit does. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { PlanCommand } from '../../../commands/plans/decider.js';
import type { JobStore } from '../../../engines/postgres/jobs.js';
import { derivedId } from '../../../events/otep/identity.js';
import { PLAN_MODES, planStream } from '../../../events/plans/events.js';
import { PLAN_STATES } from '../../../events/plans/states.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { PlanningSettingsQueries } from '../../../projections/planning/queries.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { PlanQueries } from '../../../projections/plans/queries.js';
import { PLAN_IDS, type PlanRow } from '../../../projections/plans/read-model.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError, fieldError, invalidField } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { localDate } from '../../core/local-time.js';
import { chooseLanguage } from '../../core/messages/index.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { LONGEST_WAIT, type Jobs } from '../jobs/queue.js';
import type { CommitWork } from './commit.js';
import type { PlannerOf } from './facts.js';
import type { Gather } from './gather.js';
import { BALANCES, CAPACITIES, DEFAULT_SECONDS, ENDS, MOST, OBJECTIVES, planRequest } from './request.js';
import { planHeadSchema, planSchema, type ShownPlan } from './shapes.js';
import { toHead, toPlan } from './shown.js';
import type { Ways } from './distances.js';
import type { Engines } from './engines.js';
import { FEATURES } from '../../../solvers/routes/engine.js';
import { requestId, type PlanWork } from './solving.js';

export interface PlansOptions {
  readonly handle: Handle<PlanCommand, undefined>;
  readonly plans: PlanQueries;
  readonly settings: PlanningSettingsQueries;
  readonly accounts: AccountQueries;
  readonly orders: Pick<OrderQueries, 'named'>;
  readonly gather: Gather;
  readonly engines: Engines;
  readonly ways: Ways;
  readonly jobs: Jobs;
  readonly store: Pick<JobStore, 'wish' | 'list'>;
  readonly now: () => number;
}

/** References and tracking numbers of orders. */
export const namesOf = async (orders: Pick<OrderQueries, 'named'>, ids: readonly number[], business: number) =>
  new Map(
    (await orders.named(ids, business)).map(({ id, order_ref, packages }) => [
      id,
      { order_ref, tracking_numbers: packages.map(({ tracking_number }) => tracking_number) },
    ]),
  );

const OFFICE = ['client_admin', 'employee', 'broker'] as const;
const READ = {
  tag: 'Client',
  callers: [...OFFICE, 'auditor'],
  scopes: ['routes:read'],
  reads: ['plans', 'planning', 'accounts', 'orders'],
} as const;
const WRITE = { tag: 'Client', callers: OFFICE, scopes: ['routes:write'], writes: true, awaits: ['plans'] } as const;
const NOT_THERE = { 404: "There is no such plan, or it is not the caller's." };
const waitInput = z.int().min(0).max(LONGEST_WAIT).default(0).describe('Seconds to wait for the end.');
const planId = { plan_id: idSchema };

export const plannerOf = (caller: Caller): PlannerOf => {
  const { role, userId, timezone } = userOf(caller);
  return { business: businessOf(caller), timezone, ...(role === 'broker' && { brokerId: userId }) };
};

export function planOperations(options: PlansOptions): Operation[] {
  const { handle, plans, settings, accounts, orders, gather, engines, ways, jobs, store, now } = options;

  /** Throws TOO_MANY_JOBS while a business has as many plans under way as it may. */
  async function mustHaveTurn(business: number): Promise<void> {
    const under = (state: 'queued' | 'running') =>
      store.list({ kinds: ['route_plan'], state, offset: 0, limit: 1 }, { business });
    const [waiting, running] = await Promise.all([under('queued'), under('running')]);
    if (waiting.total + running.total >= MOST.plans)
      throw new ApiError('TOO_MANY_JOBS', { headers: { 'Retry-After': '10' } });
  }

  async function planOf(id: number, caller: Caller): Promise<PlanRow> {
    const plan = await plans.byId(id, plannerOf(caller));
    if (!plan) throw new ApiError('PLAN_NOT_FOUND');
    return plan;
  }

  async function shown(plan: PlanRow, { caller, header }: Pick<Context, 'caller' | 'header'>): Promise<ShownPlan> {
    const ids = [...new Set(plan.solved?.routes.map(({ driver_id }) => driver_id))];
    const named = [
      ...(plan.problem?.orders ?? []).map(({ order_id }) => order_id),
      // Of what a contractor may not know it learns no name.
      ...(plan.problem?.excluded ?? [])
        .filter(({ reasons }) => reasons[0]?.code !== 'ORDER_NOT_FOUND')
        .map(({ order_id }) => order_id),
      ...(plan.solved?.routes ?? []).flatMap(({ done = [] }) => done.flatMap(({ order_id }) => order_id ?? [])),
    ];
    const names = {
      drivers: new Map((await accounts.byIds(ids)).map(({ id, name }) => [id, name])),
      orders: await namesOf(orders, named, businessOf(caller)),
    };
    return toPlan(plan, names, chooseLanguage(header('accept-language')));
  }

  return [
    operation({
      ...READ,
      name: 'clientBuildRouteOptions',
      summary: 'What a plan of routes can be asked with: engines, objectives, balance, capacities, limits, defaults.',
      rest: { method: 'get', path: '/v3/client/build-route/options' },
      input: z.object({}),
      output: z.object({
        result: z.boolean(),
        engines: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            version: z.string().describe('Empty where it is not connected.'),
            available: z.boolean(),
            capabilities: z.array(z.enum(FEATURES)).describe('What not every engine can do, and this one can.'),
            limits: z.object({ orders: z.int(), resources: z.int() }),
          }),
        ),
        matrices: z.array(z.object({ id: z.string(), available: z.boolean() })),
        modes: z.array(z.string()),
        objectives: z.array(z.string()),
        balance_modes: z.array(z.string()),
        capacity_types: z.array(z.object({ id: z.string(), unit: z.string() })),
        ends: z.array(z.string()),
        defaults: z.object({
          seconds: z.number(),
          shift_start: z.string(),
          shift_end: z.string(),
          service_s: z.int(),
          per_further_package_s: z.int(),
          eta_window_minutes: z.int(),
        }),
        limits: z.object({
          orders: z.int(),
          resources: z.int(),
          routes: z.int(),
          seconds: z.int(),
          threads: z.int(),
          plans: z.int().describe('Of a business at once.'),
          hours: z.int().describe('After which a plan is not committed any more.'),
        }),
      }),
      async run(_input, { caller }) {
        const usual = await settings.settingsOf(businessOf(caller));
        return {
          result: true,
          engines: engines.all.map((engine) => ({ ...engine, capabilities: [...engine.capabilities] })),
          matrices: ways.all.map((one) => ({ ...one })),
          modes: [...PLAN_MODES],
          objectives: [...OBJECTIVES],
          balance_modes: [...BALANCES],
          capacity_types: CAPACITIES.map((one) => ({ id: one.id, unit: one.unit })),
          ends: [...ENDS],
          defaults: {
            seconds: DEFAULT_SECONDS,
            shift_start: usual.default_shift.start,
            shift_end: usual.default_shift.end,
            service_s: usual.default_service_s,
            per_further_package_s: usual.per_further_package_s,
            eta_window_minutes: usual.eta_window_minutes,
          },
          limits: MOST,
        };
      },
    }),

    operation({
      ...WRITE,
      name: 'clientBuildRoute',
      summary: 'Build an optimized route, or many: orders that wait, onto drivers.',
      description:
        'A job looks for the best plan, checks it, and unless `auto_commit` is false carries it out: routes are made for the drivers, and orders put on them. Each order that is left over has a reason. A contractor plans its own pool onto drivers of its own fleets.',
      rest: { method: 'post', path: '/v3/client/build-route', status: 202 },
      waits: LONGEST_WAIT,
      reads: ['orders', 'routes', 'planning', 'accounts', 'fleets', 'shifts', 'skills', 'warehouses', 'workers'],
      risk: 'high',
      confirm: true,
      answers: {
        404: 'There is no such route or fleet.',
        422: 'There is nothing to plan, no start, a foreign driver, a day that is over, or too much for one plan.',
        429: 'Too many jobs wait.',
      },
      input: z.object({ ...planRequest.shape, wait_s: waitInput }),
      output: z.object({
        result: z.boolean(),
        plan_id: z.int().nullable().describe('Null in a dry run.'),
        job_id: z.string().nullable(),
        status: z.enum(PLAN_STATES),
        plan: planSchema.nullable().describe('When it ended within `wait_s`.'),
        would_plan: z
          .object({ orders: z.int(), drivers: z.int(), excluded: z.int() })
          .nullable()
          .describe('Of a dry run.'),
      }),
      async run({ wait_s, ...asked }, context) {
        const { caller, cause, commandId } = context;
        const planner = plannerOf(caller);
        const today = localDate(now(), planner.timezone);
        const request = { ...asked, date: asked.date ?? today };
        if (request.date < today) throw fieldError('PLAN_DATE_PAST', 'date');
        engines.check(request);
        ways.check(request.matrix ?? (await settings.settingsOf(planner.business)).matrix ?? 'haversine');
        if (request.mode !== 'build' && !request.route_ids) throw invalidField('REQUIRED', 'route_ids');
        if (cause.rehearsal) {
          const { input, excluded } = await gather(request, planner);
          const would_plan = { orders: input.orders.length, drivers: input.drivers.length, excluded: excluded.length };
          return { result: true, plan_id: null, job_id: null, status: 'requested' as const, plan: null, would_plan };
        }
        await gather.check(request, planner);
        await mustHaveTurn(planner.business);
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
        // The job first: it begins the plan itself where this process dies in between.
        await jobs.queue('route_plan', work, context, planStream(id!));
        const command = { do: 'request' as const, id: id!, business: planner.business, commandId: requestId(jobId) };
        context.wrote((await handle(planStream(id!), { ...command, request: work.requested }, cause)).position);
        const job = await jobs.waitFor(jobId, wait_s);
        const plan = job?.finished_at ? await planOf(id!, caller) : undefined;
        return {
          result: true,
          plan_id: id!,
          job_id: jobId,
          status: plan?.state ?? 'requested',
          plan: plan ? await shown(plan, context) : null,
          would_plan: null,
        };
      },
    }),

    operation({
      ...READ,
      name: 'clientBuildRoutePlans',
      summary: 'Plans, newest first.',
      rest: { method: 'get', path: '/v3/client/build-route' },
      input: z.object({ date: z.iso.date().optional(), status: z.enum(PLAN_STATES).optional(), ...pageInput }),
      output: z.object({ ...pageOutput, plans: z.array(planHeadSchema) }),
      async run({ date, status, ...page }, { caller }) {
        const { total, rows } = await plans.list({ date, state: status, ...rangeOf(page) }, plannerOf(caller));
        return { ...pageOf(page, total), plans: rows.map(toHead) };
      },
    }),

    operation({
      ...READ,
      name: 'clientBuildRoutePlan',
      summary: 'One plan: its routes with stops and times, and why orders are left over.',
      rest: { method: 'get', path: '/v3/client/build-route/:plan_id' },
      answers: NOT_THERE,
      input: z.object(planId),
      output: z.object({ result: z.boolean(), plan: planSchema }),
      async run({ plan_id }, context) {
        return { result: true, plan: await shown(await planOf(plan_id, context.caller), context) };
      },
    }),

    operation({
      ...WRITE,
      name: 'clientBuildRouteCommit',
      summary: 'Carry a plan out: make its routes, and put its orders on them.',
      description:
        'Once: a second commit changes nothing and is answered alike. An order that changed since it was planned is left out and told, or (`on_conflict: fail`) nothing is committed.',
      rest: { method: 'post', path: '/v3/client/build-route/:plan_id/commit', status: 202 },
      waits: LONGEST_WAIT,
      risk: 'high',
      confirm: true,
      answers: {
        ...NOT_THERE,
        409: 'The plan is not solved.',
        422: 'Its day is over, or it is too old.',
        429: 'Too many jobs wait.',
      },
      input: z.object({
        ...planId,
        on_conflict: z.enum(['skip', 'fail']).default('skip'),
        route_indexes: z
          .array(z.int().min(0))
          .min(1)
          .max(MOST.resources)
          .optional()
          .describe('Absent: all its routes.'),
        wait_s: waitInput,
      }),
      output: z.object({ result: z.boolean(), job_id: z.string().nullable(), plan: planSchema }),
      async run({ plan_id, on_conflict, route_indexes, wait_s }, context) {
        const { caller, cause } = context;
        const plan = await planOf(plan_id, caller);
        if (plan.state === 'committed') return { result: true, job_id: null, plan: await shown(plan, context) };
        if (plan.state !== 'solved' && plan.state !== 'committing')
          throw new ApiError('PLAN_NOT_READY', { params: { state: plan.state } });
        const planner = plannerOf(caller);
        if (plan.date < localDate(now(), planner.timezone)) throw new ApiError('PLAN_DATE_PAST');
        if (plan.state === 'solved' && Date.parse(plan.created_at) + MOST.hours * 3_600_000 < now())
          throw new ApiError('PLAN_TOO_OLD', { params: { hours: MOST.hours } });
        if (route_indexes?.some((index) => !plan.solved!.routes[index]))
          throw invalidField('INVALID_FORM', 'route_indexes');
        if (cause.rehearsal) return { result: true, job_id: null, plan: await shown(plan, context) };
        const work: CommitWork = {
          planId: plan_id,
          planner,
          onConflict: on_conflict,
          ...(route_indexes && { indexes: [...new Set(route_indexes)] }),
        };
        const jobId = await jobs.queue('route_commit', work, context, planStream(plan_id));
        const job = await jobs.waitFor(jobId, wait_s);
        if (job?.error?.code === 'PLAN_CONFLICT')
          throw new ApiError('PLAN_CONFLICT', { params: job.error.params ?? {} });
        return { result: true, job_id: jobId, plan: await shown(await planOf(plan_id, caller), context) };
      },
    }),

    operation({
      ...WRITE,
      name: 'clientBuildRouteDiscard',
      summary: 'Give a plan up; a search that runs is ended.',
      rest: { method: 'post', path: '/v3/client/build-route/:plan_id/discard' },
      risk: 'medium',
      answers: { ...NOT_THERE, 409: 'It is being committed, or was.' },
      input: z.object(planId),
      output: z.object({ result: z.boolean(), plan_id: z.int() }),
      async run({ plan_id }, { caller, cause, commandId, wrote }) {
        const plan = await planOf(plan_id, caller);
        const by = userOf(caller).userId;
        const command = { do: 'discard' as const, id: plan_id, business: plan.business, commandId, by };
        wrote((await handle(planStream(plan_id), command, cause)).position);
        if (!cause.rehearsal) await store.wish(plan.job_id, 'cancel');
        return { result: true, plan_id };
      },
    }),
  ];
}
