/** Searches addresses that the caller may use: of the address book, orders, points of interest and datasets. */
import { z } from 'zod';
import { normalAddress } from '../../../events/addresses/normal-form.js';
import { compact } from '../../../events/core/compact.js';
import type { Stop } from '../../../events/orders/events.js';
import type { AddressQueries } from '../../../projections/addresses/queries.js';
import type { DatasetQueries, RecordQueries } from '../../../projections/datasets/queries.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { PoiQueries } from '../../../projections/pois/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { positionSchema } from '../../core/geo.js';
import { operation, type Operation } from '../../core/operation.js';
import { viewerOf, WRITERS } from '../orders/viewer.js';
import { ownerOf, searchInput } from './shapes.js';

const SOURCES = ['book', 'order', 'poi', 'dataset'] as const;
type Source = (typeof SOURCES)[number];

const text = z.string().optional();
const addressSchema = z
  .object({
    source: z
      .enum(SOURCES)
      .describe(
        '`book`: the address book. `order`: a pick-up or delivery. `poi`: a point of interest. `dataset`: a geocoding dataset.',
      ),
    address_id: z.int().optional().describe('Entry of the address book, for `address_id` of a new order.'),
    street: text,
    street_2: text,
    city: text,
    region: text,
    postal_code: text,
    country: text,
    position: positionSchema.optional(),
  })
  .meta({ id: 'FoundAddress' });
type FoundAddress = z.infer<typeof addressSchema>;

/** Reads more matches than addresses: many orders have the same address, and not every match has the searched numbers. */
const MATCHES_PER_ADDRESS = 4;
/** Maximum number of datasets that one search reads. The oldest ones count. */
const MAX_DATASETS = 5;

export interface AddressSearchQueries {
  readonly book: Pick<AddressQueries, 'search'>;
  readonly orders: Pick<OrderQueries, 'findByAddress'>;
  readonly pois: Pick<PoiQueries, 'search'>;
  readonly datasets: Pick<DatasetQueries, 'byKind'>;
  readonly records: Pick<RecordQueries, 'search'>;
}

type Search = (query: string, limit: number, caller: Caller) => Promise<readonly FoundAddress[]>;

export function addressSearch({ book, orders, pois, datasets, records }: AddressSearchQueries): Operation {
  const inBook: Search = async (query, limit, caller) =>
    (await book.search(query, limit * MATCHES_PER_ADDRESS, ownerOf(caller))).map(({ id, address = {} }) =>
      found('book', address, { address_id: id }),
    );

  const inOrders: Search = async (query, limit, caller) => {
    const matches = await orders.findByAddress(query, limit * MATCHES_PER_ADDRESS, viewerOf(caller));
    // The search text of an order contains both of its addresses. The address with more matching words comes first.
    return matches
      .flatMap(({ pickup, delivery }) => [delivery, pickup])
      .filter((stop) => stop?.street !== undefined)
      .map((stop) => ({ stop: stop!, hits: hitsIn(stop!, query) }))
      .filter(({ hits }) => hits > 0)
      .sort((a, b) => b.hits - a.hits)
      .map(({ stop }) => found('order', stop));
  };

  const inPois: Search = async (query, limit, caller) => {
    const viewer = { business: businessOf(caller), publicOnly: caller.role === 'customer' };
    return (await pois.search(query, limit, viewer)).map(({ address = {}, position }) =>
      found('poi', { ...address, position }),
    );
  };

  const inDatasets: Search = async (query, limit, caller) => {
    const addresses: FoundAddress[] = [];
    for (const { id, columns } of (await datasets.byKind(businessOf(caller), 'geocoding')).slice(0, MAX_DATASETS)) {
      const visible = columns.filter(({ hidden }) => !hidden).map(({ code }) => code);
      const words = { text: query, columns: visible, inAllColumns: visible.length === columns.length };
      const { rows } = await records.search(
        id,
        { words, conditions: [], sort: [] },
        { offset: 0, limit: limit * MATCHES_PER_ADDRESS },
      );
      for (const { values } of rows)
        addresses.push(found('dataset', Object.fromEntries(visible.map((code) => [code, values[code]])) as Stop));
      if (addresses.length >= limit) break;
    }
    return addresses;
  };

  /** The sources that the caller may read, in the order of the results. */
  function sourcesOf(caller: Caller): readonly Search[] {
    if (!userOf(caller).scopes.has('datasets:read')) return [inBook, inOrders];
    return caller.role === 'customer' ? [inBook, inOrders, inPois] : [inBook, inOrders, inPois, inDatasets];
  }

  return operation({
    name: 'addressesSearch',
    area: 'AddressBook',
    summary: 'Search addresses',
    description:
      'Searches by postal code or free text, for example to complete an address form. Results come from the address book, then from orders, then from points of interest and geocoding datasets. Each address is returned only once. Points of interest and datasets require the scope `datasets:read`; customers see public points of interest and no datasets.',
    rest: { method: 'get', path: '/v1/addresses/search' },
    callers: [...WRITERS, 'customer'],
    scopes: ['address:read'],
    reads: ['addresses', 'address_search', 'orders', 'order_search', 'pois', 'datasets', 'records', 'dataset_search'],
    input: z.object({ query: searchInput, limit: z.int().min(1).max(50).default(10) }),
    output: z.object({ result: z.boolean(), addresses: z.array(addressSchema) }),
    async run({ query, limit }, { caller }) {
      const addresses = new Map<string, FoundAddress>();
      for (const search of sourcesOf(caller)) {
        if (addresses.size >= limit) break;
        for (const address of await search(query, limit, caller)) {
          const key = normalAddress(address);
          if (!addresses.has(key) && hasNumbers(address, query)) addresses.set(key, address);
        }
      }
      return { result: true, addresses: [...addresses.values()].slice(0, limit) };
    },
  });
}

/** Number of the searched words that the address contains. */
function hitsIn(stop: Stop, query: string): number {
  const address = JSON.stringify(found('order', stop)).toLowerCase();
  return query
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '' && address.includes(word)).length;
}

/** Typing errors are tolerated in words, but not in postal codes and house numbers. Names of places may be numbers. */
const hasNumbers = ({ source, position: _position, ...address }: FoundAddress, query: string): boolean => {
  const text = JSON.stringify({ ...address, address_id: undefined });
  return source === 'poi' || (query.match(/\d+/g) ?? []).every((number) => text.includes(number));
};

const found = (
  source: Source,
  { street, street_2, city, region, postal_code, country, position }: Stop,
  more: { readonly address_id?: number } = {},
): FoundAddress => ({
  source,
  ...more,
  ...compact({ street, street_2, city, region, postal_code, country, position }),
});
