/** Compares the tables of two schemas row by row. Rows must be equal byte for byte. */
import type { ClientBase } from 'pg';

export interface Difference {
  readonly table: string;
  /** Primary key of the row, as text. */
  readonly key: string;
  /** The whole row as text; null if it is missing. */
  readonly live: string | null;
  readonly replayed: string | null;
}

const PAGE = 200;
/**
 * Size with long values and indexes. For smaller tables, starting the processes of a parallel plan takes longer than
 * the comparison.
 */
const PARALLEL_BYTES = 8 * 2 ** 20;

/**
 * Yields every row that differs, table by table, in a transaction of `db`. The tables are those of the schema
 * `replayed`.
 */
export async function* compareSchemas(db: ClientBase, live: string, replayed: string): AsyncGenerator<Difference> {
  const tables = await tablesOf(db, replayed);
  // All rows of the cursor are read. By default, PostgreSQL plans a cursor for its first rows only.
  await db.query('set local jit = off; set local cursor_tuple_fraction = 1');
  // Large tables come last. The settings below apply from the first large table on.
  tables.sort((a, b) => Number(a.bytes >= PARALLEL_BYTES) - Number(b.bytes >= PARALLEL_BYTES));
  const firstLarge = tables.find(({ bytes }) => bytes >= PARALLEL_BYTES);
  for (const { table, key, columns } of tables) {
    // Large tables are compared on all cores. The planner would not choose this, because it ignores the main cost:
    // fetching long values.
    if (table === firstLarge?.table)
      await db.query(
        'set local parallel_setup_cost = 0; set local parallel_tuple_cost = 0; set local min_parallel_table_scan_size = 0',
      );
    const keys = quoted(key).join(', ');
    // Compares columns one by one: converting each row to one text takes three times as long.
    const texts = (side: string): string =>
      `(${quoted(columns)
        .map((column) => `${side}.${column}::text`)
        .join(', ')})`;
    const differing = `from ${live}."${table}" l full join ${replayed}."${table}" r using (${keys}) where ${texts('l')} is distinct from ${texts('r')}`;
    // A cursor runs in a single process, so it is only used if there are differences.
    const {
      rows: [any],
    } = await db.query<{ count: string }>(`select count(*) ${differing}`);
    if (any!.count === '0') continue;
    await db.query(
      `declare differences no scroll cursor for select concat_ws(' ', ${keys}) as key, l::text as live, r::text as replayed ${differing}`,
    );
    for (;;) {
      const { rows } = await db.query<Omit<Difference, 'table'>>(`fetch ${PAGE} from differences`);
      if (rows.length === 0) break;
      for (const row of rows) yield { table, ...row };
    }
    await db.query('close differences');
  }
}

/**
 * The tables with the columns of their primary keys. Throws for a table without a primary key, because its rows cannot
 * be matched.
 */
async function tablesOf(
  db: ClientBase,
  schema: string,
): Promise<{ table: string; bytes: number; key: string[]; columns: string[] }[]> {
  const { rows } = await db.query<{ table: string; bytes: string; key: string[] | null; columns: string[] }>(
    `select c.relname as table, pg_total_relation_size(c.oid) as bytes, (select array_agg(o.attname::text order by o.attnum) from pg_attribute o where o.attrelid = c.oid and o.attnum > 0 and not o.attisdropped) as columns, array_agg(a.attname::text order by array_position(i.indkey::int2[], a.attnum)) filter (where a.attname is not null) as key
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       left join pg_index i on i.indrelid = c.oid and i.indisprimary
       left join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
      where n.nspname = $1 and c.relkind in ('r', 'p') group by c.oid, c.relname order by c.relname`,
    [schema],
  );
  return rows.map(({ table, bytes, key, columns }) => {
    if (!key) throw new Error(`The table ${schema}.${table} has no primary key, so it cannot be compared.`);
    return { table, bytes: Number(bytes), key, columns };
  });
}

const quoted = (names: readonly string[]): string[] => names.map((name) => `"${name.replaceAll('"', '""')}"`);
