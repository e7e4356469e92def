/** The queue of events that orders must follow, in PostgreSQL: filled by a follower of the log, emptied by the policy. */
import type { ClientBase, Pool } from 'pg';
import type { EventName, Position } from '../../events/core/log.js';
import { insertRows } from '../../sql/rows.js';

/** An event that an order must follow. */
export interface QueuedEvent extends EventName {
  readonly position: Position;
  readonly order_id: number;
  /** The business of the order; 0 if the read model of orders does not contain the order. */
  readonly business: number;
  /** The number of the scanned package; null for an event of the order itself. */
  readonly tracking_number: string | null;
}

/** The part of the queue that a round handles. */
export interface FairShare {
  /** Only businesses after this one, in ascending order. */
  readonly after: number;
  /** Maximum number of businesses. */
  readonly businesses: number;
  /** Maximum number of events of each business. */
  readonly share: number;
  /** Orders whose events are left in the queue. */
  readonly except: readonly number[];
}

export type PolicyQueue = ReturnType<typeof createPolicyQueue>;

export const PENDING = 'order_policy.pending';

const COLUMNS = {
  stream: 'text',
  revision: 'integer',
  position: 'text',
  order_id: 'integer',
  business: 'integer',
  tracking_number: 'text',
  recorded_at: 'text',
} as const;

export function createPolicyQueue(pool: Pool) {
  return {
    /** Adds events in the transaction of `db`. `recorded_at`: RFC 3339. Adding an event again changes nothing. */
    add: (db: ClientBase, events: readonly (QueuedEvent & { readonly recorded_at: string })[]): Promise<void> =>
      insertRows(
        db,
        PENDING,
        COLUMNS,
        events,
        'on conflict (stream, revision) do update set position = excluded.position',
      ),

    /**
     * Returns the oldest events of several businesses, those of each business in the order of the log. The number of
     * rows that are read does not depend on the length of the queue.
     */
    async next({ after, businesses, share, except }: FairShare): Promise<readonly QueuedEvent[]> {
      const { rows } = await pool.query<QueuedEvent>({
        name: 'policy-queue-next',
        text: `with recursive owners (business) as (
                 (select business from ${PENDING} where business > $1 order by business limit 1)
                 union all
                 select (select p.business from ${PENDING} p where p.business > o.business order by p.business limit 1)
                   from owners o where o.business is not null)
               select p.* from (select business from owners where business is not null limit $2) b
                cross join lateral (
                  select stream, revision, position, order_id, business, tracking_number from ${PENDING}
                   where business = b.business and order_id <> all ($4::int[]) order by position limit $3) p
                order by p.business, p.position`,
        values: [after, businesses, share, except],
      });
      return rows;
    },

    async remove(events: readonly EventName[]): Promise<void> {
      await pool.query({
        name: 'policy-queue-remove',
        text: `delete from ${PENDING} where (stream, revision) in (select * from unnest($1::text[], $2::int[]))`,
        values: [events.map(({ stream }) => stream), events.map(({ revision }) => revision)],
      });
    },
  };
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<'order_policy', true> {}
}
