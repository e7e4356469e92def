/** Queries on the read model of warehouses. */
import type { Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { Site } from '../../events/warehouses/events.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import { openRows } from '../core/sealed-members.js';
import type { WarehouseRow } from './read-model.js';

/** A warehouse with decrypted personal data. Of an erased one, only the area of its address is left. */
export type Warehouse = Omit<WarehouseRow, 'sealed'> & Partial<Site>;

export type WarehouseQueries = ReturnType<typeof createWarehouseQueries>;

export function createWarehouseQueries(database: Kysely<Database>, keyRing: KeyRing) {
  const of = (business: number) => database.selectFrom('warehouses.warehouses').where('business', '=', business);
  const open = (rows: readonly WarehouseRow[]) => openRows<Partial<Site>, WarehouseRow>(rows, keyRing);
  return {
    /** Warehouses that are not closed, sorted by id. */
    async list(business: number, range: Range): Promise<Page<Warehouse>> {
      const found = of(business).where('closed', '=', false).selectAll();
      const page = await pageOf(found, range, BY_ID);
      return { ...page, rows: await open(page.rows) };
    },
    /** A warehouse of the business, open or closed. */
    byId: async (id: number, business: number): Promise<Warehouse | undefined> =>
      (await open(await of(business).where('id', '=', id).selectAll().execute()))[0],
    /** Whether the warehouse belongs to the business and is not closed. */
    async isOpen(id: number, business: number): Promise<boolean> {
      const found = of(business).where('id', '=', id).where('closed', '=', false);
      return (await found.select('id').executeTakeFirst()) !== undefined;
    },
    /** The default warehouse, where new orders start or end. Undefined if none was set, or if it is closed. */
    async byDefault(business: number): Promise<number | undefined> {
      const made = of(business).where('default_since', 'is not', null).orderBy('default_since', 'desc').orderBy('id');
      const last = await made.select(['id', 'closed']).limit(1).executeTakeFirst();
      return last?.closed === false ? last.id : undefined;
    },
    /** Whether a warehouse that is not closed has this code, and the number of such warehouses. */
    async codeUsage(business: number, code: string): Promise<{ readonly taken: boolean; readonly count: number }> {
      const rows = await of(business).where('closed', '=', false).select('code').execute();
      return { taken: rows.some((row) => row.code === code), count: rows.length };
    },
  };
}
