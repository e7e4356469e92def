/** The list of the formats of timelines. */
import { z } from 'zod';
import type { Format } from '../../../serializers/format.js';
import { EVERYBODY } from '../../core/callers.js';
import { operation, type Operation } from '../../core/operation.js';

export const formatList = (formats: readonly Format[]): Operation =>
  operation({
    name: 'otepFormats',
    area: 'OTEP',
    summary: 'List the formats of timelines',
    description:
      'Returns the names, media types and standards of the formats. `lost` lists the data that a format cannot represent.',
    rest: { method: 'get', path: '/v1/otep/formats' },
    callers: EVERYBODY,
    input: z.object({}),
    output: z.object({
      result: z.boolean(),
      formats: z.array(
        z
          .object({
            name: z.string(),
            media_types: z.array(z.string()),
            profile: z.string(),
            standard: z.string(),
            version: z.string(),
            direction: z.string(),
            lost: z.array(z.string()),
            events: z.boolean(),
          })
          .meta({ id: 'OtepFormat' }),
      ),
    }),
    run: () =>
      Promise.resolve({
        result: true,
        formats: formats.map(({ name, mediaType, variants = [], standard, version, direction, lost, events }) => ({
          name,
          media_types: [mediaType, ...variants.map((variant) => variant.mediaType)],
          profile: `urn:otep:format:${name}`,
          standard,
          version,
          direction,
          lost: [...lost],
          events: events !== undefined,
        })),
      }),
  });
