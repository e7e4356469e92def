/** Reads and writes complete tables whose rows cannot be rebuilt from the log (keys, accounts, claims): for backups. */
import type { ClientBase } from 'pg';

/** A row in PostgreSQL's JSON, as text (numbers may exceed those of JavaScript), or the value of a sequence. */
export type Entry =
  { readonly table: string; readonly row: string } | { readonly sequence: string; readonly value: string };

const PAGE = 1_000;
/** Tables whose rows may be as large as a megabyte. */
const LARGE = new Set(['vault.file_chunks', 'access.job_artifacts']);
const pageOf = (table: string): number => (LARGE.has(table) ? 4 : PAGE);

interface Table {
  /** `schema.table`, quoted if necessary. */
  readonly name: string;
  readonly columns: string;
}

/** Tables with the current state of processes, which is useless elsewhere. */
const OF_THE_MOMENT = ['access.timer_ranges', 'access.positions_last'];

/**
 * Every table outside of the `derived` schemas, except temporary ones. Tables of the log, of checkpoints and of
 * migrations are always excluded. Referenced tables come first.
 */
async function tablesOf(db: ClientBase, derived: readonly string[]): Promise<Table[]> {
  const { rows } = await db.query<Table & { needs: string[] }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
            (select string_agg(format('%I', attname), ', ' order by attnum) from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
            array(select format('%I.%I', fn.nspname, f.relname) from pg_constraint k join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
                   where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid) as needs
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^(pg_|information_schema$)' and n.nspname <> all ($1)
        and format('%s.%s', n.nspname, c.relname) <> all ($2)
      order by 1`,
    [
      ['log', 'projections', 'public', ...derived.flatMap((name) => [name, `${name}__next`, `${name}__old`])],
      OF_THE_MOMENT,
    ],
  );
  const sorted: Table[] = [];
  const visit = (table: (typeof rows)[number]): void => {
    if (sorted.includes(table)) return;
    for (const needed of rows.filter(({ name }) => table.needs.includes(name))) visit(needed);
    sorted.push(table);
  };
  rows.forEach(visit);
  return sorted;
}

/** All entries, in one snapshot. `db` must be in a transaction with isolation `repeatable read`. */
export async function* readTables(db: ClientBase, derived: readonly string[]): AsyncGenerator<Entry> {
  // The consumer of the rows may be slow.
  await db.query('set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0');
  for (const { name, columns } of await tablesOf(db, derived)) {
    await db.query(
      `declare entries no scroll cursor for select to_json(t)::text as row from (select ${columns} from ${name}) t`,
    );
    for (;;) {
      const { rows } = await db.query<{ row: string }>(`fetch ${pageOf(name)} from entries`);
      for (const { row } of rows) yield { table: name, row };
      if (rows.length < pageOf(name)) break;
    }
    await db.query('close entries');
  }
  const { rows } = await db.query<{ sequence: string; value: string }>(
    `select format('%I.%I', schemaname, sequencename) as sequence, last_value::text as value from pg_sequences
      where last_value is not null and schemaname <> all ($1) order by 1`,
    [['log', 'projections', 'public', ...derived]],
  );
  yield* rows;
}

/** Tables that each start fills, and that a backup also contains. */
const AT_START = ['vault.known_keys', 'vault.secrets'];

/** Names of tables that contain rows. */
export async function filledTables(db: ClientBase, derived: readonly string[]): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await tablesOf(db, derived)) {
    if (AT_START.includes(name)) continue;
    const { rowCount } = await db.query(`select from ${name} limit 1`);
    if (rowCount === 1) filled.push(name);
  }
  return filled;
}

/** Writes entries into empty tables of the same structure; returns their number. `db` must be in a transaction. */
export async function writeTables(
  db: ClientBase,
  entries: AsyncIterable<Entry>,
  derived: readonly string[],
): Promise<number> {
  await db.query('set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0');
  const known = new Map((await tablesOf(db, derived)).map((table) => [table.name, table]));
  for (const name of AT_START) await db.query(`delete from ${name}`);
  let written = 0;
  let waiting: { readonly table: Table; readonly rows: string[] } | undefined;
  const flush = async () => {
    if (!waiting) return;
    const {
      table: { name, columns },
      rows,
    } = waiting;
    await db.query(
      `insert into ${name} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${name}, $1)`,
      [`[${rows.join()}]`],
    );
    waiting = undefined;
  };
  for await (const entry of entries) {
    written++;
    if ('sequence' in entry) {
      await flush();
      await db.query('select setval($1::regclass, $2::bigint)', [entry.sequence, entry.value]);
      continue;
    }
    const table = known.get(entry.table);
    if (!table) throw new Error(`The table ${entry.table} does not exist.`);
    if (waiting?.table !== table || waiting.rows.length === pageOf(table.name)) await flush();
    (waiting ??= { table, rows: [] }).rows.push(entry.row);
  }
  await flush();
  return written;
}
