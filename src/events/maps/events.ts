/** Events of a business's map. Its layers show places and datasets of the business, for its users or for the public. */
import { z } from 'zod';
import { derivedId } from '../otep/identity.js';
import { eventType } from '../core/event-types.js';

export const MAP_PREFIX = 'map-';
export const mapStream = (id: number): string => `${MAP_PREFIX}${id}`;
/** Id in the URLs of a published map; not a secret. */
export const publicIdOf = (id: number): string => derivedId('public map', id);

export const STYLE_KINDS = ['point', 'line', 'fill', 'heat', 'cluster'] as const;
/** Roles that may see a layer, in addition to the office. */
export const LAYER_ROLES = ['broker', 'driver'] as const;
export type LayerRole = (typeof LAYER_ROLES)[number];

export const viewSchema = z.object({
  center: z.object({ latitude: z.number(), longitude: z.number() }),
  zoom: z.number(),
});
export type MapView = z.infer<typeof viewSchema>;

export const layerSchema = z.object({
  layer_id: z.string(),
  title: z.string(),
  /** Exactly one of them. */
  source: z.object({
    pois: z.object({ category: z.string().optional(), tags: z.array(z.string()) }).optional(),
    dataset: z
      .object({
        dataset_id: z.int(),
        /** Column with points or polygons. */
        column: z.string(),
        filters: z.array(z.object({ column: z.string(), op: z.string(), value: z.unknown().optional() })),
      })
      .optional(),
    /** `YYYY-MM-DD`; absent: the day of reading. */
    routes: z.object({ date: z.string().optional() }).optional(),
    /** Drivers of these fleets; absent: all drivers of the business. */
    drivers: z.object({ fleet_ids: z.array(z.int()).optional() }).optional(),
    /** An uploaded file of the map. */
    geojson: z.object({ file_id: z.string() }).optional(),
  }),
  /** Columns of the dataset, or properties of the file, that are shown for each feature. */
  columns: z.array(z.string()),
  style: z.object({
    kind: z.enum(STYLE_KINDS),
    color: z.string(),
    icon: z.string().optional(),
    size: z.number().optional(),
    label_column: z.string().optional(),
  }),
  min_zoom: z.number(),
  max_zoom: z.number(),
  shown_to: z.array(z.enum(LAYER_ROLES)),
  /** The layer shows a personal column or positions of persons, so it is never published. */
  personal: z.boolean(),
});
export type Layer = z.infer<typeof layerSchema>;

export const MapCreated = eventType(
  'MapCreated',
  z.object({ map_id: z.int(), business: z.int(), name: z.string(), view: viewSchema }),
);
export const MapRenamed = eventType('MapRenamed', z.object({ name: z.string() }));
export const MapViewSet = eventType('MapViewSet', z.object({ view: viewSchema }));
/** All layers, replacing the earlier layers, lowest first. */
export const MapLayersSet = eventType('MapLayersSet', z.object({ layers: z.array(layerSchema) }));
/** A second publication has another token, which invalidates the earlier token. */
export const MapPublished = eventType(
  'MapPublished',
  z.object({
    public_id: z.string(),
    /** Hexadecimal. */
    token_sha256: z.string(),
    /** Origins of pages that may embed it; empty: all. */
    allowed_origins: z.array(z.string()),
    /** RFC 3339, UTC. */
    expires_at: z.string().optional(),
  }),
);
export const MapUnpublished = eventType('MapUnpublished', z.object({}));
export const MapArchived = eventType('MapArchived', z.object({}));

export const MAP_EVENTS = [
  MapCreated,
  MapRenamed,
  MapViewSet,
  MapLayersSet,
  MapPublished,
  MapUnpublished,
  MapArchived,
] as const;
