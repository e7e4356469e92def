/** Stock of the warehouses: quantities per location, and operations that change them. */
import { z } from 'zod';
import type { StockCommand, StockChange } from '../../../commands/stock/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { ADJUSTMENTS, stockId, stockStream } from '../../../events/stock/events.js';
import { quantityOf, quantitySchema } from '../../../events/stock/quantity.js';
import type { ParcelQueries } from '../../../projections/handling/queries.js';
import type { StockQueries } from '../../../projections/stock/queries.js';
import type { StockRow } from '../../../projections/stock/read-model.js';
import { businessOf, type Caller } from '../../core/callers.js';
import { ApiError, fieldError, invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { Parts } from '../../core/parts.js';
import { parcelSchema, toParcel } from '../handling/parcel.js';
import { locationCode } from '../warehouses/shapes.js';
import { RELATIONS } from '../../core/relations.js';

const WRITE = {
  area: 'Warehouse Mobile',
  callers: ['client_admin', 'employee'],
  scopes: ['wms:write'],
  reads: ['warehouses'],
  awaits: ['stock'],
  writes: true,
  risk: 'medium',
  answers: {
    404: 'There is no such warehouse, location or SKU.',
    409: 'The stock is too low or reserved, or a location is blocked.',
  },
  returns: { read: 'wmsInventory' },
  output: z.object({ result: z.boolean() }),
} as const;

const sku = z.string().trim().min(1).max(64);
const ref = z.string().trim().min(1).max(100);
const stockInput = { warehouse_id: idSchema, sku };

const inventorySchema = z
  .object({
    sku: z.string(),
    name: z.string(),
    unit: z.string(),
    warehouse_id: z.int(),
    location: z.string().optional(),
    on_hand: z.string(),
    reserved: z.string().optional(),
    available: z.string().optional(),
    updated_at: z.string(),
  })
  .meta({ id: 'Inventory' })
  .register(RELATIONS, { warehouse: 'warehouse' });

/** One entry for a SKU in a warehouse; or one per location, or for one location. Reservations have no location. */
function toInventory(row: StockRow, byLocation: boolean, onlyLocation?: string): z.infer<typeof inventorySchema>[] {
  const { name, unit, warehouse_id, updated_at } = row;
  const common = { sku: row.sku, name, unit, warehouse_id, updated_at };
  if (!byLocation && onlyLocation === undefined)
    return [
      {
        ...common,
        on_hand: quantityOf(row.on_hand),
        reserved: quantityOf(row.on_hand - row.available),
        available: quantityOf(row.available),
      },
    ];
  return Object.entries(row.locations)
    .filter(([location]) => onlyLocation === undefined || location === onlyLocation)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([location, units]) => ({ ...common, location, on_hand: quantityOf(units) }));
}

export interface StockOptions extends Parts<'warehouses'> {
  readonly handle: Handle<StockCommand, undefined>;
  readonly queries: StockQueries;
  readonly parcels: Pick<ParcelQueries, 'inside'>;
}

