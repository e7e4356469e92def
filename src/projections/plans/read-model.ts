/** The read model of plans: one row per plan, with the complete data of its events. */
import type { z } from 'zod';
import {
  PLAN_PREFIX,
  PlanCommitStarted,
  PlanCommitted,
  PlanDiscarded,
  PlanFailed,
  PlanProblemFixed,
  PlanRequested,
  PlanSolved,
  type PlanMode,
} from '../../events/plans/events.js';
import type { PlanState } from '../../events/plans/states.js';
import { code, integer, json, optional, text, type RowOf } from '../core/columns.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

/** Ids of plans. */
export const PLAN_IDS = sequence('plans', { readModel: 'plans', table: 'plans.plans' });

const columns = {
  id: integer(),
  business: integer(),
  broker_id: optional(integer()),
  mode: text<PlanMode>(),
  date: code(),
  state: text<PlanState>(),
  options: json<Readonly<Record<string, unknown>>>(),
  job_id: text(),
  requested_by: optional(integer()),
  created_at: text(),
  problem: optional(json<z.infer<typeof PlanProblemFixed.schema>>()),
  solved: optional(json<z.infer<typeof PlanSolved.schema>>()),
  commit: optional(json<z.infer<typeof PlanCommitStarted.schema>>()),
  outcome: optional(json<z.infer<typeof PlanCommitted.schema>>()),
  failure: optional(text()),
  /** Time of failure or commit: RFC 3339. */
  ended_at: optional(code()),
  revision: integer(),
};
export type PlanRow = RowOf<typeof columns>;

export const plans = table({
  name: 'plans',
  version: 2,
  prefixes: [PLAN_PREFIX],
  columns,
  indexes: ['(business, id)', '(business, date, id)'],
  fold: startsWith(PlanRequested, (data, event): PlanRow => ({
    id: data.plan_id,
    business: data.business,
    broker_id: data.broker_id ?? null,
    mode: data.mode,
    date: data.date,
    state: 'requested',
    options: data.options,
    job_id: data.job_id,
    requested_by: data.requested_by ?? null,
    created_at: recordedAt(event),
    problem: null,
    solved: null,
    commit: null,
    outcome: null,
    failure: null,
    ended_at: null,
    revision: event.revision,
  }))
    .on(PlanProblemFixed, (problem) => ({ state: 'solving', problem }))
    .on(PlanSolved, (solved) => ({ state: 'solved', solved }))
    .on(PlanFailed, ({ code: failure }, _row, event) => ({ state: 'failed', failure, ended_at: recordedAt(event) }))
    .on(PlanDiscarded, () => ({ state: 'discarded' }))
    .on(PlanCommitStarted, (commit) => ({ state: 'committing', commit }))
    .on(PlanCommitted, (outcome, _row, event) => ({ state: 'committed', outcome, ended_at: recordedAt(event) })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'plans', { 'plans.plans': PlanRow }> {}
}
