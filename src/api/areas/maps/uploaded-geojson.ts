/** Uploaded GeoJSON (RFC 7946). It is validated as a whole, so that a map never shows a part of an invalid file. */
import { z } from 'zod';
import { ApiError } from '../../core/errors.js';
import { latitude, longitude } from '../../core/geo.js';
import { decodeText } from '../files/decode-text.js';
import { feature, MAX_FEATURES, type Feature } from './feature.js';

/** Longitude first; an altitude may follow. */
const position = z.tuple([longitude, latitude], z.number());
const line = z.array(position).min(2);
const ring = z
  .array(position)
  .min(4)
  .refine((points) => points[0]![0] === points.at(-1)![0] && points[0]![1] === points.at(-1)![1]);
const polygon = z.array(ring).min(1);
const geometrySchema = <T extends string, C extends z.ZodType>(type: T, coordinates: C) =>
  z.object({ type: z.literal(type), coordinates });

const collection = z.object({
  type: z.literal('FeatureCollection'),
  features: z
    .array(
      z.object({
        type: z.literal('Feature'),
        geometry: z.discriminatedUnion('type', [
          geometrySchema('Point', position),
          geometrySchema('MultiPoint', z.array(position)),
          geometrySchema('LineString', line),
          geometrySchema('MultiLineString', z.array(line)),
          geometrySchema('Polygon', polygon),
          geometrySchema('MultiPolygon', z.array(polygon)),
        ]),
        properties: z.record(z.string(), z.unknown()).nullable(),
      }),
    )
    .max(MAX_FEATURES),
});
type UploadedFeatures = z.infer<typeof collection>['features'];

/** Throws GEOJSON_INVALID with the position of the error, INVALID_INPUT for invalid UTF-8. */
export function parseFeatures(content: Buffer, field: string): UploadedFeatures {
  const read = collection.safeParse(valueOf(decodeText(content, field)));
  if (read.success) return read.data.features;
  throw invalidGeoJson(`/${read.error.issues[0]!.path.join('/')}`);
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw invalidGeoJson('/', cause);
  }
}

const invalidGeoJson = (at: string, cause?: unknown): ApiError =>
  new ApiError('GEOJSON_INVALID', { params: { at }, ...(cause !== undefined && { cause }) });

/** Features with the selected properties, in this order. */
export const selectProperties = (found: UploadedFeatures, propertyNames: readonly string[]): Feature[] =>
  found.map(({ geometry, properties }, index) =>
    feature(
      index + 1,
      geometry,
      Object.fromEntries(
        propertyNames.filter((name) => Object.hasOwn(properties ?? {}, name)).map((name) => [name, properties![name]]),
      ),
    ),
  );
