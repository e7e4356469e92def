/** Finds the rate card that applies, and keeps compiled cards in memory. */
import QuickLRU from 'quick-lru';
import { compileCard, type CompiledCard } from '../../../commands/pricing/compile.js';
import type { Family } from '../../../events/pricing/families.js';
import { versionInForce, type RateCardQueries } from '../../../projections/pricing/queries.js';
import type { CardVersion, RateCardRow } from '../../../projections/pricing/read-model.js';

/** A version of a card, ready to price with. */
export interface PricingCard {
  readonly row: RateCardRow;
  readonly version: CardVersion;
  readonly compiled: CompiledCard;
}

/** A compiled card of the maximum size takes some megabytes. */
const MAX_COMPILED = 20;

export type Cards = ReturnType<typeof createCards>;

export function createCards(queries: RateCardQueries) {
  const compiled = new QuickLRU<string, Promise<CompiledCard>>({ maxSize: MAX_COMPILED });

  async function load(row: RateCardRow, version: CardVersion): Promise<PricingCard> {
    const key = `${row.family} ${row.currency} ${version.digest}`;
    let card = compiled.get(key);
    if (!card) {
      card = queries.document(row.id, version).then((document) => compileCard(document, row));
      compiled.set(key, card);
      card.catch(() => compiled.delete(key));
    }
    return { row, version, compiled: await card };
  }

  /** The version in force of an active card. `at`: milliseconds since 1970. */
  async function ofId(id: number | undefined, business: number, at: number): Promise<PricingCard | undefined> {
    const row = id === undefined ? undefined : await queries.byId(id, business);
    const version = row && !row.retired ? versionInForce(row, at) : undefined;
    return row && version && load(row, version);
  }

  return {
    load,
    ofId,
    /** A version of a card, also if it is not in force any more. Undefined: the business has no such version. */
    async ofVersion(cardId: number, number: number, business: number): Promise<PricingCard | undefined> {
      const row = await queries.byId(cardId, business);
      const version = row?.versions.find((one) => one.version === number);
      return row && version && load(row, version);
    },
    /**
     * The card for a price, and its version in force: the card of the customer, otherwise the default card of the
     * business. Undefined: there is none, it is retired, or no version is valid yet. `at`: milliseconds since 1970.
     */
    async applying(
      { business, family, customerCard }: { business: number; family: Family; customerCard: number | null },
      at: number,
    ): Promise<PricingCard | undefined> {
      return ofId(customerCard ?? (await queries.defaults(business))[family], business, at);
    },
  };
}
