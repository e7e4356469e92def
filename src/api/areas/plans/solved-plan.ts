/** The current state of a plan, for commits. */
import type { EventLog } from '../../../events/core/log.js';
import type { Progress } from '../../../projections/core/progress.js';
import type { PlanQueries } from '../../../projections/plans/queries.js';
import type { PlanRow } from '../../../projections/plans/read-model.js';
import type { Planner } from './planning-data.js';

const AWAIT_MS = 10_000;
/** Read models with which a commit compares the plan. */
const COMPARED_READ_MODELS = ['plans', 'orders', 'routes', 'board', 'accounts', 'fleets'] as const;

/** Returns the plan after the read models have processed the latest events. Undefined unless it is solved. */
export type SolvedPlan = (id: number, planner: Planner) => Promise<PlanRow | undefined>;

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
    await Promise.all(COMPARED_READ_MODELS.map((name) => progress.waitFor(name, head, AWAIT_MS)));
    const plan = await plans.byId(id, { business, ...(brokerId !== undefined && { brokerId }) });
    return plan?.solved && plan.problem ? plan : undefined;
  };
