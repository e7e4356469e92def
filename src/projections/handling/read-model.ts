/**
 * The read model of parcels in warehouses. It has one row per order, because each event belongs to an order. The row
 * contains the order's parcels.
 */
import {
  EXPECTED,
  isFinal,
  ORDER_PREFIX,
  OrderCreated,
  OrderPutOnRoute,
  OrderTakenOffRoute,
  OrderWarehouseSet,
  parcelAfter,
  statusAfter,
  type OrderType,
  type Parcel,
} from '../../events/orders/events.js';
import type { StoredEvent } from '../../events/core/log.js';
import { flag, integer, integers, json, optional, text, type RowOf } from '../core/columns.js';
import { startsWith, table } from '../core/table.js';

export type StoredParcel = Parcel & { readonly tracking_number: string };

const columns = {
  id: integer(),
  business: integer(),
  type: text<OrderType>(),
  /** The order's own warehouse. */
  warehouse_id: optional(integer()),
  route_id: optional(integer()),
  /** The order has not ended. */
  open: flag(),
  parcels: json<StoredParcel[]>(),
  /** All warehouses that contain a parcel of the order. */
  warehouses: integers(),
  revision: integer(),
};
export type PackagesRow = RowOf<typeof columns>;

const common = startsWith(OrderCreated, ({ order_id, business, type, packages }, event): PackagesRow => ({
  id: order_id,
  business,
  type,
  warehouse_id: null,
  route_id: null,
  open: true,
  parcels: packages.map(({ tracking_number }) => ({ tracking_number, ...EXPECTED })),
  warehouses: [],
  revision: event.revision,
}))
  .on(OrderWarehouseSet, ({ warehouse_id }) => ({ warehouse_id }))
  .on(OrderPutOnRoute, ({ route_id }) => ({ route_id }))
  .on(OrderTakenOffRoute, () => ({ route_id: null }));

function fold(before: PackagesRow | undefined, event: StoredEvent): PackagesRow {
  const row = common(before, event);
  if (!before) return row;
  const status = statusAfter(event.type, event.data);
  if (status) row.open = !isFinal(status);
  const number = event.data['tracking_number'];
  const parcels = row.parcels.map((parcel) => {
    const after = parcel.tracking_number === number && parcelAfter(parcel, event.type, event.data);
    return after ? { ...after, tracking_number: parcel.tracking_number } : parcel;
  });
  const warehouses = [...new Set(parcels.flatMap(({ warehouse_id }) => warehouse_id ?? []))].sort((a, b) => a - b);
  return Object.assign(row, { parcels, warehouses });
}

export const packagesAt = table({
  name: 'packages_at',
  table: 'orders',
  version: 2,
  prefixes: [ORDER_PREFIX],
  columns,
  indexes: [
    '(business, warehouse_id) where open and warehouse_id is not null',
    'using gin (warehouses) where warehouses <> array[]::integer[]',
    '(route_id) where route_id is not null',
    // Index for parcels in the wrong warehouse.
    '(business) where open and warehouse_id is not null and not warehouses <@ array[warehouse_id]',
  ],
  fold,
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'packages_at', { 'packages_at.orders': PackagesRow }> {}
}
