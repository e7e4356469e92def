/** Queries on rate cards. */
import type { Kysely } from 'kysely';
import { decode } from '../../events/core/codec.js';
import type { EventLog } from '../../events/core/log.js';
import type { Card } from '../../events/pricing/card.js';
import { rateCardStream } from '../../events/pricing/events.js';
import type { Family } from '../../events/pricing/families.js';
import { BY_ID } from '../../sql/page-key.js';
import { batchedById } from '../../sql/batched.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { Parts } from '../core/parts.js';
import type { CardVersion, RateCardRow } from './read-model.js';

export interface RateCardFilter extends Range {
  readonly family?: Family | undefined;
  readonly retired?: boolean | undefined;
}

export type RateCardQueries = ReturnType<typeof createRateCardQueries>;

export interface RateCardQueriesOptions extends Parts<'types'> {
  readonly database: Kysely<Database>;
  readonly log: Pick<EventLog, 'pick'>;
}

export function createRateCardQueries({ database, log, types }: RateCardQueriesOptions) {
  const of = (business: number) => database.selectFrom('rate_cards.rate_cards').where('business', '=', business);
  const cardOf = batchedById((ids) =>
    database
      .selectFrom('rate_cards.rate_cards')
      .where((where) => where('id', '=', where.fn.any(where.val(ids))))
      .selectAll()
      .execute(),
  );
  const defaultsOf = batchedById((businesses) =>
    database
      .selectFrom('default_cards.default_cards')
      .where((where) => where('business', '=', where.fn.any(where.val(businesses))))
      .select(['business as id', 'cards'])
      .execute(),
  );
  return {
    /** Sorted by id. */
    list({ family, retired, ...range }: RateCardFilter, business: number): Promise<Page<RateCardRow>> {
      const found = of(business)
        .selectAll()
        .$if(family !== undefined, (query) => query.where('family', '=', family!))
        .$if(retired !== undefined, (query) => query.where('retired', '=', retired!));
      return pageOf(found, range, BY_ID);
    },
    async byId(id: number, business: number): Promise<RateCardRow | undefined> {
      const row = await cardOf(id);
      return row?.business === business ? row : undefined;
    },
    /** The default card of each family that has one. */
    defaults: async (business: number): Promise<Partial<Readonly<Record<Family, number>>>> =>
      (await defaultsOf(business))?.cards ?? {},
    /** The document of a version, from the log. */
    async document(rateCardId: number, { revision }: Pick<CardVersion, 'revision'>): Promise<Card> {
      const [event] = await log.pick([{ stream: rateCardStream(rateCardId), revision }]);
      if (!event) throw new Error(`The log has no event ${revision} of the rate card ${rateCardId}.`);
      return decode(event, types)['card'] as unknown as Card;
    },
  };
}

/** The version that is in force at an instant in milliseconds since 1970; undefined: none is valid yet. */
export const versionInForce = ({ versions }: Pick<RateCardRow, 'versions'>, at: number): CardVersion | undefined =>
  versions.findLast(({ valid_from }) => Date.parse(valid_from) <= at);
