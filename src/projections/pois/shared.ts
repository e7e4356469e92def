/** Points of interest of a partner, through active grants. The statement that reads the data also checks the grants. */
import { sql, type Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { Place, Visibility } from '../../events/pois/events.js';
import { placeGrantsTo, useOf, type Taker, type Via } from '../alliances/active-grants.js';
import { readShown } from '../alliances/read-shared.js';
import type { Database } from '../core/database.js';
import type { After, Range } from '../core/page.js';
import { openRows } from '../core/sealed-members.js';
import { metresTo, poiConditions, type Poi, type PoiFilter } from './queries.js';
import type { PoiRow } from './read-model.js';

export interface SharedPois {
  /** Whether there is any grant. Without one, the caller must not learn whether there are places. */
  readonly granted: boolean;
  readonly total: number;
  readonly next: After | undefined;
  readonly pois: readonly { readonly via: Via; readonly poi: Poi }[];
}

/** Excludes the external reference, because partners do not see it. */
export type SharedPoiFilter = Omit<PoiFilter, 'externalRef'> & { readonly id?: number };

/** Nearest first if a position is given, otherwise sorted by id. */
export type ReadSharedPois = (taker: Taker, filter: SharedPoiFilter, range: Range) => Promise<SharedPois>;

/** Excludes places that only the business itself may see. */
const SHOWN: readonly Visibility[] = ['alliance', 'public'];

type Found = PoiRow & { readonly metres: number | null };

/** `now`: milliseconds since 1970. */
export function createSharedPois(database: Kysely<Database>, keyRing: KeyRing, now: () => number): ReadSharedPois {
  return async (taker, { id, ...filter }, range) => {
    const at = new Date(now()).toISOString();
    const wanted = [...poiConditions(filter), ...(id === undefined ? [] : [sql<boolean>`p.id = ${id}`])];
    const { found, ...counted } = await readShown<Found>(
      database,
      {
        granted: placeGrantsTo(taker, 'poi', at),
        shown: sql`
          select distinct on (p.id) g.alliance_id, g.grant_id, p.*, ${metresTo(filter)} as metres
            from granted g
            join pois.pois p on p.business = g.from_business
           where not p.archived and p.visibility = any (${SHOWN}::text[])
             and (g.poi_categories is null or p.category = any (g.poi_categories))
             and ${sql.join([sql`true`, ...wanted], sql` and `)}
           order by p.id, g.alliance_id, g.grant_id`,
        used: useOf(taker, 'pois', id === undefined ? '' : String(id), at),
        ...(filter.near && { order: sql`metres, id` }),
      },
      range,
    );
    const opened = await openRows<Place, Found>(
      found.map(({ row }) => row),
      keyRing,
    );
    return {
      ...counted,
      pois: opened.map(({ metres, ...poi }, index) => ({
        via: found[index]!.via,
        poi: { ...poi, ...(metres !== null && { metres }) },
      })),
    };
  };
}
