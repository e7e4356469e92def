/**
 * Frequencies of trigrams, from the statistics of the database. An index that is searched for the rarest trigrams
 * returns few texts that contain them by chance.
 */
import { sql, type Kysely } from 'kysely';

/** Lifetime of the cached statistics. The database updates them rarely, so a minute more makes no difference. */
const CACHE_MS = 60_000;

/** Sorts trigrams, the rarest first. Trigrams without statistics count as the rarest and keep their order. */
export type RarestFirst = (trigrams: readonly number[]) => Promise<readonly number[]>;

/** `columns`: names of the searched columns of the table. */
export function createRarestFirst<Tables>(
  database: Kysely<Tables>,
  { schema, table, columns }: { readonly schema: string; readonly table: string; readonly columns: readonly string[] },
): RarestFirst {
  let known: Promise<ReadonlyMap<number, number>> | undefined;
  let until = 0;

  async function readFrequencies(): Promise<ReadonlyMap<number, number>> {
    const { rows } = await sql<{ trigrams: number[] | null; shares: number[] | null }>`
      select most_common_elems::text::int[] as trigrams, most_common_elem_freqs as shares
        from pg_stats
       where schemaname = ${schema} and tablename = ${table} and attname = any (${columns})`.execute(database);
    const shares = new Map<number, number>();
    for (const row of rows)
      // The array of shares has three more values, which are statistics of the whole column.
      row.trigrams?.forEach((trigram, at) => shares.set(trigram, (shares.get(trigram) ?? 0) + row.shares![at]!));
    return shares;
  }

  return async (trigrams) => {
    if (known === undefined || performance.now() > until) {
      until = performance.now() + CACHE_MS;
      known = readFrequencies();
      known.catch(() => (known = undefined));
    }
    const shares = await known;
    const shareOf = (trigram: number) => shares.get(trigram) ?? 0;
    return [...trigrams].sort((a, b) => shareOf(a) - shareOf(b));
  };
}
