/** Questions to the read model of maps. */
import { sql, type Kysely } from 'kysely';
import type { LayerRole } from '../../events/maps/events.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { MapRow } from './read-model.js';

/** Whose eyes: a business's, and of its maps only those with a layer for the role where one is given. */
export interface MapViewer {
  readonly business: number;
  readonly role?: LayerRole;
}

export interface MapQueries {
  /** In the order of their ids. */
  list(range: Range, viewer: MapViewer): Promise<Page<MapRow>>;
  byId(id: number, viewer: MapViewer): Promise<MapRow | undefined>;
  /** One that is published. */
  byPublicId(publicId: string): Promise<MapRow | undefined>;
}

export function createMapQueries(database: Kysely<Database>): MapQueries {
  const all = () => database.selectFrom('maps.maps').where('archived', '=', false).selectAll();
  const seen = ({ business, role }: MapViewer) =>
    all()
      .where('business', '=', business)
      .$if(role !== undefined, (query) => query.where(sql<boolean>`shown_to @> ${[role]}::text[]`));
  return {
    list: (range, viewer) => pageOf(seen(viewer), range, (query) => query.orderBy('id')),
    byId: (id, viewer) => seen(viewer).where('id', '=', id).executeTakeFirst(),
    byPublicId: (publicId) =>
      all().where('public_id', '=', publicId).where('token_sha256', 'is not', null).executeTakeFirst(),
  };
}
