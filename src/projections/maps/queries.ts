/** Queries on the read model of maps. */
import { sql, type Kysely } from 'kysely';
import type { LayerRole } from '../../events/maps/events.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { MapRow } from './read-model.js';

/** The viewing business. With `role`: only maps with a layer for this role. */
export interface MapViewer {
  readonly business: number;
  readonly role?: LayerRole;
}

export type MapQueries = ReturnType<typeof createMapQueries>;

export function createMapQueries(database: Kysely<Database>) {
  const all = () => database.selectFrom('maps.maps').where('archived', '=', false).selectAll();
  const seen = ({ business, role }: MapViewer) =>
    all()
      .where('business', '=', business)
      .$if(role !== undefined, (query) => query.where(sql<boolean>`shown_to @> ${[role]}::text[]`));
  return {
    /** Sorted by id. */
    list: (range: Range, viewer: MapViewer): Promise<Page<MapRow>> => pageOf(seen(viewer), range, BY_ID),
    byId: (id: number, viewer: MapViewer): Promise<MapRow | undefined> =>
      seen(viewer).where('id', '=', id).executeTakeFirst(),
    /** A published map by its public id. */
    byPublicId: (publicId: string): Promise<MapRow | undefined> =>
      all().where('public_id', '=', publicId).where('token_sha256', 'is not', null).executeTakeFirst(),
  };
}
