/** Many erased orders and decided proposals, planted directly in the read models and in the store of keys. */
import type { Pool } from 'pg';

export interface PlantedErasures {
  readonly business: number;
  /** Number of erased orders, each with the keys of the order and of two parcels. */
  readonly erasures: number;
  /** Number of decided proposals. Each would have changed one of the erased orders. */
  readonly proposals: number;
}

/** Ids of planted orders begin after this one. */
export const FIRST_PLANTED_ORDER = 1_000_000;

export async function plantErasures(pool: Pool, { business, erasures, proposals }: PlantedErasures): Promise<void> {
  await pool.query(
    `insert into erasures.erasures (subject, kind, business, keys, erased_at, finished_at)
     select 'order-' || $1::int + n, 'order', $2, array['order-' || $1::int + n, md5('a' || n)::uuid::text, md5('b' || n)::uuid::text],
            to_char(timestamp '2026-01-01' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'), '2026-06-01T00:00:00.000Z'
       from generate_series(1, $3::int) n`,
    [FIRST_PLANTED_ORDER, business, erasures],
  );
  await pool.query(
    `insert into vault.subject_keys (subject, wrapped, destroyed_at)
     select key, null, now() from erasures.erasures cross join unnest(keys) key on conflict do nothing`,
  );
  await pool.query(
    `insert into approvals.proposals (id, business, status, tool, proposed_by, arguments_hash, created_at, expires_at, decided_at, proposed)
     select md5('p' || n)::uuid, $2, 'executed', 'update_order_note', 1, '', '2026-06-01T00:00:00.000Z', '2026-06-02T00:00:00.000Z', '2026-06-01T00:00:00.000Z',
            json_build_object('id', md5('e' || n)::uuid, 'at', '', 'data', json_build_object('targets', json_build_array(
              json_build_object('stream', 'order-' || $1::int + 1 + n % $4::int, 'revision', 0))))
       from generate_series(1, $3::int) n`,
    [FIRST_PLANTED_ORDER, business, proposals, erasures],
  );
  await pool.query('analyze erasures.erasures, approvals.proposals, vault.subject_keys');
}
