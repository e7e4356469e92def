/** Searches addresses of the pickups and deliveries of orders. */
import { z } from 'zod';
import type { Stop } from '../../../events/orders/events.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import { viewerOf, WRITERS } from './viewer.js';
import { operation, type Operation } from '../../core/operation.js';
import { positionSchema } from '../../core/geo.js';

const text = z.string().optional();
const addressSchema = z
  .object({
    street: text,
    street_2: text,
    city: text,
    region: text,
    postal_code: text,
    country: text,
    position: positionSchema.optional(),
  })
  .meta({ id: 'OrderAddress' });

/** Reads more orders than addresses, because many orders have the same address. */
const ORDERS_PER_ADDRESS = 4;

export const addressSearch = ({ queries }: { readonly queries: OrderQueries }): Operation =>
  operation({
    name: 'addressesSearch',
    area: 'AddressBook',
    summary: 'Search the addresses of orders',
    description:
      'Searches pick-up and delivery addresses by postal code or free text, for example to complete an address form.',
    rest: { method: 'get', path: '/v1/addresses/search' },
    callers: [...WRITERS, 'customer'],
    scopes: ['address:read'],
    reads: ['orders', 'order_search'],
    input: z.object({ query: z.string().trim().min(2).max(200), limit: z.int().min(1).max(50).default(10) }),
    output: z.object({ result: z.boolean(), addresses: z.array(addressSchema) }),
    async run({ query, limit }, { caller }) {
      const found = await queries.findByAddress(query, limit * ORDERS_PER_ADDRESS, viewerOf(caller));
      const words = query
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean);
      const addresses = new Map<string, { address: z.infer<typeof addressSchema>; hits: number }>();
      for (const { pickup, delivery } of found) {
        for (const stop of [delivery, pickup]) {
          if (stop?.street === undefined) continue;
          const address = addressOf(stop);
          const key = JSON.stringify(address).toLowerCase();
          addresses.set(key, { address, hits: words.filter((word) => key.includes(word)).length });
        }
      }
      // The search text of an order contains both of its addresses. The address with more matching words comes first.
      return {
        result: true,
        addresses: [...addresses.values()]
          .filter(({ hits }) => hits > 0)
          .sort((a, b) => b.hits - a.hits)
          .slice(0, limit)
          .map(({ address }) => address),
      };
    },
  });

const addressOf = ({
  street,
  street_2,
  city,
  region,
  postal_code,
  country,
  position,
}: Stop): z.infer<typeof addressSchema> => ({
  ...(street !== undefined && { street }),
  ...(street_2 !== undefined && { street_2 }),
  ...(city !== undefined && { city }),
  ...(region !== undefined && { region }),
  ...(postal_code !== undefined && { postal_code }),
  ...(country !== undefined && { country }),
  ...(position !== undefined && { position }),
});
