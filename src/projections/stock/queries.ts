/** Queries on the read model of stock. */
import { sql, type Kysely } from 'kysely';
import { unitsOf } from '../../events/stock/quantity.js';
import { KEY, type ListKey } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { StockRow } from './read-model.js';

export interface StockFilter extends Range {
  readonly skus?: readonly string[] | undefined;
  readonly warehouseId?: number | undefined;
  /** Only SKUs with stock at this location. */
  readonly location?: string | undefined;
  readonly barcode?: string | undefined;
  /** Only SKUs with less than this quantity available; with `location`: with less than this quantity there. */
  readonly below?: string | undefined;
}

export type StockQueries = ReturnType<typeof createStockQueries>;

const BY_SKU: ListKey = { columns: { sku: KEY.text, warehouse_id: KEY.integer } };

export function createStockQueries(database: Kysely<Database>) {
  const of = (business: number) => database.selectFrom('stock.stock').where('business', '=', business);
  return {
    /** Sorted by SKU and warehouse. */
    list(
      { skus, warehouseId, location, barcode, below, ...range }: StockFilter,
      business: number,
    ): Promise<Page<StockRow>> {
      const found = of(business)
        .selectAll()
        .$if(skus !== undefined, (query) => query.where('sku', 'in', skus!))
        .$if(warehouseId !== undefined, (query) => query.where('warehouse_id', '=', warehouseId!))
        .$if(location !== undefined, (query) => query.where(sql<boolean>`locations::jsonb ? ${location}`))
        .$if(barcode !== undefined, (query) => query.where(sql<boolean>`barcodes @> array[${barcode}]`))
        .$if(below !== undefined, (query) =>
          location === undefined
            ? query.where('available', '<', unitsOf(below!))
            : query.where(sql<boolean>`(locations ->> ${location})::float8 < ${unitsOf(below!)}`),
        );
      return pageOf(found, range, BY_SKU);
    },
    /** Finds SKUs of all businesses; for readers that follow stock events. */
    byIds: async (ids: readonly string[]): Promise<readonly StockRow[]> =>
      ids.length === 0 ? [] : database.selectFrom('stock.stock').where('id', 'in', ids).selectAll().execute(),
    /** The SKUs of the business with one of these codes as SKU or barcode, in every warehouse. */
    async byCodes(codes: readonly string[], business: number): Promise<readonly StockRow[]> {
      if (codes.length === 0) return [];
      const named = of(business).where((or) =>
        or.or([or('sku', 'in', codes), sql<boolean>`barcodes && ${codes}::text[]`]),
      );
      return named.selectAll().orderBy('sku').orderBy('warehouse_id').execute();
    },
    /** Locations that contain stock. */
    async locationsInUse(warehouse: number, business: number): Promise<readonly string[]> {
      const rows = await of(business)
        .where('warehouse_id', '=', warehouse)
        .select(sql<string>`json_object_keys(locations)`.as('location'))
        .distinct()
        .execute();
      return rows.map(({ location }) => location);
    },
  };
}
