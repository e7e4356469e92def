/** Counts the statements of a piece of work, and the rows that PostgreSQL reads for them. */
import type { Pool, QueryConfig } from 'pg';

export interface ReadCounts {
  readonly statements: number;
  /** Rows that the scans of all statements return, as `explain analyze` counts them. */
  readonly rows: number;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const rowsOf = (node: PlanNode): number =>
  (node['Node Type'].includes('Scan') && node['Node Type'] !== 'Function Scan'
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0);

/** Runs `work`, and then explains each `select` that it sent through one of the pools. */
export async function readCountsOf(pools: readonly Pool[], work: () => Promise<unknown>): Promise<ReadCounts> {
  const sent: { readonly pool: Pool; readonly text: string; readonly values: unknown[] }[] = [];
  const originals = pools.map((pool) => pool.query);
  pools.forEach((pool, index) => {
    pool.query = ((query: string | QueryConfig, values: unknown[] = []) => {
      const { text, values: own = values } = typeof query === 'string' ? { text: query } : query;
      sent.push({ pool, text, values: own });
      return (originals[index] as (...given: unknown[]) => unknown).apply(
        pool,
        typeof query === 'string' ? [query, values] : [query],
      );
    }) as typeof pool.query;
  });
  try {
    await work();
  } finally {
    pools.forEach((pool, index) => (pool.query = originals[index]!));
  }
  let rows = 0;
  for (const { pool, text, values } of sent) {
    if (!/^\s*(select|with)/i.test(text)) continue;
    const explained = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${text}`,
      values,
    );
    rows += rowsOf(explained.rows[0]!['QUERY PLAN'][0].Plan);
  }
  return { statements: sent.length, rows };
}
