/** Maps and their layers as they come in and go out. */
import { z } from 'zod';
import { LAYER_ROLES, STYLE_KINDS, type Layer } from '../../../events/maps/events.js';
import type { DatasetQueries } from '../../../projections/datasets/queries.js';
import type { MapRow } from '../../../projections/maps/read-model.js';
import { ApiError } from '../../core/errors.js';
import { positionInput } from '../../core/geo.js';
import { idSchema } from '../../core/ids.js';
import { codeInput, conditionsOf, filterInput, shownColumn, type Filter } from '../datasets/filters.js';
import { nameInput } from '../datasets/shapes.js';
import { invalid } from '../datasets/values.js';
import { dateSchema } from '../orders/input.js';
import { categoryInput, tagsInput } from '../pois/operations.js';

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
    })
    .describe('Points of interest, records of a dataset, or routes: their ways (style `line`) or their stops.'),
  columns: z.array(codeInput).max(50).default([]).describe('Of the dataset: what is told of each feature.'),
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
    label_column: codeInput.optional(),
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

/** Layers as they are kept. Throws for a dataset that there is not, or a column that it has not. */
export async function toLayers(
  given: z.infer<typeof layersInput>,
  business: number,
  datasets: Pick<DatasetQueries, 'byId'>,
): Promise<Layer[]> {
  if (new Set(given.map(({ layer_id }) => layer_id)).size < given.length)
    throw invalid([{ field: 'layers', path: '/layers', code: 'INVALID_FORM' }]);
  return Promise.all(given.map((layer, index) => toLayer(layer, `/layers/${index}`)));

  async function toLayer(layer: (typeof given)[number], path: string): Promise<Layer> {
    const { pois, dataset, routes } = layer.source;
    const wrong = (field: string): ApiError =>
      invalid([{ field: field.slice(field.lastIndexOf('/') + 1), path: `${path}/${field}`, code: 'INVALID_FORM' }]);
    if ([pois, dataset, routes].filter((source) => source !== undefined).length !== 1) throw wrong('source');
    if (layer.min_zoom > layer.max_zoom) throw wrong('max_zoom');
    if (!dataset) {
      if (layer.columns.length > 0 || layer.style.label_column !== undefined) throw wrong('columns');
      return { ...layer, source: routes ? { routes } : { pois }, personal: routes !== undefined } as Layer;
    }
    const found = await datasets.byId(dataset.dataset_id, business);
    if (!found) throw new ApiError('DATASET_NOT_FOUND');
    const columnOf = (code: string, at: string) => shownColumn(found.columns, code, `${path}/${at}`);
    conditionsOf(found.columns, dataset.filters as readonly Filter[], `${path}/source/dataset/filters`);
    const geometry = columnOf(dataset.column, 'source/dataset/column');
    if (geometry.type !== 'point' && geometry.type !== 'polygon') throw wrong('source/dataset/column');
    const shown = layer.columns.map((code, index) => columnOf(code, `columns/${index}`));
    const { label_column } = layer.style;
    if (label_column !== undefined && !layer.columns.includes(label_column)) throw wrong('style/label_column');
    return { ...layer, source: { dataset }, personal: [geometry, ...shown].some(({ personal }) => personal) } as Layer;
  }
}

const view = z.object({ center: z.object({ latitude: z.number(), longitude: z.number() }), zoom: z.number() });
const style = z.object({
  kind: z.enum(STYLE_KINDS),
  color: z.string(),
  icon: z.string().optional(),
  size: z.number().optional(),
  label_column: z.string().optional(),
});
const shownLayer = {
  layer_id: z.string(),
  title: z.string(),
  columns: z.array(z.string()),
  style,
  min_zoom: z.number(),
  max_zoom: z.number(),
};
/** What everybody with the link is told of a layer. */
export const publicMapOutput = z
  .object({ name: z.string(), view, layers: z.array(z.object(shownLayer).meta({ id: 'PublicMapLayer' })) })
  .meta({ id: 'PublicMap' });

export const mapOutput = z
  .object({
    map_id: z.int(),
    name: z.string(),
    view,
    layers: z.array(
      z
        .object({
          ...shownLayer,
          source: z.record(z.string(), z.unknown()).describe('`pois`, `dataset` or `routes`.'),
          shown_to: z.array(z.enum(LAYER_ROLES)),
          personal: z.boolean().describe('It shows a personal column or where people are, so it is never published.'),
        })
        .meta({ id: 'MapLayer' }),
    ),
    published: z
      .object({ public_id: z.string(), allowed_origins: z.array(z.string()), expires_at: z.string().nullable() })
      .nullable(),
    updated_at: z.string(),
  })
  .meta({ id: 'BusinessMap' });

/** Of a map the layers that are shown to the role; all to the office. */
export const layersFor = ({ layers }: MapRow, role: Layer['shown_to'][number] | undefined): readonly Layer[] =>
  role === undefined ? layers : layers.filter(({ shown_to }) => shown_to.includes(role));

export const toMap = (row: MapRow, layers: readonly Layer[]): z.infer<typeof mapOutput> => ({
  map_id: row.id,
  name: row.name,
  view: row.view,
  layers: [...layers],
  published:
    row.token_sha256 === null
      ? null
      : { public_id: row.public_id, allowed_origins: row.allowed_origins, expires_at: row.expires_at },
  updated_at: row.updated_at,
});

export const toPublicMap = ({ name, view: shown, layers }: MapRow): z.infer<typeof publicMapOutput> => ({
  name,
  view: shown,
  layers: layers.map(({ layer_id, title, columns, style: how, min_zoom, max_zoom }) => ({
    layer_id,
    title,
    columns,
    style: how,
    min_zoom,
    max_zoom,
  })),
});
