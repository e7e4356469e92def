/** The features of a layer, as GeoJSON (RFC 7946). */
import type { Layer } from '../../../events/maps/events.js';
import type { DatasetQueries, RecordQueries } from '../../../projections/datasets/queries.js';
import type { PoiQueries } from '../../../projections/pois/queries.js';
import type { RouteViewer } from '../../../projections/routes/queries.js';
import { conditionsOf, type Filter } from '../datasets/filters.js';
import { visibleValues } from '../datasets/shapes.js';
import { driverFeatures, type DriverSources } from './drivers.js';
import { feature, MAX_FEATURES, type Feature, type FeatureCollection } from './feature.js';
import type { LayerFiles } from './layer-files.js';
import { routeFeatures, type RouteSources } from './routes.js';

export interface FeatureSources extends RouteSources, DriverSources {
  readonly pois: PoiQueries;
  readonly datasets: DatasetQueries;
  readonly records: RecordQueries;
  readonly layerFiles: Pick<LayerFiles, 'featuresOf'>;
}

/**
 * Audience of a layer. Public layers are read without keys of persons, so they cannot contain personal data. An
 * uploaded file of the map is shown as its uploader prepared it.
 */
export type Audience =
  | { readonly business: number; readonly isPublic: true }
  | {
      readonly business: number;
      readonly isPublic: false;
      /** Limits the routes: contractors and drivers see only their own. */
      readonly viewer: RouteViewer;
      /** The current date in the viewer's timezone. */
      readonly today: string;
      /** Milliseconds since 1970. */
      readonly time: number;
    };

export async function featuresOf(
  layer: Layer,
  audience: Audience,
  sources: FeatureSources,
): Promise<FeatureCollection> {
  const found = await sourceFeaturesOf(layer, audience, sources);
  return { type: 'FeatureCollection', features: found.slice(0, MAX_FEATURES), truncated: found.length > MAX_FEATURES };
}

function sourceFeaturesOf(layer: Layer, audience: Audience, sources: FeatureSources): Promise<Feature[]> {
  const { pois, dataset, routes, drivers, geojson } = layer.source;
  if (pois) return poiFeatures(pois, audience, sources);
  if (dataset) return recordFeatures(layer, audience, sources);
  if (geojson) return sources.layerFiles.featuresOf(geojson.file_id, layer.columns);
  // The remaining sources show where persons are, so they are never public.
  if (audience.isPublic) return Promise.resolve([]);
  if (drivers) return driverFeatures({ ...drivers, time: audience.time }, audience.viewer, sources, MAX_FEATURES);
  if (!routes) return Promise.resolve([]);
  const routesQuery = { date: routes.date ?? audience.today, lines: layer.style.kind === 'line' };
  return routeFeatures(routesQuery, audience.viewer, sources, MAX_FEATURES);
}

async function poiFeatures(
  { category, tags }: NonNullable<Layer['source']['pois']>,
  { business, isPublic }: Audience,
  { pois }: FeatureSources,
): Promise<Feature[]> {
  const filter = { category, ...(tags.length > 0 && { tags }) };
  const places = await pois.open(filter, MAX_FEATURES + 1, { business, publicOnly: isPublic });
  return places.map(({ id, latitude, longitude, ...place }) =>
    feature(id, { type: 'Point', coordinates: [longitude, latitude] }, place),
  );
}

async function recordFeatures(
  { source, columns: shown }: Layer,
  { business, isPublic }: Audience,
  { datasets, records }: FeatureSources,
): Promise<Feature[]> {
  const { dataset_id, column, filters } = source.dataset!;
  const dataset = await datasets.byId(dataset_id, business);
  // The dataset may have been deleted, or the column hidden, since the layer was set.
  const geometry = dataset?.columns.find(({ code, hidden }) => code === column && !hidden);
  const known = new Set(dataset?.columns.filter(({ hidden }) => !hidden).map(({ code }) => code));
  if (!dataset || !geometry || !filters.every((filter) => known.has(filter.column))) return [];
  const conditions = conditionsOf(dataset.columns, filters as readonly Filter[]);
  const range = { offset: 0, limit: MAX_FEATURES + 1 };
  const rows = isPublic
    ? (await records.open(dataset_id, conditions, range.limit)).map(({ id, fields }) => ({ id, values: fields }))
    : (await records.search(dataset_id, { conditions, sort: [] }, range)).rows;
  return rows.flatMap(({ id, values }) =>
    values[column] === undefined
      ? []
      : [feature(id, geometryOf(values[column]), visibleValues(dataset.columns, values, shown))],
  );
}

/** Converts a point or polygon of a record to GeoJSON. */
function geometryOf(value: unknown): Feature['geometry'] {
  if (Array.isArray(value)) return { type: 'Polygon', coordinates: [value] };
  const { latitude, longitude } = value as { readonly latitude: number; readonly longitude: number };
  return { type: 'Point', coordinates: [longitude, latitude] };
}
