/** Queries on the read model of contractor assignments. */
import type { Pool } from 'pg';
import { unseal, type KeyRing } from '../../events/core/codec.js';
import { orderStatusId, orderSubject, type OrderStatus } from '../../events/orders/events.js';
import { firstOf, KEY, valuesAfter, type ListKey, type Range } from '../../sql/page-key.js';
import type { Page } from '../core/page.js';
import { ANY_BROKER, PILE, type AssignmentRow, type AssignmentStatus } from './read-model.js';

export interface AssignmentFilter extends Range {
  readonly business: number;
  readonly brokerId?: number | undefined;
  readonly status?: AssignmentStatus | undefined;
  readonly orderId?: number | undefined;
}

/** An assignment with the current data of its order and with decrypted texts. Erased texts are absent. */
export interface Assignment extends Omit<AssignmentRow, 'note' | 'reason' | 'number'> {
  readonly order_ref: string | null;
  readonly order_status_id: number | null;
  readonly schedule_date: string | null;
  readonly route_id: number | null;
  readonly note?: string;
  readonly reason?: string;
}

export type AssignmentQueries = ReturnType<typeof createAssignmentQueries>;

const NEWEST: ListKey = { columns: { number: KEY.integer }, descending: true };

type Found = AssignmentRow & {
  readonly order_ref: string | null;
  readonly order_status: OrderStatus | null;
  readonly schedule_date: string | null;
  readonly route_id: number | null;
};

export function createAssignmentQueries({ pool, keyRing }: { readonly pool: Pool; readonly keyRing: KeyRing }) {
  return {
    /** Newest first. The cost of a page does not depend on the number of rows before it. */
    async list(
      filter: AssignmentFilter,
    ): Promise<Omit<Page<Assignment>, 'rows'> & { readonly assignments: readonly Assignment[] }> {
      const { rows } = await pool.query<{ total: string; found: Found[] | null }>(
        filter.orderId === undefined
          ? (filter.after ? pageAfter : pageByPiles)(filter)
          : pageOfOrder(filter as AssignmentFilter & { orderId: number }),
      );
      const { rows: found, next } = firstOf(rows[0]!.found ?? [], filter, NEWEST);
      const keys = await keyRing.existing([...new Set(found.map(({ order_id }) => orderSubject(order_id)))]);
      return { total: Number(rows[0]!.total), next, assignments: found.map((row) => toAssignment(row, keys)) };
    },
  };
}

/** The page as one JSON text. Each assignment includes the current data of its order. */
const PAGE = `select coalesce((select sum(held) from piles), 0) as total,
    (select json_agg(p order by p.number desc) from (select a.*, o.order_ref, o.status as order_status, o.schedule_date, o.route_id from page a left join orders.orders o on o.id = a.order_id) p) as found`;

/**
 * The counters of the blocks ("piles") show in which block the page begins, and which blocks the page does not need.
 * Only rows of the other blocks are counted. `offset 0` keeps the planner from reversing the join: with statistics, it
 * would read all assignments before the page.
 */
function pageByPiles({ business, brokerId, status, offset, limit }: AssignmentFilter) {
  const held = status ?? '(active + revoked + released)';
  const conditions = [
    'business = $1',
    ...(brokerId !== undefined ? ['broker_id = $2'] : []),
    ...(status ? [`status = '${status}'`] : []),
  ].join(' and ');
  return {
    name: `assignments ${status ?? ''} ${brokerId === undefined ? '' : 'broker'}`,
    text: `with piles as (select pile, ${held} as held, sum(${held}) over (order by pile desc) as upto from assignments.piles where business = $1 and broker_id = $2),
      needed as (select pile, upto - held as before from piles where held > 0 and upto > $3 and upto - held < $3 + $4),
      page as (select a.* from needed cross join lateral
        (select * from assignments.assignments where ${conditions} and number >= needed.pile * ${PILE} and number < (needed.pile + 1) * ${PILE} offset 0) a
        order by number desc offset $3 - (select min(before) from needed) limit $4)
      ${PAGE}`,
    values: [business, brokerId ?? ANY_BROKER, offset, limit + 1],
  };
}

/** The page that follows an assignment. */
function pageAfter({ business, brokerId, status, limit, after }: AssignmentFilter) {
  return {
    name: `assignments after ${status ?? ''}`,
    text: `with piles as (select ${status ?? 'active + revoked + released'} as held from assignments.piles where business = $1 and broker_id = $2),
      page as (select * from assignments.assignments
        where business = $1 and number < $4 and ($5::integer is null or broker_id = $5)${status ? ` and status = '${status}'` : ''}
        order by number desc limit $3)
      ${PAGE}`,
    values: [business, brokerId ?? ANY_BROKER, limit + 1, ...valuesAfter(after, NEWEST), brokerId ?? null],
  };
}

/** An order has few assignments, so they are counted directly. */
function pageOfOrder({
  business,
  brokerId,
  status,
  orderId,
  offset,
  limit,
  after,
}: AssignmentFilter & { readonly orderId: number }) {
  return {
    name: 'assignments of an order',
    text: `with all_of_it as (select * from assignments.assignments where business = $1 and order_id = $5 and ($2::integer is null or broker_id = $2) and ($6::text is null or status = $6)),
      piles as (select count(*) as held from all_of_it), page as (select * from all_of_it where $7::integer is null or number < $7 order by number desc offset $3 limit $4) ${PAGE}`,
    values: [
      ...[business, brokerId ?? null, after ? 0 : offset, limit + 1, orderId, status ?? null],
      ...valuesAfter(after, NEWEST),
    ],
  };
}

function toAssignment({ note, reason, order_status, ...row }: Found, keys: ReadonlyMap<string, Buffer>): Assignment {
  return {
    ...row,
    order_status_id: order_status && orderStatusId(order_status),
    ...(unseal(note.data, note.id, keys) as { note?: string }),
    ...(reason && (unseal(reason.data, reason.id, keys) as { reason?: string })),
  };
}
