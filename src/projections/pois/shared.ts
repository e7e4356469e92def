/** Points of interest of a partner, by the grants that are open when they are read: the statement itself judges them. */
import { sql, type Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { Place, Visibility } from '../../events/pois/events.js';
import { placeGrantsTo, useOf, type Taker, type Via } from '../alliances/open.js';
import type { Database } from '../core/database.js';
import type { Range } from '../core/page.js';
import { openRows } from '../core/sealed-members.js';
import { metresTo, poiConditions, type Poi, type PoiFilter } from './queries.js';
import type { PoiRow } from './read-model.js';

export interface SharedPois {
  /** Whether there is a grant at all; else nobody learns that there is nothing. */
  readonly granted: boolean;
  readonly total: number;
  readonly pois: readonly { readonly via: Via; readonly poi: Poi }[];
}

/** What its business cannot be asked by: it is not shown. */
export type SharedPoiFilter = Omit<PoiFilter, 'externalRef'> & { readonly id?: number };

/** The nearest first where one asked so, else by their ids. */
export type ReadSharedPois = (taker: Taker, filter: SharedPoiFilter, range: Range) => Promise<SharedPois>;

/** Those that are kept for the business itself are not among them. */
const SHOWN: readonly Visibility[] = ['alliance', 'public'];

type Found = Via & PoiRow & { readonly metres: number | null; readonly total: number };

/** `now`: milliseconds since 1970. */
export function createSharedPois(database: Kysely<Database>, keyRing: KeyRing, now: () => number): ReadSharedPois {
  return async (taker, { id, ...filter }, { offset, limit }) => {
    const at = new Date(now()).toISOString();
    const wanted = [...poiConditions(filter), ...(id === undefined ? [] : [sql<boolean>`p.id = ${id}`])];
    const { rows } = await sql<Found | { readonly [Member in keyof Found]: null }>`
      with granted as (${placeGrantsTo(taker, 'poi', at)}), shown as (
        select distinct on (p.id) g.alliance_id, g.grant_id, p.*, ${metresTo(filter)} as metres
          from granted g
          join pois.pois p on p.business = g.from_business
         where not p.archived and p.visibility = any (${SHOWN}::text[])
           and (g.poi_categories is null or p.category = any (g.poi_categories))
           and ${sql.join([sql`true`, ...wanted], sql` and `)}
         order by p.id, g.alliance_id, g.grant_id
      ), found as (
        select * from shown order by metres, id offset ${offset} limit ${limit}
      ), used as (${useOf(taker, 'pois', id === undefined ? '' : String(id), at)})
      select found.*, (select count(*) from shown)::int as total
        from (select from granted limit 1) is_granted left join found on true order by metres, id`.execute(database);
    const found = rows.filter((row): row is Found => row.id !== null);
    const opened = await openRows<Place, Found>(found, keyRing);
    return {
      granted: rows.length > 0,
      total: rows[0]?.total ?? 0,
      pois: opened.map(({ alliance_id, grant_id, metres, ...poi }) => ({
        via: { alliance_id, grant_id },
        poi: { ...poi, ...(metres !== null && { metres }) },
      })),
    };
  };
}
