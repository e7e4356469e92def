/** Warehouses of a partner, by the grants that are open when they are read: the statement itself judges them. */
import { sql, type Kysely } from 'kysely';
import { unseal } from '../../events/core/codec.js';
import type { Site } from '../../events/warehouses/events.js';
import { placeGrantsTo, useOf, type Taker, type Via } from '../alliances/open.js';
import { readShown } from '../alliances/shown.js';
import type { Database } from '../core/database.js';
import type { After, Range } from '../core/page.js';
import type { WarehouseRow } from './read-model.js';

/** What stands in the open of a site: its street and who is asked for there stay sealed. */
export interface SharedWarehouse extends Partial<Site> {
  readonly id: number;
}

export interface SharedWarehouses {
  /** Whether there is a grant at all; else nobody learns that there is nothing. */
  readonly granted: boolean;
  readonly total: number;
  readonly next: After | undefined;
  readonly warehouses: readonly { readonly via: Via; readonly warehouse: SharedWarehouse }[];
}

/** Those that are not closed, in the order of their ids; with `id` that one. */
export type ReadSharedWarehouses = (taker: Taker, which: Range & { readonly id?: number }) => Promise<SharedWarehouses>;

/** `now`: milliseconds since 1970. */
export function createSharedWarehouses(database: Kysely<Database>, now: () => number): ReadSharedWarehouses {
  return async (taker, { id, ...range }) => {
    const at = new Date(now()).toISOString();
    const { found, ...counted } = await readShown<Pick<WarehouseRow, 'id' | 'sealed'>>(
      database,
      {
        granted: placeGrantsTo(taker, 'warehouse', at),
        shown: sql`
          select distinct on (w.id) g.alliance_id, g.grant_id, w.id, w.sealed
            from granted g
            join warehouses.warehouses w on w.business = g.from_business
           where not w.closed and (${id ?? null}::int is null or w.id = ${id ?? null})
           order by w.id, g.alliance_id, g.grant_id`,
        used: useOf(taker, 'warehouses', id === undefined ? '' : String(id), at),
      },
      range,
    );
    return {
      ...counted,
      // Without keys nothing personal can be opened.
      warehouses: found.map(({ via, row: { id, sealed } }) => ({
        via,
        warehouse: Object.assign({ id }, ...sealed.map((kept) => unseal(kept.data, kept.id, new Map()))),
      })),
    };
  };
}
