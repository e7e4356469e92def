/** Items about jobs that failed, or that rejected part of their work. */
import { sql, type RawBuilder } from 'kysely';
import type { BoardView, ItemRow, ItemSource } from './source.js';

/** Plans have their own items. Replays of plans are not shown on the board. */
const OF_PLANS = ['route_plan', 'route_replay'];

/**
 * The job ended on the day of the board, and it failed or rejected something. The item disappears when its owner
 * completes a job of the same kind and subject without rejections. Shown to the business, and to contractors for their
 * own jobs.
 */
export const jobFailed: ItemSource = {
  kind: 'job_failed',
  severity: 2,
  about: 'job',
  select: (view) => sql<ItemRow>`
    select 'job_failed:' || j.id as item, 'job_failed' as kind, 2 as severity, j.ended_at as since, null::int as order_id,
      null::int as route_id, null::int as plan_id, j.id as job_id, null::int as driver_id, null::text as order_ref,
      jsonb_strip_nulls(jsonb_build_object('job', j.kind, 'state', j.state, 'reason', j.failure, 'rejected', nullif(j.rejected, 0),
        'about', j.subject)) as facts
    from job_ends.job_ends j
    where j.business = ${view.business} and not j.dry_run and j.ended_at >= ${view.dayStart} and j.ended_at < ${view.dayEnd}
      and j.kind <> all (${OF_PLANS}::text[]) and (j.state = 'failed' or j.rejected > 0)
      and not exists (
        select from job_ends.job_ends later where later.business = j.business and later.owner = j.owner and later.kind = j.kind
          and later.subject is not distinct from j.subject and later.ended_at > j.ended_at and later.state = 'succeeded' and later.rejected = 0 and not later.dry_run)
      ${seenJobs(view)}`,
};

/** SQL that follows the conditions on ended jobs `j`. Captains have no jobs, and jobs belong to no fleet or route. */
export function seenJobs(view: BoardView): RawBuilder<unknown> {
  const { brokerId, captainId, fleetId, routeId, orders, routes, plans, jobs } = view;
  if (captainId !== undefined || fleetId !== undefined || routeId !== undefined) return sql`and false`;
  if (jobs === undefined && (orders ?? routes ?? plans) !== undefined) return sql`and false`;
  return sql`${brokerId === undefined ? sql`` : sql`and j.owner = ${brokerId}`}
    ${jobs === undefined ? sql`` : sql`and j.id = any (${jobs}::text[])`}`;
}
