/** Compares the tables of two schemas row by row, to the byte. */
import type { ClientBase } from 'pg';

export interface Difference {
  readonly table: string;
  /** Primary key of the row, as text. */
  readonly key: string;
  /** The whole row as text; null where it is missing. */
  readonly live: string | null;
  readonly replayed: string | null;
}

const MOST = 100;

export async function compareSchemas(db: ClientBase, live: string, replayed: string): Promise<Difference[]> {
  const tables = await db.query<{ name: string; key: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by array_position(i.indkey::int2[], a.attnum)) as key
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_index i on i.indrelid = c.oid and i.indisprimary
       join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
      where n.nspname = $1 and c.relkind = 'r' group by c.relname order by c.relname`,
    [replayed],
  );
  const differences: Difference[] = [];
  for (const { name, key } of tables.rows) {
    const columns = key.map((column) => `"${column}"`).join(', ');
    const { rows } = await db.query<Omit<Difference, 'table'>>(
      `select concat_ws(' ', ${columns}) as key, l::text as live, r::text as replayed
         from ${live}.${name} l full join ${replayed}.${name} r using (${columns})
        where l::text is distinct from r::text limit ${MOST}`,
    );
    differences.push(...rows.map((row) => ({ table: name, ...row })));
  }
  return differences;
}
