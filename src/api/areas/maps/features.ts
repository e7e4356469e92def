/** The features of a layer, as GeoJSON (RFC 7946). */
import { z } from 'zod';
import type { Layer } from '../../../events/maps/events.js';
import type { DatasetQueries, RecordQueries } from '../../../projections/datasets/queries.js';
import type { PoiQueries } from '../../../projections/pois/queries.js';
import { conditionsOf, type Filter } from '../datasets/filters.js';
import { shownValues } from '../datasets/shapes.js';

/** Of one layer. */
const MOST_FEATURES = 10_000;

export const featureCollection = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z.object({
        type: z.literal('Feature'),
        id: z.int(),
        geometry: z.object({ type: z.string(), coordinates: z.unknown() }),
        properties: z.record(z.string(), z.unknown()),
      }),
    ),
    truncated: z.boolean().describe(`There are more than ${MOST_FEATURES.toLocaleString('en')}.`),
  })
  .meta({ id: 'FeatureCollection' });
export type FeatureCollection = z.infer<typeof featureCollection>;
type Feature = FeatureCollection['features'][number];

export interface FeatureSources {
  readonly pois: PoiQueries;
  readonly datasets: DatasetQueries;
  readonly records: RecordQueries;
}

/** For whom: of what is public, no key is used to read it, so that nothing personal can be in it. */
export interface Audience {
  readonly business: number;
  readonly isPublic: boolean;
}

export async function featuresOf(
  layer: Layer,
  { business, isPublic }: Audience,
  sources: FeatureSources,
): Promise<FeatureCollection> {
  const found = layer.source.pois
    ? await placesOf(layer.source.pois, { business, isPublic }, sources)
    : await recordsOf(layer, { business, isPublic }, sources);
  return {
    type: 'FeatureCollection',
    features: found.slice(0, MOST_FEATURES),
    truncated: found.length > MOST_FEATURES,
  };
}

const feature = (id: number, geometry: Feature['geometry'], properties: Feature['properties']): Feature => ({
  type: 'Feature',
  id,
  geometry,
  properties,
});

async function placesOf(
  { category, tags }: NonNullable<Layer['source']['pois']>,
  { business, isPublic }: Audience,
  { pois }: FeatureSources,
): Promise<Feature[]> {
  const filter = { category, ...(tags.length > 0 && { tags }) };
  const places = await pois.open(filter, MOST_FEATURES + 1, { business, publicOnly: isPublic });
  return places.map(({ id, latitude, longitude, ...place }) =>
    feature(id, { type: 'Point', coordinates: [longitude, latitude] }, place),
  );
}

async function recordsOf(
  { source, columns: shown }: Layer,
  { business, isPublic }: Audience,
  { datasets, records }: FeatureSources,
): Promise<Feature[]> {
  const { dataset_id, column, filters } = source.dataset!;
  const dataset = await datasets.byId(dataset_id, business);
  // Its dataset may have gone, or the column been hidden, since the layer was set.
  const geometry = dataset?.columns.find(({ code, hidden }) => code === column && !hidden);
  const known = new Set(dataset?.columns.filter(({ hidden }) => !hidden).map(({ code }) => code));
  if (!dataset || !geometry || !filters.every((filter) => known.has(filter.column))) return [];
  const conditions = conditionsOf(dataset.columns, filters as readonly Filter[]);
  const range = { offset: 0, limit: MOST_FEATURES + 1 };
  const rows = isPublic
    ? (await records.open(dataset_id, conditions, range.limit)).map(({ id, fields }) => ({ id, values: fields }))
    : (await records.search(dataset_id, { conditions, sort: [] }, range)).rows;
  return rows.flatMap(({ id, values }) =>
    values[column] === undefined
      ? []
      : [feature(id, geometryOf(values[column]), shownValues(dataset.columns, values, shown))],
  );
}

/** Of a point or a polygon as records have them. */
function geometryOf(value: unknown): Feature['geometry'] {
  if (Array.isArray(value)) return { type: 'Polygon', coordinates: [value] };
  const { latitude, longitude } = value as { readonly latitude: number; readonly longitude: number };
  return { type: 'Point', coordinates: [longitude, latitude] };
}
