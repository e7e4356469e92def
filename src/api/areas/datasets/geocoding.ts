/** Where addresses are, by the business's own datasets of places. */
import { z } from 'zod';
import type { Place, PlaceQueries } from '../../../projections/datasets/places.js';
import { addressKey, type PlaceText } from '../../../projections/datasets/place-key.js';
import { businessOf } from '../../core/callers.js';
import { operation, type Operation } from '../../core/operation.js';

/** For each address its position, or undefined; in their order. */
export type Geocode = (business: number, addresses: readonly PlaceText[]) => Promise<readonly (Place | undefined)[]>;

export function createGeocode(queries: PlaceQueries): Geocode {
  return async (business, addresses) => {
    const keys = addresses.map(addressKey);
    const found = await queries.places(
      business,
      keys.filter((key) => key !== null),
    );
    return keys.map((key, index) => {
      const { country } = addresses[index]!;
      // Where both say a country, it must be the same one.
      return found.get(key ?? '')?.find((place) => !country || !place.country || place.country === country);
    });
  };
}

const address = z
  .strictObject({
    street: z.string().trim().min(1).max(300),
    city: z.string().trim().min(1).max(200).optional(),
    postal_code: z.string().trim().min(1).max(20).optional(),
    country: z.string().length(2).optional().describe('ISO 3166-1 alpha-2.'),
  })
  .meta({ id: 'AddressToLocate' });

export const geocodingOperations = (geocode: Geocode): Operation[] => [
  operation({
    name: 'geocode',
    tag: 'Dataset',
    summary: "Where addresses are, by the business's own geocoding datasets.",
    description: 'Street and postal code must be the same; case, accents, signs and "str." do not matter.',
    rest: { method: 'post', path: '/v1/geocode' },
    callers: ['client_admin', 'employee', 'broker'],
    scopes: ['address:read'],
    reads: ['datasets', 'records'],
    input: z.object({ addresses: z.array(address).min(1).max(100) }),
    output: z.object({
      result: z.boolean(),
      places: z.array(
        z.object({
          position: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
          record_id: z.int().nullable(),
          code: z.enum(['NOT_FOUND']).nullable(),
        }),
      ),
    }),
    async run({ addresses }, { caller }) {
      const found = await geocode(businessOf(caller), addresses);
      return {
        result: true,
        places: found.map((place) =>
          place
            ? {
                position: { latitude: place.latitude, longitude: place.longitude },
                record_id: place.record_id,
                code: null,
              }
            : { position: null, record_id: null, code: 'NOT_FOUND' as const },
        ),
      };
    },
  }),
];
