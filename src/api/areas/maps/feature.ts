/** A feature of a map, and the feature collection of a layer. */
import { z } from 'zod';

/** Maximum number of features per layer. */
export const MAX_FEATURES = 10_000;

export const featureCollection = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z
        .object({
          type: z.literal('Feature'),
          id: z.int(),
          geometry: z.object({ type: z.string(), coordinates: z.unknown() }).meta({ id: 'Geometry' }),
          properties: z.record(z.string(), z.unknown()),
        })
        .meta({ id: 'Feature' }),
    ),
    truncated: z
      .boolean()
      .describe(
        `True if the layer has more than ${MAX_FEATURES.toLocaleString('en')} features; the others are omitted.`,
      ),
  })
  .meta({ id: 'FeatureCollection' });
export type FeatureCollection = z.infer<typeof featureCollection>;
export type Feature = FeatureCollection['features'][number];

export const feature = (id: number, geometry: Feature['geometry'], properties: Feature['properties']): Feature => ({
  type: 'Feature',
  id,
  geometry,
  properties,
});
