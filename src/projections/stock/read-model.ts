/**
 * The read model of stock: quantities of each SKU in each warehouse, by location. Quantities are stored in units of
 * 1/10,000.
 */
import { count, onHand, reservedOf, type Balance } from '../../events/stock/balance.js';
import { SkuOpened, STOCK_EVENTS, STOCK_PREFIX } from '../../events/stock/events.js';
import { code, double, integer, json, text, texts, uuid, type RowOf } from '../core/columns.js';
import { recordedAt, startsWith, table } from '../core/table.js';

const columns = {
  id: uuid(),
  business: integer(),
  warehouse_id: integer(),
  sku: code(),
  name: text(),
  unit: text(),
  barcodes: texts(),
  locations: json<Balance['locations']>(),
  reserved: json<Balance['reserved']>(),
  on_hand: double(),
  available: double(),
  updated_at: text(),
  revision: integer(),
};
export type StockRow = RowOf<typeof columns>;

const opened = startsWith(SkuOpened, ({ warehouse_id, business, sku, name, unit, barcodes }, event): StockRow => ({
  id: event.stream.slice(STOCK_PREFIX.length),
  business,
  warehouse_id,
  sku,
  name,
  unit,
  barcodes,
  locations: {},
  reserved: {},
  on_hand: 0,
  available: 0,
  updated_at: recordedAt(event),
  revision: event.revision,
}));
for (const type of STOCK_EVENTS)
  if (type.type !== SkuOpened.type)
    opened.on(type as never, (data: object, { locations, reserved }, event) => {
      const balance = { locations: { ...locations }, reserved: { ...reserved } };
      count(balance, { type: type.type, data });
      const on_hand = onHand(balance);
      return { ...balance, on_hand, available: on_hand - reservedOf(balance), updated_at: recordedAt(event) };
    });

export const stock = table({
  name: 'stock',
  version: 1,
  prefixes: [STOCK_PREFIX],
  columns,
  indexes: ['(business, warehouse_id, sku)', 'using gin (barcodes)'],
  fold: opened,
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'stock', { 'stock.stock': StockRow }> {}
}
