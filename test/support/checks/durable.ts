/** What is durable beside the read models: the log, and every table that holds something of its own. */
import type { Pool } from 'pg';

/** Schemas of those tables; read models, leases and checkpoints stand in others. */
const OWN = ['log', 'access', 'vault', 'webhooks'];
/** Renewed by who does the work just now, whatever is asked. */
const LEASES = ['access.timer_ranges'];
/** What timers and repairs append goes on by itself, whatever is asked. */
const BY_SOMEBODY: Readonly<Record<string, string>> = {
  'log.events': `where metadata::jsonb #>> '{actor,kind}' is distinct from 'system'`,
};

export type Durable = ReadonlyMap<string, string>;

/** Of each table how many rows it has, and a hash of all that stands in them. */
export async function durable(pool: Pool): Promise<Durable> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema = any ($1)`,
    [OWN],
  );
  const parts = tables
    .filter(({ name }) => !LEASES.includes(name))
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtext(t::text)), 0) as state from ${name} t ${BY_SOMEBODY[name] ?? ''}`,
    );
  const { rows } = await pool.query<{ name: string; state: string }>(parts.join(' union all '));
  return new Map(rows.map(({ name, state }) => [name, state]));
}

/** Names of the tables that are not as they were. */
export const changed = (before: Durable, after: Durable): string[] =>
  [...after].filter(([name, state]) => before.get(name) !== state).map(([name]) => name);
