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

/**
 * Removes events. `offset 0` makes PostgreSQL find each row by the primary key. Without statistics, such as in a queue
 * that was empty before, it would otherwise read the whole queue for each removal.
 */
export const REMOVE = `delete from ${PENDING} where ctid = any (array(
  select found.ctid from unnest($1::text[], $2::int[]) removed (stream, revision)
   cross join lateral (
     select ctid from ${PENDING} where stream = removed.stream and revision = removed.revision offset 0) found))`;

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
     * Returns the oldest events of several businesses, the events of each business in the order of the log. `last`: the
     * last of these businesses, also if all its events were left out; undefined if none is after `after`. The number of
     * rows that are read does not depend on the length of the queue, except for rows of orders that are left out.
     */
    async next({ after, businesses, share, except }: FairShare) {
      const { rows: owners } = await pool.query<{ business: number }>({
        name: 'policy-queue-businesses',
        text: `with recursive owners (business) as (
                 (select business from ${PENDING} where business > $1 order by business limit 1)
                 union all
                 select (select p.business from ${PENDING} p where p.business > o.business order by p.business limit 1)
                   from owners o where o.business is not null)
               select business from owners where business is not null limit $2`,
        values: [after, businesses],
      });
      // With `business = b.business`, the planner may read the index of positions, and skip events of other businesses.
      const { rows: items } = await pool.query<QueuedEvent>({
        name: 'policy-queue-next',
        text: `select p.* from unnest($1::int[]) b (business)
                cross join lateral (
                  select stream, revision, position, order_id, business, tracking_number from ${PENDING}
                   where business between b.business and b.business and order_id <> all ($3::int[])
                   order by business, position limit $2) p
                order by p.business, p.position`,
        values: [owners.map(({ business }) => business), share, except],
      });
      return { items, last: owners.at(-1)?.business };
    },

    async remove(events: readonly EventName[]): Promise<void> {
      await pool.query({
        name: 'policy-queue-remove',
        text: REMOVE,
        values: [events.map(({ stream }) => stream), events.map(({ revision }) => revision)],
      });
    },
  };
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<'order_policy', true> {}
}
