/** Finds the events of the log that concern warehouses, once for all subscribers. */
import type { StoredEvent } from '../../../events/core/log.js';
import {
  ORDER_PREFIX,
  orderIdOf,
  OrderWarehouseSet,
  PackageScanned,
  WAREHOUSING_EVENTS,
} from '../../../events/orders/events.js';
import { STOCK_PREFIX } from '../../../events/stock/events.js';
import { quantityOf } from '../../../events/stock/quantity.js';
import { TRANSFER_PREFIX } from '../../../events/transfers/events.js';
import { WAREHOUSE_PREFIX } from '../../../events/warehouses/events.js';
import type { StockQueries } from '../../../projections/stock/queries.js';
import type { TransferQueries } from '../../../projections/transfers/queries.js';

export const WATCHED_PREFIXES = [ORDER_PREFIX, STOCK_PREFIX, TRANSFER_PREFIX, WAREHOUSE_PREFIX];

/** Contains only ids, codes and quantities, no personal data. */
export interface WarehouseChange {
  readonly cursor: string;
  readonly type: string;
  readonly at: string;
  readonly order_id?: number;
  readonly tracking_number?: string;
  readonly location?: string;
  readonly route_id?: number;
  readonly sku?: string;
  readonly on_hand?: string;
  readonly available?: string;
  readonly transfer_id?: number;
  /** Whether the change concerns the warehouse itself or its locations. */
  readonly isLocationChange: boolean;
}

/** Types of order events that concern parcels in warehouses. */
const PARCEL_EVENT_TYPES: ReadonlySet<string> = new Set(
  [PackageScanned, ...WAREHOUSING_EVENTS].map(({ type }) => type),
);

/** Changes of the wanted warehouses, by warehouse id. */
export async function changesIn(
  events: readonly StoredEvent[],
  warehouseIds: ReadonlySet<string>,
  { stock, transfers }: { stock: Pick<StockQueries, 'byIds'>; transfers: Pick<TransferQueries, 'sidesOf'> },
): Promise<ReadonlyMap<string, readonly WarehouseChange[]>> {
  const [skus, sides] = await Promise.all([
    stock.byIds(idsIn(events, STOCK_PREFIX)),
    transfers.sidesOf(idsIn(events, TRANSFER_PREFIX).map(Number)),
  ]);
  const skuOf = new Map(skus.map((row) => [row.id, row]));
  const sidesOf = new Map(sides.map((row) => [row.id, row]));
  const found = new Map<string, WarehouseChange[]>();
  for (const event of events)
    for (const { warehouse, ...change } of changesOf(event)) {
      const key = String(warehouse);
      if (!warehouseIds.has(key)) continue;
      const { position: cursor, type, metadata } = event;
      const feedChange = { cursor, type, at: metadata['recorded_at'] as string, ...change };
      found.set(key, [...(found.get(key) ?? []), feedChange]);
    }
  return found;

  type ChangeFields = Omit<WarehouseChange, 'cursor' | 'type' | 'at'> & { readonly warehouse: number };
  function changesOf({ stream, type, data }: StoredEvent): ChangeFields[] {
    if (stream.startsWith(WAREHOUSE_PREFIX))
      return [{ warehouse: Number(stream.slice(WAREHOUSE_PREFIX.length)), isLocationChange: true }];
    if (stream.startsWith(STOCK_PREFIX)) {
      const row = skuOf.get(stream.slice(STOCK_PREFIX.length));
      const after = { on_hand: data['on_hand'] as string, available: data['available'] as string };
      const now = row && { on_hand: quantityOf(row.on_hand), available: quantityOf(row.available) };
      const quantities = after.on_hand === undefined ? now : after;
      return row ? [{ warehouse: row.warehouse_id, isLocationChange: false, sku: row.sku, ...quantities }] : [];
    }
    if (stream.startsWith(TRANSFER_PREFIX)) {
      const row = sidesOf.get(Number(stream.slice(TRANSFER_PREFIX.length)));
      const number = pickFields(data, 'tracking_number');
      return row
        ? [row.from_id, row.to_id].map((warehouse) => ({
            warehouse,
            isLocationChange: false,
            transfer_id: row.id,
            ...number,
          }))
        : [];
    }
    if (!PARCEL_EVENT_TYPES.has(type)) return [];
    const parcelFields = {
      isLocationChange: false,
      order_id: orderIdOf(stream),
      ...pickFields(data, 'tracking_number', 'location', 'transfer_id'),
      ...(type !== OrderWarehouseSet.type && pickFields(data, 'route_id')),
    };
    return [data['warehouse_id'], data['from'], data['to']]
      .filter((warehouse): warehouse is number => typeof warehouse === 'number')
      .map((warehouse) => ({ warehouse, ...parcelFields }));
  }
}

const idsIn = (events: readonly StoredEvent[], prefix: string): string[] => [
  ...new Set(events.filter(({ stream }) => stream.startsWith(prefix)).map(({ stream }) => stream.slice(prefix.length))),
];

const pickFields = (data: Readonly<Record<string, unknown>>, ...names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
