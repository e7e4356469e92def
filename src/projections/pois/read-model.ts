/**
 * The read model of points of interest. Queries return only places that are not archived. Personal data is encrypted.
 */
import { compact } from '../../events/core/compact.js';
import {
  PoiArchived,
  PoiChanged,
  PoiCreated,
  POI_PREFIX,
  type Place,
  type Visibility,
} from '../../events/pois/events.js';
import { code, double, flag, integer, json, optional, text, texts, type RowOf } from '../core/columns.js';
import { sealedDataOf, type SealedMembers } from '../core/sealed-members.js';
import { sequence } from '../core/sequence.js';
import { startsWith, table } from '../core/table.js';

/** Ids of points of interest. */
export const POI_IDS = sequence('pois', { readModel: 'pois', table: 'pois.pois' });

const columns = {
  id: integer(),
  business: integer(),
  name: text(),
  category: code(),
  latitude: double(),
  longitude: double(),
  tags: texts(),
  visibility: code<Visibility>(),
  external_ref: optional(code()),
  /** Entries in the order of the log; later entries override earlier ones. */
  sealed: json<SealedMembers[]>(),
  archived: flag(),
  revision: integer(),
};
export type PoiRow = RowOf<typeof columns>;

/** The columns that places are searched by. */
const searched = ({ name, category, position, tags, visibility, external_ref }: Partial<Place>): Partial<PoiRow> =>
  compact({ name, category, ...position, tags, visibility, external_ref }) as Partial<PoiRow>;

export const pois = table({
  name: 'pois',
  version: 1,
  prefixes: [POI_PREFIX],
  columns,
  indexes: ['(business, category, id)', '(business, latitude, longitude)'],
  fold: startsWith(PoiCreated, ({ poi_id, business, ...place }, event): PoiRow => ({
    id: poi_id,
    business,
    name: place.name,
    category: place.category,
    latitude: place.position.latitude,
    longitude: place.position.longitude,
    tags: place.tags,
    visibility: place.visibility,
    external_ref: place.external_ref ?? null,
    sealed: [sealedDataOf(event)],
    archived: false,
    revision: event.revision,
  }))
    .on(PoiChanged, (changed, row, event) => ({ ...searched(changed), sealed: [...row.sealed, sealedDataOf(event)] }))
    .on(PoiArchived, () => ({ archived: true, sealed: [] })),
});

declare module '../core/projection.js' {
  interface ReadModels {
    pois: true;
  }
  interface Tables {
    'pois.pois': PoiRow;
  }
}
