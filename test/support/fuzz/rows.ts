/** Counts the rows of each table that is written in addition to the log. */
import type { Pool } from 'pg';

/** Tables that change regardless: failed sign-ins are counted, and background work stores results. */
const EXCLUDED_TABLES = ['access.attempts', 'access.job_artifacts', 'webhooks.attempts'];

export async function rowsOf(pool: Pool): Promise<ReadonlyMap<string, number>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('access', 'vault', 'webhooks')`,
  );
  const counted = tables.filter(({ name }) => !EXCLUDED_TABLES.includes(name));
  const { rows } = await pool.query<{ name: string; count: number }>(
    counted.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`).join(' union all '),
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}
