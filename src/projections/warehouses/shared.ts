/** Warehouses of a partner, through active grants. The statement that reads the data also checks the grants. */
import { sql, type Kysely } from 'kysely';
import { unseal } from '../../events/core/codec.js';
import type { Site } from '../../events/warehouses/events.js';
import { placeGrantsTo, useOf, type Taker, type Via } from '../alliances/active-grants.js';
import { readShown } from '../alliances/read-shared.js';
import type { Database } from '../core/database.js';
import type { After, Range } from '../core/page.js';
import type { WarehouseRow } from './read-model.js';

/** The plaintext members of a site. Its street and its contact person stay encrypted. */
export interface SharedWarehouse extends Partial<Site> {
  readonly id: number;
}

export interface SharedWarehouses {
  /** Whether there is any grant. Without one, the caller must not learn whether there are warehouses. */
  readonly granted: boolean;
  readonly total: number;
  readonly next: After | undefined;
  readonly warehouses: readonly { readonly via: Via; readonly warehouse: SharedWarehouse }[];
}

/** Warehouses that are not closed, sorted by id. With `id`: only that one. */
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
      // No keys are passed, so no personal data is decrypted.
      warehouses: found.map(({ via, row: { id, sealed } }) => ({
        via,
        warehouse: Object.assign({ id }, ...sealed.map((stored) => unseal(stored.data, stored.id, new Map()))),
      })),
    };
  };
}
