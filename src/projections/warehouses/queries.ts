/** Questions to the read model of warehouses. */
import type { Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { Site } from '../../events/warehouses/events.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import { openRows } from '../core/sealed-members.js';
import type { WarehouseRow } from './read-model.js';

/** A warehouse with what is personal opened; of an erased one, the area of its address is left. */
export type Warehouse = Omit<WarehouseRow, 'sealed'> & Partial<Site>;

export type WarehouseQueries = ReturnType<typeof createWarehouseQueries>;

export function createWarehouseQueries(database: Kysely<Database>, keyRing: KeyRing) {
  const of = (business: number) => database.selectFrom('warehouses.warehouses').where('business', '=', business);
  const open = (rows: readonly WarehouseRow[]) => openRows<Partial<Site>, WarehouseRow>(rows, keyRing);
  return {
    /** Those that are not closed, in the order of their ids. */
    async list(business: number, range: Range): Promise<Page<Warehouse>> {
      const found = of(business).where('closed', '=', false).selectAll();
      const page = await pageOf(found, range, BY_ID);
      return { ...page, rows: await open(page.rows) };
    },
    /** Of the business, closed ones too. */
    byId: async (id: number, business: number): Promise<Warehouse | undefined> =>
      (await open(await of(business).where('id', '=', id).selectAll().execute()))[0],
    /** Whether it is the business's, and not closed. */
    async isOpen(id: number, business: number): Promise<boolean> {
      const found = of(business).where('id', '=', id).where('closed', '=', false);
      return (await found.select('id').executeTakeFirst()) !== undefined;
    },
    /** Where new orders start or end; none where nobody said so, or it is closed. */
    async byDefault(business: number): Promise<number | undefined> {
      const made = of(business).where('default_since', 'is not', null).orderBy('default_since', 'desc').orderBy('id');
      const last = await made.select(['id', 'closed']).limit(1).executeTakeFirst();
      return last?.closed === false ? last.id : undefined;
    },
    /** Whether one that is not closed has the code; how many there are. */
    async standing(business: number, code: string): Promise<{ readonly taken: boolean; readonly count: number }> {
      const rows = await of(business).where('closed', '=', false).select('code').execute();
      return { taken: rows.some((row) => row.code === code), count: rows.length };
    },
  };
}