export function stockOperations({ handle, queries, parcels, warehouses }: StockOptions): Operation[] {
  /** Throws unless the business owns the open warehouse and it has these locations. `into` must not be blocked. */
  async function checkLocations(
    caller: Caller,
    id: number,
    locations: readonly string[],
    target?: string,
  ): Promise<void> {
    const warehouse = await warehouses.byId(id, businessOf(caller));
    if (!warehouse || warehouse.closed) throw new ApiError('WAREHOUSE_NOT_FOUND');
    for (const code of locations)
      if (!Object.hasOwn(warehouse.locations, code)) throw fieldError('LOCATION_NOT_FOUND', 'location');
    if (target !== undefined && warehouse.locations[target]?.blocked !== undefined)
      throw fieldError('LOCATION_BLOCKED', 'location');
  }

  async function send(
    { warehouse_id, sku }: { warehouse_id: number; sku: string },
    { caller, commandId, cause, wrote }: Context,
    change: StockChange,
  ) {
    const id = stockId(warehouse_id, sku);
    const command = { ...change, id, business: businessOf(caller), commandId };
    wrote((await handle(stockStream(id), command, cause)).position);
    return { result: true };
  }

  return [
    operation({
      name: 'wmsInventory',
      area: 'Warehouse Mobile',
      summary: 'List stock, or parcels in warehouses',
      description:
        'Returns one entry per SKU and warehouse. With `group_by` `location`, the response contains one entry per location. With `location`, only the quantity at this location counts, also for `below_quantity`. With `kind` `packages`, the response contains the parcels of orders in warehouses. They can be filtered by `warehouse_id` and `location`.',
      rest: { method: 'post', path: '/v1/wms/inventory' },
      callers: ['client_admin', 'employee', 'auditor'],
      scopes: ['wms:read'],
      reads: ['stock', 'packages_at'],
      input: z.object({
        kind: z.enum(['stock', 'packages']).default('stock'),
        sku: sku.optional(),
        skus: z.array(sku).min(1).max(200).optional(),
        warehouse_id: idSchema.optional(),
        location: locationCode.optional(),
        barcode: z.string().trim().min(1).max(100).optional(),
        below_quantity: quantitySchema.optional().describe('Return only SKUs with less available stock than this.'),
        group_by: z.enum(['sku', 'location']).default('sku'),
        ...pageInput,
      }),
      output: z.object({
        ...pageOutput,
        inventory: z.array(inventorySchema),
        packages: z.array(parcelSchema).optional(),
      }),
      async run({ kind, sku, skus, warehouse_id, location, barcode, below_quantity, group_by, ...page }, { caller }) {
        if (kind === 'packages') {
          const filter = { warehouseId: warehouse_id, location, ...rangeOf(page) };
          const { rows, ...found } = await parcels.inside(filter, businessOf(caller));
          return { ...pageOf(page, found), inventory: [], packages: rows.map(toParcel) };
        }
        const wanted = sku === undefined ? skus : [sku, ...(skus ?? [])];
        const filter = { skus: wanted, warehouseId: warehouse_id, location, barcode, below: below_quantity };
        const { rows, ...found } = await queries.list({ ...filter, ...rangeOf(page) }, businessOf(caller));
        return {
          ...pageOf(page, found),
          inventory: rows.flatMap((row) => toInventory(row, group_by === 'location', location)),
        };
      },
    }),
    operation({
      ...WRITE,
      name: 'stockReceive',
      summary: 'Receive stock at a location',
      description: 'Creates the SKU if it is new in the warehouse. The location must not be blocked.',
      rest: { method: 'post', path: '/v1/wms/stock/receive' },
      input: z.object({
        ...stockInput,
        location: locationCode,
        quantity: quantitySchema,
        name: z.string().trim().min(1).max(200).optional().describe('Name of a new SKU. Omitted: the SKU itself.'),
        unit: z.string().trim().min(1).max(16).default('pcs').describe('Unit in which a new SKU is counted.'),
        barcodes: z.array(z.string().trim().min(1).max(100)).max(20).default([]).describe('Barcodes of a new SKU.'),
        ref: ref.optional().describe('Reference of the delivery that brought the goods.'),
      }),
      async run({ location, quantity, name, unit, barcodes, ref, ...item }, context) {
        await checkLocations(context.caller, item.warehouse_id, [location], location);
        const newSku = { ...item, name: name ?? item.sku, unit, barcodes };
        return send(item, context, { do: 'receive', sku: newSku, location, quantity, ref });
      },
    }),
    operation({
      ...WRITE,
      name: 'stockMove',
      summary: 'Move stock between locations of a warehouse',
      description: 'To move parcels to another warehouse, use `transferCreate`.',
      rest: { method: 'post', path: '/v1/wms/stock/move' },
      input: z.object({ ...stockInput, from: locationCode, to: locationCode, quantity: quantitySchema }),
      async run({ from, to, quantity, ...item }, context) {
        await checkLocations(context.caller, item.warehouse_id, [from, to], to);
        return send(item, context, { do: 'move', from, to, quantity });
      },
    }),
    operation({
      ...WRITE,
      name: 'stockPick',
      summary: 'Pick stock at a location',
      description: 'Reserved stock cannot be picked. Release the reservation with `stockReserve` first.',
      rest: { method: 'post', path: '/v1/wms/stock/pick' },
      input: z.object({ ...stockInput, location: locationCode, quantity: quantitySchema, ref: ref.optional() }),
      async run({ location, quantity, ref, ...item }, context) {
        await checkLocations(context.caller, item.warehouse_id, [location]);
        return send(item, context, { do: 'pick', location, quantity, ref });
      },
    }),
    operation({
      ...WRITE,
      name: 'stockAdjust',
      summary: 'Adjust the stock of a SKU at a location',
      description: 'Use it for damaged, lost or found goods and corrections; after a count use `stockCount`.',
      rest: { method: 'post', path: '/v1/wms/stock/adjust' },
      risk: 'high',
      input: z.object({
        ...stockInput,
        location: locationCode,
        quantity: z
          .string()
          .regex(/^-?(?=.*[1-9])\d{1,8}(\.\d{1,4})?$/)
          .describe(
            'Decimal number as text. `damage` and `loss` reduce the stock, `found` increases it. The sign of a `correction` decides.',
          ),
        reason: z.enum(ADJUSTMENTS),
      }),
      async run({ location, quantity, reason, ...item }, context) {
        if (reason !== 'correction' && quantity.startsWith('-'))
          throw invalidForm('quantity', 'not negative, unless `reason` is `correction`');
        await checkLocations(context.caller, item.warehouse_id, [location]);
        return send(item, context, { do: 'adjust', location, quantity, reason });
      },
    }),
    operation({
      ...WRITE,
      name: 'stockCount',
      summary: 'Set the counted quantity of a SKU at a location',
      description: 'Use it after a stock count. To record a difference with a reason, use `stockAdjust`.',
      rest: { method: 'post', path: '/v1/wms/stock/count' },
      input: z.object({
        ...stockInput,
        location: locationCode,
        counted: z
          .string()
          .regex(/^\d{1,8}(\.\d{1,4})?$/)
          .describe('Counted quantity as a decimal number in text.'),
      }),
      async run({ location, counted, ...item }, context) {
        await checkLocations(context.caller, item.warehouse_id, [location]);
        return send(item, context, { do: 'count', location, counted });
      },
    }),
    operation({
      ...WRITE,
      name: 'stockReserve',
      summary: 'Reserve stock, or release a reservation',
      description:
        'Reserves stock in a warehouse for an order or shipment. With `release`, the call releases the reservation.',
      rest: { method: 'post', path: '/v1/wms/stock/reserve' },
      input: z.object({
        ...stockInput,
        for: ref.describe('Reference of the order or shipment for which the stock is reserved.'),
        quantity: quantitySchema,
        release: z.boolean().default(false),
      }),
      async run({ for: reservedFor, quantity, release, ...item }, context) {
        await checkLocations(context.caller, item.warehouse_id, []);
        return send(item, context, { do: release ? 'release' : 'reserve', for: reservedFor, quantity });
      },
    }),
  ];
}
