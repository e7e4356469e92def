/** Finds texts that are stored as hashes of their trigrams (see `events/core/blind-trigrams.ts`). */
import { sql, type RawBuilder } from 'kysely';

/**
 * Share of the searched trigrams that a text must contain. One typing error in a word of eight letters leaves this
 * share.
 */
export const RESEMBLES = 0.6;

/**
 * Finds texts that contain most of the searched trigrams. `kept`: the columns that contain the trigrams; they count as
 * one text.
 *
 * The index first looks for a few of the trigrams; a text without any of these cannot contain enough of them. If there
 * are enough trigrams, the index also looks for a few others. Otherwise it would have to count the many texts that
 * contain one of the first by chance.
 */
export function resembling(
  kept: RawBuilder<unknown> | readonly RawBuilder<unknown>[],
  asked: readonly number[],
): { readonly score: RawBuilder<number>; readonly found: RawBuilder<boolean> } {
  const columns = [kept].flat() as RawBuilder<unknown>[];
  const needed = Math.ceil(RESEMBLES * asked.length);
  /** One more than the number of trigrams that may be missing. */
  const few = asked.length - needed + 1;
  const looked = [asked.slice(0, few), asked.slice(few, 2 * few)].filter(({ length }) => length === few);
  const has = sql.join(
    columns.map((column) => sql`h.trigram = any (${column})`),
    sql` or `,
  );
  const score = sql<number>`(select count(*) from unnest(${asked}::int[]) as h (trigram) where ${has}) / ${Math.max(1, asked.length)}::float8`;
  const hasOneOf = (some: readonly number[]) =>
    sql`(${sql.join(
      columns.map((column) => sql`${column} && ${some}::int[]`),
      sql` or `,
    )})`;
  const hasFew = sql.join(looked.map(hasOneOf), sql` and `);
  const found = asked.length === 0 ? sql<boolean>`false` : sql<boolean>`(${hasFew} and ${score} >= ${RESEMBLES})`;
  return { score, found };
}
