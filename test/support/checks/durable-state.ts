/**
 * The durable state that read models do not derive: the log, and every table whose data is not derived from the log.
 */
import type { Pool } from 'pg';

/** Schemas of those tables; read models, leases and checkpoints are in others. */
const SCHEMAS = ['log', 'access', 'vault', 'webhooks'];
/** Workers renew these leases regardless of requests. */
const LEASE_TABLES = ['access.timer_ranges'];
/** Excludes events that timers and repairs append regardless of requests. */
const REQUEST_EVENTS: Readonly<Record<string, string>> = {
  'log.events': `where metadata::jsonb #>> '{actor,kind}' is distinct from 'system'`,
};

export type DurableState = ReadonlyMap<string, string>;

/** Returns for each table its number of rows and a hash of their content. */
export async function readDurableState(pool: Pool): Promise<DurableState> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema = any ($1)`,
    [SCHEMAS],
  );
  const parts = tables
    .filter(({ name }) => !LEASE_TABLES.includes(name))
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtext(t::text)), 0) as state from ${name} t ${REQUEST_EVENTS[name] ?? ''}`,
    );
  const { rows } = await pool.query<{ name: string; state: string }>(parts.join(' union all '));
  return new Map(rows.map(({ name, state }) => [name, state]));
}

/** Returns the names of the tables that changed. */
export const changedTables = (before: DurableState, after: DurableState): string[] =>
  [...after].filter(([name, state]) => before.get(name) !== state).map(([name]) => name);
