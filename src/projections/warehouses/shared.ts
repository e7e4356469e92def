/** Warehouses of a partner, by the grants that are open when they are read: the statement itself judges them. */
import { sql, type Kysely } from 'kysely';
import { unseal } from '../../events/core/codec.js';
import type { Site } from '../../events/warehouses/events.js';
import { placeGrantsTo, useOf, type Taker, type Via } from '../alliances/open.js';
import type { Database } from '../core/database.js';
import type { Range } from '../core/page.js';
import type { WarehouseRow } from './read-model.js';

/** What stands in the open of a site: its street and who is asked for there stay sealed. */
export interface SharedWarehouse extends Partial<Site> {
  readonly id: number;
}

export interface SharedWarehouses {
  /** Whether there is a grant at all; else nobody learns that there is nothing. */
  readonly granted: boolean;
  readonly total: number;
  readonly warehouses: readonly { readonly via: Via; readonly warehouse: SharedWarehouse }[];
}

/** Those that are not closed, in the order of their ids; with `id` that one. */
export type ReadSharedWarehouses = (taker: Taker, which: Range & { readonly id?: number }) => Promise<SharedWarehouses>;

type Found = Via & Pick<WarehouseRow, 'id' | 'sealed'> & { readonly total: number };

/** `now`: milliseconds since 1970. */
export function createSharedWarehouses(database: Kysely<Database>, now: () => number): ReadSharedWarehouses {
  return async (taker, { id, offset, limit }) => {
    const at = new Date(now()).toISOString();
    const { rows } = await sql<Found | { readonly [Member in keyof Found]: null }>`
      with granted as (${placeGrantsTo(taker, 'warehouse', at)}), shown as (
        select distinct on (w.id) g.alliance_id, g.grant_id, w.id, w.sealed
          from granted g
          join warehouses.warehouses w on w.business = g.from_business
         where not w.closed and (${id ?? null}::int is null or w.id = ${id ?? null})
         order by w.id, g.alliance_id, g.grant_id
      ), found as (
        select * from shown order by id offset ${offset} limit ${limit}
      ), used as (${useOf(taker, 'warehouses', id === undefined ? '' : String(id), at)})
      select found.*, (select count(*) from shown)::int as total
        from (select from granted limit 1) is_granted left join found on true order by id`.execute(database);
    return {
      granted: rows.length > 0,
      total: rows[0]?.total ?? 0,
      warehouses: rows
        .filter((row): row is Found => row.id !== null)
        // Without keys nothing personal can be opened.
        .map(({ alliance_id, grant_id, id, sealed }) => ({
          via: { alliance_id, grant_id },
          warehouse: Object.assign({ id }, ...sealed.map((kept) => unseal(kept.data, kept.id, new Map()))),
        })),
    };
  };
}
