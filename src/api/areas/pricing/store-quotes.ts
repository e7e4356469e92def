/** Stores new quotes. A repeated request gets the quotes of the earlier request. */
import { randomUUID } from 'node:crypto';
import type { Quote, Quotes, StoredQuote } from '../../../engines/postgres/quotes.js';
import { rateId, REPEAT_MS } from './rate-ids.js';

/** `parts`: everything that makes the quote differ from another of the same minute. */
export interface NewQuote {
  readonly quote: Omit<Quote, 'rate_id'>;
  readonly parts: readonly (string | number | null)[];
}

/**
 * Maximum number of quotes with the same content within a minute that get derived ids; additional quotes get random
 * ids.
 */
const MAX_REPEATED = 8;

/** `time`: now, in milliseconds since 1970. Returns the quotes in the given order. */
export type StoreQuotes = (made: readonly NewQuote[], time: number) => Promise<readonly StoredQuote[]>;

/** `key`: 32 secret bytes. */
export function createStoreQuotes({ quotes, key }: { readonly quotes: Quotes; readonly key: Buffer }): StoreQuotes {
  return async (made, time) => {
    const minute = Math.floor(time / REPEAT_MS);
    const all = made.map(({ quote, parts }) => ({
      quote,
      ids: Array.from({ length: MAX_REPEATED }, (_, n) => rateId(key, [...parts, minute, n])),
    }));
    const earlier = await quotes.recent(
      all.flatMap(({ ids }) => ids),
      new Date(time - REPEAT_MS),
    );
    const known = new Map(earlier.map((one) => [one.rate_id, one]));
    const found = all.map(({ quote, ids }) => {
      // The first id whose quote no order has used.
      const rate_id = ids.find((id) => (known.get(id)?.used_by ?? null) === null) ?? rateId(key, [randomUUID()]);
      return known.get(rate_id) ?? { ...quote, rate_id, used_by: null };
    });
    await quotes.add(found.filter(({ rate_id }) => !known.has(rate_id)));
    return found;
  };
}
