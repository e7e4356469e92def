/** Maps and their layers in responses. */
import { z } from 'zod';
import { LAYER_ROLES, mapStream, STYLE_KINDS, type Layer } from '../../../events/maps/events.js';
import type { MapRow } from '../../../projections/maps/read-model.js';
import { positionSchema } from '../../core/geo.js';
import { versionBy, versionSchema } from '../../core/versions.js';

const view = z.object({ center: positionSchema, zoom: z.number() }).meta({ id: 'MapView' });
const style = z
  .object({
    kind: z.enum(STYLE_KINDS),
    color: z.string(),
    icon: z.string().optional(),
    size: z.number().optional(),
    label_column: z.string().optional(),
  })
  .meta({ id: 'LayerStyle' });
const layerFields = {
  layer_id: z.string(),
  title: z.string(),
  columns: z.array(z.string()),
  style,
  min_zoom: z.number(),
  max_zoom: z.number(),
};
/** A map as everyone with the link sees it. */
export const publicMapOutput = z
  .object({ name: z.string(), view, layers: z.array(z.object(layerFields).meta({ id: 'PublicMapLayer' })) })
  .meta({ id: 'PublicMap' });

export const mapOutput = z
  .object({
    id: z.int(),
    name: z.string(),
    view,
    layers: z.array(
      z
        .object({
          ...layerFields,
          source: z
            .record(z.string(), z.unknown())
            .describe('An object with one member: `pois`, `dataset`, `routes`, `drivers` or `geojson`.'),
          shown_to: z.array(z.enum(LAYER_ROLES)),
          personal: z
            .boolean()
            .describe(
              'True if the layer shows a personal column or positions of persons. Such a layer cannot be published.',
            ),
        })
        .meta({ id: 'MapLayer' }),
    ),
    published: z
      .object({ public_id: z.string(), allowed_origins: z.array(z.string()), expires_at: z.string().nullable() })
      .meta({ id: 'MapPublication' })
      .nullable(),
    updated_at: z.string(),
    version: versionSchema,
  })
  .meta({ id: 'BusinessMap' });

export const MAP_VERSION = versionBy('map_id', mapStream);
/** Layers of a map that are shown to the role; without a role (staff), all. */
export const layersFor = ({ layers }: MapRow, role: Layer['shown_to'][number] | undefined): readonly Layer[] =>
  role === undefined ? layers : layers.filter(({ shown_to }) => shown_to.includes(role));

export const toMap = (row: MapRow, layers: readonly Layer[]): z.infer<typeof mapOutput> => ({
  id: row.id,
  name: row.name,
  view: row.view,
  layers: [...layers],
  published:
    row.token_sha256 === null
      ? null
      : { public_id: row.public_id, allowed_origins: row.allowed_origins, expires_at: row.expires_at },
  updated_at: row.updated_at,
  version: row.revision,
});

export const toPublicMap = ({ name, view: viewport, layers }: MapRow): z.infer<typeof publicMapOutput> => ({
  name,
  view: viewport,
  layers: layers.map(({ layer_id, title, columns, style: layerStyle, min_zoom, max_zoom }) => ({
    layer_id,
    title,
    columns,
    style: layerStyle,
    min_zoom,
    max_zoom,
  })),
});
