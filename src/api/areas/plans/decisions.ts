/** Commits or discards a plan. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { PlanCommand } from '../../../commands/plans/decider.js';
import type { JobStore } from '../../../engines/postgres/jobs.js';
import { planStream } from '../../../events/plans/events.js';
import { userOf, type Caller } from '../../core/callers.js';
import { ApiError, invalidForm } from '../../core/errors.js';
import { localDate } from '../../../events/core/local-time.js';
import { operation, type Operation } from '../../core/operation.js';
import { MAX_WAIT_S, type Jobs } from '../jobs/queue.js';
import type { CommitWork } from './commit.js';
import { NOT_FOUND, planIdInput, plannerOf, WRITE, type PlanService } from './plan-service.js';
import { waitInput } from './operations.js';
import { PLAN_LIMITS } from './request.js';
import { planSchema } from './shapes.js';

export interface PlanDecisionOptions {
  readonly service: PlanService;
  readonly handle: Handle<PlanCommand, undefined>;
  readonly jobs: Jobs;
  readonly store: Pick<JobStore, 'wish'>;
  readonly now: () => number;
}

export function planDecisionOperations({ service, handle, jobs, store, now }: PlanDecisionOptions): Operation[] {
  /** Staff can read a contractor's plan, but only the contractor may commit or discard it. */
  async function ownPlan(id: number, caller: Caller) {
    const plan = await service.planOf(id, caller);
    if ((plan.broker_id ?? undefined) !== plannerOf(caller).brokerId) throw new ApiError('FORBIDDEN');
    return plan;
  }

  return [
    operation({
      ...WRITE,
      name: 'routePlanCommit',
      summary: 'Commit a route plan',
      description:
        'Creates the routes of the plan and puts its orders on them. A repeated call changes nothing and returns the committed plan. By default, the service skips orders that have changed since planning, and lists them in `commit.errors`. With `on_conflict` `fail`, nothing is committed (`PLAN_CONFLICT`).',
      rest: { method: 'post', path: '/v1/route-plans/:route_plan_id/commit', status: 202 },
      waits: MAX_WAIT_S,
      risk: 'high',
      confirm: true,
      answers: {
        ...NOT_FOUND,
        409: 'The plan is not solved, or orders of the plan have changed (`PLAN_CONFLICT`).',
        422: 'The date of the plan has passed, or the plan is too old.',
        429: '`TOO_MANY_JOBS`: too many jobs are queued.',
      },
      input: z.object({
        ...planIdInput,
        on_conflict: z.enum(['skip', 'fail']).default('skip'),
        route_indexes: z
          .array(z.int().min(0))
          .min(1)
          .max(PLAN_LIMITS.resources)
          .optional()
          .describe('Indexes of the routes to commit. Omitted: all routes.'),
        wait_s: waitInput,
      }),
      output: z.object({ result: z.boolean(), job_id: z.string().nullable(), route_plan: planSchema }),
      async run({ route_plan_id: planId, on_conflict, route_indexes, wait_s }, context) {
        const { caller, cause } = context;
        const plan = await ownPlan(planId, caller);
        if (plan.state === 'committed')
          return { result: true, job_id: null, route_plan: await service.toResponse(plan, context) };
        if (plan.state !== 'solved' && plan.state !== 'committing')
          throw new ApiError('PLAN_NOT_READY', { params: { state: plan.state } });
        const planner = plannerOf(caller);
        if (plan.date < localDate(now(), planner.timezone)) throw new ApiError('PLAN_DATE_PAST');
        if (plan.state === 'solved' && Date.parse(plan.created_at) + PLAN_LIMITS.hours * 3_600_000 < now())
          throw new ApiError('PLAN_TOO_OLD', { params: { hours: PLAN_LIMITS.hours } });
        if (route_indexes?.some((index) => !plan.solved!.routes[index]))
          throw invalidForm('route_indexes', 'indexes of routes of the plan, from 0');
        if (cause.dryRun) return { result: true, job_id: null, route_plan: await service.toResponse(plan, context) };
        const work: CommitWork = {
          planId,
          planner,
          onConflict: on_conflict,
          ...(route_indexes && { indexes: [...new Set(route_indexes)] }),
        };
        const jobId = await jobs.queue('route_commit', work, context, planStream(planId));
        const job = await jobs.waitFor(jobId, wait_s);
        if (job?.error?.code === 'PLAN_CONFLICT')
          throw new ApiError('PLAN_CONFLICT', { params: job.error.params ?? {} });
        return {
          result: true,
          job_id: jobId,
          route_plan: await service.toResponse(await service.planOf(planId, caller), context),
        };
      },
    }),

    operation({
      ...WRITE,
      name: 'routePlanDiscard',
      returns: { read: 'routePlan' },
      summary: 'Discard a route plan',
      description: 'Use it for a plan that will not be committed. A running search is cancelled.',
      rest: { method: 'post', path: '/v1/route-plans/:route_plan_id/discard' },
      risk: 'medium',
      answers: { ...NOT_FOUND, 409: 'The service is committing the plan or has committed it.' },
      input: z.object(planIdInput),
      output: z.object({ result: z.boolean() }),
      async run({ route_plan_id: planId }, { caller, cause, commandId, wrote }) {
        const plan = await ownPlan(planId, caller);
        const by = userOf(caller).userId;
        const command = { do: 'discard' as const, id: planId, business: plan.business, commandId, by };
        wrote((await handle(planStream(planId), command, cause)).position);
        if (!cause.dryRun) await store.wish(plan.job_id, 'cancel');
        return { result: true };
      },
    }),
  ];
}
