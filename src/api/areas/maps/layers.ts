/** The input of map layers; each layer is checked against its source. */
import { z } from 'zod';
import { LAYER_ROLES, STYLE_KINDS, type Layer } from '../../../events/maps/events.js';
import type { DatasetQueries } from '../../../projections/datasets/queries.js';
import type { FleetQueries } from '../../../projections/fleets/queries.js';
import { ApiError, invalidForm } from '../../core/errors.js';
import { positionInput } from '../../core/geo.js';
import { idSchema } from '../../core/ids.js';
import { codeInput, conditionsOf, filterInput, expectVisibleColumn, type Filter } from '../datasets/filters.js';
import { nameInput } from '../datasets/shapes.js';
import { dateSchema } from '../../core/dates.js';
import { categoryInput, tagsInput } from '../pois/shapes.js';
import type { LayerFiles, Uploader } from './layer-files.js';

const MAX_LAYERS = 20;

export const layerId = z
  .string()
  .regex(/^[a-z0-9_-]{1,40}$/)
  .describe('Lower-case letters, digits, hyphen and underscore.');
const zoom = z.number().min(0).max(24);
export const viewInput = z.strictObject({ center: positionInput, zoom }).meta({ id: 'MapViewInput' });

const layerInput = z
  .strictObject({
    layer_id: layerId,
    title: nameInput,
    source: z
      .strictObject({
        pois: z
          .strictObject({ category: categoryInput.optional(), tags: tagsInput.default([]) })
          .meta({ id: 'PoiSourceInput' })
          .optional(),
        dataset: z
          .strictObject({
            dataset_id: idSchema,
            column: codeInput.describe('Column with points or polygons.'),
            filters: z.array(filterInput).max(20).default([]),
          })
          .meta({ id: 'DatasetSourceInput' })
          .optional(),
        routes: z
          .strictObject({
            date: dateSchema
              .optional()
              .describe('Date of the routes, `YYYY-MM-DD`. Omitted: the date on which the layer is read.'),
          })
          .meta({ id: 'RouteSourceInput' })
          .optional(),
        drivers: z
          .strictObject({
            fleet_ids: z
              .array(idSchema)
              .min(1)
              .max(100)
              .optional()
              .describe('Fleets of the drivers to show. Omitted: all drivers.'),
          })
          .meta({ id: 'DriverSourceInput' })
          .optional(),
        geojson: z
          .strictObject({
            file_id: z.uuid().describe('File that was uploaded with the purpose `map`. A file belongs to one map.'),
          })
          .meta({ id: 'FileSourceInput' })
          .optional(),
      })
      .meta({ id: 'MapSourceInput' })
      .describe(
        'Source of the layer, exactly one of: points of interest, records of a dataset, routes (as lines with the style `line`, otherwise as stops), last positions of drivers on duty, or an uploaded file.',
      ),
    columns: z
      .array(z.string().min(1).max(100))
      .max(50)
      .default([])
      .describe(
        'Columns of the dataset, or properties of the file, that each feature includes. Allowed only if the source is a dataset or a file.',
      ),
    style: z
      .strictObject({
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
      })
      .meta({ id: 'LayerStyleInput' }),
    min_zoom: zoom.default(0),
    max_zoom: zoom.default(24),
    shown_to: z
      .array(z.enum(LAYER_ROLES))
      .max(LAYER_ROLES.length)
      .default([])
      .describe(
        'Roles that see the layer in addition to staff. Layers of a published map are visible to everyone with the link.',
      ),
  })
  .meta({ id: 'MapLayerInput' });
export const layersInput = z
  .array(layerInput)
  .max(MAX_LAYERS)
  .describe('All layers of the map, the lowest layer first.');

type LayerInput = z.infer<typeof layersInput>[number];

export interface LayerSources {
  readonly datasets: Pick<DatasetQueries, 'byId'>;
  readonly fleets: Pick<FleetQueries, 'byId'>;
  readonly layerFiles: Pick<LayerFiles, 'propertiesOf'>;
}

/** The error of a member of a layer; `form`: the values that would fit. */
type InvalidMember = (member: string, form: string) => ApiError;

/** Returns layers as events store them. Throws for an unknown dataset, fleet or file, and for unknown columns. */
export async function toLayers(inputs: readonly LayerInput[], by: Uploader, sources: LayerSources): Promise<Layer[]> {
  if (new Set(inputs.map(({ layer_id }) => layer_id)).size < inputs.length)
    throw invalidForm('layers', 'each `layer_id` once');
  return Promise.all(inputs.map((layer, index) => toLayer(layer, `/layers/${index}`)));

  async function toLayer(layer: LayerInput, path: string): Promise<Layer> {
    const { pois, dataset, routes, drivers, geojson } = layer.source;
    const invalidMember: InvalidMember = (member, form) =>
      invalidForm(member.slice(member.lastIndexOf('/') + 1), form, `${path}/${member}`);
    if (Object.values(layer.source).filter((source) => source !== undefined).length !== 1)
      throw invalidMember('source', 'exactly one source');
    if (layer.min_zoom > layer.max_zoom) throw invalidMember('max_zoom', 'not less than `min_zoom`');
    const { label_column } = layer.style;
    if (dataset || geojson) {
      if (label_column !== undefined && !layer.columns.includes(label_column))
        throw invalidMember('style/label_column', 'one of `columns`');
    } else if (layer.columns.length > 0 || label_column !== undefined)
      throw invalidMember('columns', 'absent unless the source is a dataset or a GeoJSON file');
    if (dataset)
      return { ...layer, source: { dataset }, personal: await showsPersonal(layer, path, invalidMember) } as Layer;
    if (geojson) {
      const known = await sources.layerFiles.propertiesOf(geojson.file_id, by, `${path}/source/geojson/file_id`);
      const unknownIndex = layer.columns.findIndex((name) => !known.has(name));
      if (unknownIndex >= 0) throw invalidMember(`columns/${unknownIndex}`, 'a property of the features in the file');
    }
    for (const [index, id] of (drivers?.fleet_ids ?? []).entries())
      if (!(await sources.fleets.byId(id, { business: by.business }))) throw fleetNotFound(index, path);
    // Layers that show where persons are cannot be published.
    const personal = routes !== undefined || drivers !== undefined;
    return { ...layer, source: { pois, routes, drivers, geojson }, personal } as Layer;
  }

  async function showsPersonal(layer: LayerInput, path: string, invalidMember: InvalidMember): Promise<boolean> {
    const { dataset_id, column, filters } = layer.source.dataset!;
    const found = await sources.datasets.byId(dataset_id, by.business);
    if (!found) throw new ApiError('DATASET_NOT_FOUND');
    const columnOf = (code: string, at: string) => expectVisibleColumn(found.columns, code, `${path}/${at}`);
    conditionsOf(found.columns, filters as readonly Filter[], `${path}/source/dataset/filters`);
    const geometry = columnOf(column, 'source/dataset/column');
    if (geometry.type !== 'point' && geometry.type !== 'polygon')
      throw invalidMember('source/dataset/column', 'a column of the type point or polygon');
    const shown = layer.columns.map((code, index) => columnOf(code, `columns/${index}`));
    return [geometry, ...shown].some(({ personal }) => personal);
  }
}

function fleetNotFound(index: number, path: string): ApiError {
  const at = `${path}/source/drivers/fleet_ids/${index}`;
  return new ApiError('FLEET_NOT_FOUND', { errors: [{ field: 'fleet_ids', path: at, code: 'FLEET_NOT_FOUND' }] });
}
