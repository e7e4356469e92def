/** Operations for geocoding and reverse geocoding. */
import { z } from 'zod';
import { PRECISIONS } from '../../../events/orders/events.js';
import { businessOf } from '../../core/callers.js';
import { operation, type Operation } from '../../core/operation.js';
import { positionSourceOutput } from '../orders/output.js';
import { isLocated, type Geocode, type Located, type NotLocated } from './geocode.js';
import { positionSchema } from '../../core/geo.js';

const addressInput = z
  .strictObject({
    street: z.string().trim().min(1).max(300),
    city: z.string().trim().min(1).max(200).optional(),
    postal_code: z.string().trim().min(1).max(20).optional(),
    country: z.string().length(2).optional().describe('ISO 3166-1 alpha-2, such as DE.'),
  })
  .meta({ id: 'AddressToLocate' });

const resultFields = {
  position: positionSchema.nullable(),
  precision: z.enum(PRECISIONS).nullable(),
  confidence: z.number().nullable().describe('Confidence of the match, from 0 to 1.'),
  source: positionSourceOutput
    .nullable()
    .describe('Source of the position: `dataset` with its record, or the name of a geocoder.'),
  matched: z.string().nullable().describe('Matched address, as written by the source.'),
  code: z
    .enum(['NOT_FOUND', 'AMBIGUOUS', 'GEOCODER_DOWN'])
    .nullable()
    .describe('Why no position was found; null if one was found.'),
};
const candidate = z
  .object({ position: positionSchema, precision: z.enum(PRECISIONS), confidence: z.number(), matched: z.string() })
  .meta({ id: 'PlaceCandidate' });

const toResult = (answer: Located | NotLocated) =>
  isLocated(answer)
    ? {
        position: answer.position,
        precision: answer.precision,
        confidence: answer.confidence,
        source: answer.source,
        matched: answer.matched,
        code: null,
      }
    : { position: null, precision: null, confidence: null, source: null, matched: null, code: answer.code };

const COMMON = {
  area: 'Dataset',
  callers: ['client_admin', 'employee', 'broker', 'driver'],
  scopes: ['address:read'],
  reads: ['datasets', 'records'],
} as const;

export const geocodingOperations = (geocode: Geocode): Operation[] => [
  operation({
    ...COMMON,
    name: 'geocode',
    summary: 'Geocode addresses',
    description:
      'Returns a position for each address, in the order of the request. The service searches the geocoding datasets of your business first, then the configured geocoders, for a few seconds at most. The search ignores case, accents, punctuation and abbreviations such as "str.". It tolerates typing errors in a street if the house number matches.',
    rest: { method: 'post', path: '/v1/geocode' },
    input: z.object({ addresses: z.array(addressInput).min(1).max(100) }),
    output: z.object({
      result: z.boolean(),
      places: z.array(
        z
          .object({
            ...resultFields,
            candidates: z.array(candidate).optional().describe('Possible places, if the code is `AMBIGUOUS`.'),
          })
          .meta({ id: 'GeocodedPlace' }),
      ),
    }),
    async run({ addresses }, { caller }) {
      const answers = await geocode(businessOf(caller), addresses);
      return {
        result: true,
        places: answers.map((answer) => ({
          ...toResult(answer),
          ...('candidates' in answer && {
            candidates: answer.candidates.map(({ position, precision, confidence, matched }) => ({
              position,
              precision,
              confidence,
              matched,
            })),
          }),
        })),
      };
    },
  }),
  operation({
    ...COMMON,
    name: 'geocodeReverse',
    summary: 'Find the address at a position',
    description:
      'Returns the nearest address within 200 metres from the geocoding datasets of your business. If there is none, the service asks the configured geocoders.',
    rest: { method: 'get', path: '/v1/geocode/reverse' },
    input: z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
    output: z.object({
      result: z.boolean(),
      place: z
        .object({
          ...resultFields,
          address: z
            .object({
              street: z.string().nullable(),
              postal_code: z.string().nullable(),
              city: z.string().nullable(),
              country: z.string().nullable(),
            })
            .meta({ id: 'AddressAtPosition' })
            .nullable(),
          distance_m: z.int().nullable(),
        })
        .meta({ id: 'PlaceAtPosition' }),
    }),
    async run(at, { caller }) {
      const answer = await geocode.reverse(businessOf(caller), at);
      if (!isLocated(answer)) return { result: true, place: { ...toResult(answer), address: null, distance_m: null } };
      const { address, distance_m } = answer;
      const { street = null, postal_code = null, city = null, country = null } = address;
      return {
        result: true,
        place: { ...toResult(answer), address: { street, postal_code, city, country }, distance_m },
      };
    },
  }),
];
