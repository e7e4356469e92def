/** Finds texts that are stored as hashes of their trigrams (see `events/core/blind-trigrams.ts`). */
import { sql, type RawBuilder } from 'kysely';

/**
 * Share of the searched trigrams that a text must contain. One typing error in a word of eight letters leaves this
 * share.
 */
export const MIN_SIMILARITY = 0.6;

/**
 * Finds texts that contain most of the searched trigrams. `stored`: the columns that contain the trigrams; they count
 * as one text. `counted`: the trigrams of `stored` that count; absent: all.
 *
 * The index first looks for a few of the trigrams; a text without any of these cannot contain enough of them. If there
 * are enough trigrams, the index also looks for a few others. Otherwise it would have to count the many texts that
 * contain one of the first by chance.
 */
export function trigramMatch(
  stored: RawBuilder<unknown> | readonly RawBuilder<unknown>[],
  searched: readonly number[],
  counted?: readonly RawBuilder<unknown>[],
): { readonly score: RawBuilder<number>; readonly found: RawBuilder<boolean> } {
  const columns = [stored].flat() as RawBuilder<unknown>[];
  const needed = Math.ceil(MIN_SIMILARITY * searched.length);
  /** One more than the number of trigrams that may be missing. */
  const sampleSize = searched.length - needed + 1;
  const samples = [searched.slice(0, sampleSize), searched.slice(sampleSize, 2 * sampleSize)].filter(
    ({ length }) => length === sampleSize,
  );
  const has = sql.join(
    (counted ?? columns).map((column) => sql`h.trigram = any (${column})`),
    sql` or `,
  );
  const score = sql<number>`(select count(*) from unnest(${searched}::int[]) as h (trigram) where ${has}) / ${Math.max(1, searched.length)}::float8`;
  const hasOneOf = (some: readonly number[]) =>
    sql`(${sql.join(
      columns.map((column) => sql`${column} && ${some}::int[]`),
      sql` or `,
    )})`;
  const matchesSamples = sql.join(samples.map(hasOneOf), sql` and `);
  const found =
    searched.length === 0 ? sql<boolean>`false` : sql<boolean>`(${matchesSamples} and ${score} >= ${MIN_SIMILARITY})`;
  return { score, found };
}
