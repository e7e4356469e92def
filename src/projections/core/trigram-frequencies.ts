/**
 * How many texts have which trigram, as far as the database's own statistics tell. An index that is asked for the rarest
 * ones finds few texts that have them by chance.
 */
import { sql, type Kysely } from 'kysely';

/** The database counts anew now and then; a minute more makes no difference. */
const KEPT_MS = 60_000;

/** Gives trigrams in order, the rarest first; those of which nothing is told are the rarest, in the order they come. */
export type RarestFirst = (trigrams: readonly number[]) => Promise<readonly number[]>;

/** `columns`: those of the table that are searched, by their names. */
export function createRarestFirst<Tables>(
  database: Kysely<Tables>,
  { schema, table, columns }: { readonly schema: string; readonly table: string; readonly columns: readonly string[] },
): RarestFirst {
  let known: Promise<ReadonlyMap<number, number>> | undefined;
  let until = 0;

  async function look(): Promise<ReadonlyMap<number, number>> {
    const { rows } = await sql<{ trigrams: number[] | null; shares: number[] | null }>`
      select most_common_elems::text::int[] as trigrams, most_common_elem_freqs as shares
        from pg_stats
       where schemaname = ${schema} and tablename = ${table} and attname = any (${columns})`.execute(database);
    const shares = new Map<number, number>();
    for (const row of rows)
      // Behind the shares stand three figures of all of them.
      row.trigrams?.forEach((trigram, at) => shares.set(trigram, (shares.get(trigram) ?? 0) + row.shares![at]!));
    return shares;
  }

  return async (trigrams) => {
    if (known === undefined || performance.now() > until) {
      until = performance.now() + KEPT_MS;
      known = look();
      known.catch(() => (known = undefined));
    }
    const shares = await known;
    const shareOf = (trigram: number) => shares.get(trigram) ?? 0;
    return [...trigrams].sort((a, b) => shareOf(a) - shareOf(b));
  };
}
