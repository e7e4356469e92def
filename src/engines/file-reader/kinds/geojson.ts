/** Reads GeoJSON (RFC 7946). It is checked as a whole, so that a map never shows a part of an invalid file. */
import { z } from 'zod';
import { FileRefused } from '../refused.js';
import { decodeText } from './text.js';

export interface GeoJsonOptions {
  readonly maxFeatures: number;
  /** The properties to return, in this order; undefined: only the names of all properties. */
  readonly properties?: readonly string[];
}

export interface ReadFeature {
  readonly geometry: z.infer<typeof geometry>;
  readonly properties: Readonly<Record<string, unknown>>;
}

export type GeoJsonPiece = { readonly names: readonly string[] } | { readonly features: readonly ReadFeature[] };

/** Features, or names, per piece. */
const PIECE = 250;

/** Longitude first; an altitude may follow. */
const position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)], z.number());
const line = z.array(position).min(2);
const ring = z
  .array(position)
  .min(4)
  .refine((points) => points[0]![0] === points.at(-1)![0] && points[0]![1] === points.at(-1)![1]);
const polygon = z.array(ring).min(1);
const geometrySchema = <T extends string, C extends z.ZodType>(type: T, coordinates: C) =>
  z.object({ type: z.literal(type), coordinates });
const geometry = z.discriminatedUnion('type', [
  geometrySchema('Point', position),
  geometrySchema('MultiPoint', z.array(position)),
  geometrySchema('LineString', line),
  geometrySchema('MultiLineString', z.array(line)),
  geometrySchema('Polygon', polygon),
  geometrySchema('MultiPolygon', z.array(polygon)),
]);
const collection = z.object({ type: z.literal('FeatureCollection'), features: z.array(z.unknown()) });
const feature = z.object({
  type: z.literal('Feature'),
  geometry,
  properties: z.record(z.string(), z.unknown()).nullable(),
});

/** Yields features, or the names of their properties. Throws FileRefused: GEOJSON_INVALID with the place, WRONG_BYTE. */
export function* readGeoJson(content: Buffer, { maxFeatures, properties }: GeoJsonOptions): Iterable<GeoJsonPiece> {
  const { features } = expectValid(collection, valueOf(decodeText(content)), '');
  if (features.length > maxFeatures) throw invalidGeoJson('/features');
  const found = features.map((one, index) => expectValid(feature, one, `/features/${index}`));
  if (properties === undefined) {
    const names = [...new Set(found.flatMap((one) => Object.keys(one.properties ?? {})))];
    for (let at = 0; at < names.length; at += PIECE) yield { names: names.slice(at, at + PIECE) };
    return;
  }
  for (let at = 0; at < found.length; at += PIECE)
    yield { features: found.slice(at, at + PIECE).map((one) => select(one, properties)) };
}

function select(found: z.infer<typeof feature>, names: readonly string[]): ReadFeature {
  const all = found.properties ?? {};
  const properties = Object.fromEntries(
    names.filter((name) => Object.hasOwn(all, name)).map((name) => [name, all[name]]),
  );
  return { geometry: found.geometry, properties };
}

function expectValid<T>(schema: z.ZodType<T>, value: unknown, at: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw invalidGeoJson(`${at}/${read.error.issues[0]!.path.join('/')}`);
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidGeoJson('/');
  }
}

const invalidGeoJson = (at: string): FileRefused => new FileRefused('GEOJSON_INVALID', { at });
