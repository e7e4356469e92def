/** The read model of maps. */
import {
  MAP_PREFIX,
  MapArchived,
  MapCreated,
  MapLayersSet,
  MapPublished,
  MapRenamed,
  MapUnpublished,
  MapViewSet,
  publicIdOf,
  type Layer,
  type MapView,
} from '../../events/maps/events.js';
import { code, flag, integer, json, optional, text, texts, uuid, type RowOf } from '../core/columns.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

/** Ids of maps. */
export const MAP_IDS = sequence('maps', { readModel: 'maps', table: 'maps.maps' });

const columns = {
  id: integer(),
  business: integer(),
  name: text(),
  view: json<MapView>(),
  layers: json<readonly Layer[]>(),
  /** Roles that at least one of the layers is shown to. */
  shown_to: texts(),
  public_id: uuid(),
  /** Hexadecimal; null: the map is not published. */
  token_sha256: optional(code()),
  allowed_origins: texts(),
  expires_at: optional(text()),
  archived: flag(),
  updated_at: text(),
  revision: integer(),
};
export type MapRow = RowOf<typeof columns>;

const HIDDEN = { token_sha256: null, allowed_origins: [], expires_at: null };

export const maps = table({
  name: 'maps',
  version: 1,
  prefixes: [MAP_PREFIX],
  columns,
  indexes: ['(business, id)', '(public_id)'],
  fold: startsWith(MapCreated, ({ map_id, business, name, view }, event): MapRow => ({
    id: map_id,
    business,
    name,
    view,
    layers: [],
    shown_to: [],
    public_id: publicIdOf(map_id),
    ...HIDDEN,
    archived: false,
    updated_at: recordedAt(event),
    revision: event.revision,
  }))
    .on(MapRenamed, ({ name }, _row, event) => ({ name, updated_at: recordedAt(event) }))
    .on(MapViewSet, ({ view }, _row, event) => ({ view, updated_at: recordedAt(event) }))
    .on(MapLayersSet, ({ layers }, _row, event) => ({
      layers,
      shown_to: [...new Set(layers.flatMap(({ shown_to }) => shown_to))].sort(),
      updated_at: recordedAt(event),
    }))
    .on(MapPublished, ({ token_sha256, allowed_origins, expires_at = undefined }) => ({
      token_sha256,
      allowed_origins,
      expires_at: expires_at ?? null,
    }))
    .on(MapUnpublished, () => HIDDEN)
    .on(MapArchived, () => ({ archived: true, ...HIDDEN })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'maps', { 'maps.maps': MapRow }> {}
}
