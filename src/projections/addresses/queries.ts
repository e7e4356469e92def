/** Queries on the read model of address books. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { AddressEntry, AddressKind } from '../../events/addresses/events.js';
import type { AddressOwner } from '../../events/addresses/normal-form.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { Parts } from '../core/parts.js';
import { openRows } from '../core/sealed-members.js';
import { trigramMatch } from '../core/trigram-match.js';
import { createRarestFirst } from '../core/trigram-frequencies.js';
import { searchable } from '../orders/search.js';
import type { AddressRow } from './read-model.js';
import { bookScope } from './search.js';

export type { AddressOwner };

export interface AddressFilter extends Range {
  readonly kind?: AddressKind | undefined;
  readonly country?: string | undefined;
  /** Words of the label, name, company or address. */
  readonly query?: string | undefined;
}

/** An entry with decrypted personal data. Of an erased entry, only the members without personal data are left. */
export type Address = Pick<AddressRow, 'id' | 'revision'> &
  Partial<AddressEntry> &
  Pick<AddressEntry, 'kind' | 'default'> & {
    /** Number of orders that were created from the entry. */
    readonly ordersCount: number;
    readonly lastUsedAt: string | null;
  };

export type AddressQueries = ReturnType<typeof createAddressQueries>;

export type AddressQueryOptions = Parts<'database' | 'keyRing' | 'index'>;

const NEWEST = sql<boolean>`entry.default_at is not null and not exists (
  select from addresses.addresses other where other.business = entry.business and other.kind = entry.kind
     and coalesce(other.customer_id, 0) = coalesce(entry.customer_id, 0) and other.default_at > entry.default_at)`;

/** The entries of an owner. */
export const bookOf = (database: Kysely<Database>, { business, customerId }: AddressOwner) =>
  database
    .selectFrom('addresses.addresses as entry')
    .where('business', '=', business)
    .where('customer_id', customerId === null ? 'is' : '=', customerId)
    .where('removed', '=', false);

/** SQL condition: the row of the search index belongs to the book. */
export const isIn = ({ business, customerId }: AddressOwner): RawBuilder<boolean> =>
  sql<boolean>`t.business = ${business} and t.customer_id is not distinct from ${customerId}`;

export function createAddressQueries({ database, keyRing, index }: AddressQueryOptions) {
  const rarestFirst = createRarestFirst(database, { schema: 'address_search', table: 'texts', columns: ['words'] });
  const book = (owner: AddressOwner) =>
    bookOf(database, owner).select([
      'id',
      'sealed',
      'revision',
      NEWEST.as('isDefault'),
      sql<number | null>`(select orders_count from address_uses.uses u where u.id = entry.id)`.as('ordersCount'),
      sql<string | null>`(select last_used_at from address_uses.uses u where u.id = entry.id)`.as('lastUsedAt'),
    ]);
  type Row = Awaited<ReturnType<ReturnType<typeof book>['execute']>>[number];
  const open = async (rows: readonly Row[]) => {
    const opened = await openRows<AddressEntry, Row>(rows, keyRing);
    return opened.map(({ isDefault, ordersCount, ...entry }): Address => ({
      ...entry,
      default: isDefault,
      ordersCount: ordersCount ?? 0,
    }));
  };
  /** The entries of the book that contain most of the words. */
  async function matches(query: string, owner: AddressOwner) {
    const searched = await rarestFirst(index.ofWords(bookScope(owner), searchable([query])));
    const { score, found } = trigramMatch(sql.ref('t.words'), searched);
    return database
      .selectFrom('address_search.texts as t')
      .where(isIn(owner))
      .where(found)
      .select(['t.address_id', score.as('score')]);
  }
  const byIds = async (ids: readonly number[], owner: AddressOwner): Promise<ReadonlyMap<number, Address>> => {
    const rows = await book(owner)
      .where('id', 'in', [-1, ...ids])
      .execute();
    return new Map((await open(rows)).map((entry) => [entry.id, entry]));
  };

  return {
    byIds,
    byId: async (id: number, owner: AddressOwner): Promise<Address | undefined> => (await byIds([id], owner)).get(id),
    /** Sorted by id. */
    async list({ kind, country, query, ...range }: AddressFilter, owner: AddressOwner): Promise<Page<Address>> {
      const hits = query === undefined ? undefined : (await matches(query, owner)).clearSelect().select('t.address_id');
      const found = book(owner)
        .$if(kind !== undefined, (all) => all.where('kind', '=', kind!))
        .$if(country !== undefined, (all) => all.where('country', '=', country!))
        .$if(hits !== undefined, (all) => all.where('id', 'in', hits!));
      const page = await pageOf(found, range, BY_ID);
      return { ...page, rows: await open(page.rows) };
    },
    /** The best match first. */
    async search(query: string, limit: number, owner: AddressOwner): Promise<readonly Address[]> {
      const hits = await (
        await matches(query, owner)
      )
        .orderBy('score', 'desc')
        .orderBy('t.address_id')
        .limit(limit)
        .execute();
      const entries = await byIds(
        hits.map(({ address_id }) => address_id),
        owner,
      );
      return hits.flatMap(({ address_id }) => entries.get(address_id) ?? []);
    },
    /** Whether the book has this many entries. */
    async hasEntries(count: number, owner: AddressOwner): Promise<boolean> {
      const row = await bookOf(database, owner)
        .select('id')
        .orderBy('id')
        .offset(count - 1)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
