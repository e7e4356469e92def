/** Layers of a map as they come in: each is checked against what it is made of. */
import { z } from 'zod';
import { LAYER_ROLES, STYLE_KINDS, type Layer } from '../../../events/maps/events.js';
import type { DatasetQueries } from '../../../projections/datasets/queries.js';
import type { FleetQueries } from '../../../projections/fleets/queries.js';
import { ApiError, invalidField } from '../../core/errors.js';
import { positionInput } from '../../core/geo.js';
import { idSchema } from '../../core/ids.js';
import { codeInput, conditionsOf, filterInput, shownColumn, type Filter } from '../datasets/filters.js';
import { nameInput } from '../datasets/shapes.js';
import { dateSchema } from '../../core/dates.js';
import { categoryInput, tagsInput } from '../pois/shapes.js';
import type { LayerFiles, Uploader } from './layer-files.js';

const MOST_LAYERS = 20;

export const layerId = z
  .string()
  .regex(/^[a-z0-9_-]{1,40}$/)
  .describe('Small letters, digits, hyphen, underscore.');
const zoom = z.number().min(0).max(24);
export const viewInput = z.strictObject({ center: positionInput, zoom });

const layerInput = z.strictObject({
  layer_id: layerId,
  title: nameInput,
  source: z
    .strictObject({
      pois: z.strictObject({ category: categoryInput.optional(), tags: tagsInput.default([]) }).optional(),
      dataset: z
        .strictObject({
          dataset_id: idSchema,
          column: codeInput.describe('Of points or polygons.'),
          filters: z.array(filterInput).max(20).default([]),
        })
        .optional(),
      routes: z
        .strictObject({ date: dateSchema.optional().describe('Absent: of the day on which it is read.') })
        .optional(),
      drivers: z
        .strictObject({ fleet_ids: z.array(idSchema).min(1).max(100).optional().describe('Absent: all drivers.') })
        .optional(),
      geojson: z
        .strictObject({ file_id: z.uuid().describe('Uploaded with the purpose `map`; it is of this map alone.') })
        .optional(),
    })
    .describe(
      'Points of interest, records of a dataset, routes: their ways (style `line`) or their stops, drivers on duty where they were last, or an uploaded file.',
    ),
  columns: z
    .array(z.string().min(1).max(100))
    .max(50)
    .default([])
    .describe('Of the dataset, or properties of the file: what is told of each feature.'),
  style: z.strictObject({
    kind: z.enum(STYLE_KINDS),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i)
      .default('#3366cc'),
    icon: z
      .string()
      .regex(/^[a-z0-9_-]{1,40}$/)
      .optional(),
    size: z.number().min(1).max(100).optional(),
    label_column: z.string().min(1).max(100).optional(),
  }),
  min_zoom: zoom.default(0),
  max_zoom: zoom.default(24),
  shown_to: z
    .array(z.enum(LAYER_ROLES))
    .max(LAYER_ROLES.length)
    .default([])
    .describe('Beside the office; what is published everybody sees.'),
});
export const layersInput = z.array(layerInput).max(MOST_LAYERS).describe('All of them, the lowest first.');

type LayerInput = z.infer<typeof layersInput>[number];

export interface LayerSources {
  readonly datasets: Pick<DatasetQueries, 'byId'>;
  readonly fleets: Pick<FleetQueries, 'byId'>;
  readonly layerFiles: Pick<LayerFiles, 'propertiesOf'>;
}

/** Layers as they are kept. Throws for a dataset, fleet or file that there is not, and for what it does not have. */
export async function toLayers(given: readonly LayerInput[], by: Uploader, sources: LayerSources): Promise<Layer[]> {
  if (new Set(given.map(({ layer_id }) => layer_id)).size < given.length) throw invalidField('INVALID_FORM', 'layers');
  return Promise.all(given.map((layer, index) => toLayer(layer, `/layers/${index}`)));

  async function toLayer(layer: LayerInput, path: string): Promise<Layer> {
    const { pois, dataset, routes, drivers, geojson } = layer.source;
    const wrong = (member: string): ApiError =>
      invalidField('INVALID_FORM', member.slice(member.lastIndexOf('/') + 1), `${path}/${member}`);
    if (Object.values(layer.source).filter((source) => source !== undefined).length !== 1) throw wrong('source');
    if (layer.min_zoom > layer.max_zoom) throw wrong('max_zoom');
    const { label_column } = layer.style;
    if (dataset || geojson) {
      if (label_column !== undefined && !layer.columns.includes(label_column)) throw wrong('style/label_column');
    } else if (layer.columns.length > 0 || label_column !== undefined) throw wrong('columns');
    if (dataset) return { ...layer, source: { dataset }, personal: await showsPersonal(layer, path, wrong) } as Layer;
    if (geojson) {
      const known = await sources.layerFiles.propertiesOf(geojson.file_id, by, `${path}/source/geojson/file_id`);
      const odd = layer.columns.findIndex((name) => !known.has(name));
      if (odd >= 0) throw wrong(`columns/${odd}`);
    }
    for (const [index, id] of (drivers?.fleet_ids ?? []).entries())
      if (!(await sources.fleets.byId(id, { business: by.business }))) throw noFleet(index, path);
    // Where people are is nothing for everybody.
    const personal = routes !== undefined || drivers !== undefined;
    return { ...layer, source: { pois, routes, drivers, geojson }, personal } as Layer;
  }

  async function showsPersonal(layer: LayerInput, path: string, wrong: (member: string) => ApiError): Promise<boolean> {
    const { dataset_id, column, filters } = layer.source.dataset!;
    const found = await sources.datasets.byId(dataset_id, by.business);
    if (!found) throw new ApiError('DATASET_NOT_FOUND');
    const columnOf = (code: string, at: string) => shownColumn(found.columns, code, `${path}/${at}`);
    conditionsOf(found.columns, filters as readonly Filter[], `${path}/source/dataset/filters`);
    const geometry = columnOf(column, 'source/dataset/column');
    if (geometry.type !== 'point' && geometry.type !== 'polygon') throw wrong('source/dataset/column');
    const shown = layer.columns.map((code, index) => columnOf(code, `columns/${index}`));
    return [geometry, ...shown].some(({ personal }) => personal);
  }
}

function noFleet(index: number, path: string): ApiError {
  const at = `${path}/source/drivers/fleet_ids/${index}`;
  return new ApiError('FLEET_NOT_FOUND', { errors: [{ field: 'fleet_ids', path: at, code: 'FLEET_NOT_FOUND' }] });
}
