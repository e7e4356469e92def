/** Queries on the read model of plans. */
import type { Kysely } from 'kysely';
import type { PlanState } from '../../events/plans/states.js';
import { NEWEST_FIRST } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { PlanRow } from './read-model.js';

/** The viewing business. With `brokerId`: only plans of this contractor. */
export interface PlanViewer {
  readonly business: number;
  readonly brokerId?: number | undefined;
}

export interface PlanFilter {
  readonly date?: string | undefined;
  readonly state?: PlanState | undefined;
}

/** A plan without its large members. */
export type PlanHead = Omit<PlanRow, 'problem' | 'solved' | 'options' | 'revision' | 'commit' | 'outcome' | 'ended_at'>;

export type PlanQueries = ReturnType<typeof createPlanQueries>;

const HEAD = [
  'id',
  'business',
  'broker_id',
  'mode',
  'date',
  'state',
  'job_id',
  'requested_by',
  'created_at',
  'failure',
] as const;

export function createPlanQueries(database: Kysely<Database>) {
  const seen = ({ business, brokerId }: PlanViewer) =>
    database
      .selectFrom('plans.plans')
      .where('business', '=', business)
      .$if(brokerId !== undefined, (query) => query.where('broker_id', '=', brokerId!));
  return {
    byId: (id: number, viewer: PlanViewer): Promise<PlanRow | undefined> =>
      seen(viewer).selectAll().where('id', '=', id).executeTakeFirst(),
    /** Newest first. */
    list: ({ date, state, ...range }: PlanFilter & Range, viewer: PlanViewer): Promise<Page<PlanHead>> =>
      pageOf(
        seen(viewer)
          .$if(date !== undefined, (query) => query.where('date', '=', date!))
          .$if(state !== undefined, (query) => query.where('state', '=', state!))
          .select(HEAD),
        range,
        NEWEST_FIRST,
      ),
  };
}
