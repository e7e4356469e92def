/** Finds texts that are kept as hashes of their trigrams: see `events/core/blind-trigrams.ts`. */
import { sql, type RawBuilder } from 'kysely';

/** The part of the asked trigrams that a text must have: one typing error in a word of eight letters leaves as many. */
export const RESEMBLES = 0.6;

/**
 * Texts that have most of the trigrams that are asked for. `kept`: the columns that hold them, which count as one text.
 * The index looks for a few of them: a text without any of these has too few of all. Where there are enough, it looks for
 * a few others as well, since many texts have one of the first by chance, and each of them would have to be counted.
 */
export function resembling(
  kept: RawBuilder<unknown> | readonly RawBuilder<unknown>[],
  asked: readonly number[],
): { readonly score: RawBuilder<number>; readonly found: RawBuilder<boolean> } {
  const columns = [kept].flat() as RawBuilder<unknown>[];
  const needed = Math.ceil(RESEMBLES * asked.length);
  /** More than may be missing. */
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
