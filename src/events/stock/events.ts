/**
 * Events of a SKU in a warehouse. Stream `stock-<uuid>`, derived from warehouse and SKU. It contains no personal data.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { derivedId } from '../otep/identity.js';

export const STOCK_PREFIX = 'stock-';
export const stockId = (warehouse: number, sku: string): string => derivedId('stock', warehouse, sku);
export const stockStream = (id: string): string => `${STOCK_PREFIX}${id}`;

export const ADJUSTMENTS = ['damage', 'loss', 'found', 'correction'] as const;
export type Adjustment = (typeof ADJUSTMENTS)[number];

const quantity = z.string();
/** Totals of the SKU in the warehouse, after the event. */
const after = { on_hand: quantity, available: quantity };
const ref = z.string().optional();

export const SkuOpened = eventType(
  'SkuOpened',
  z.object({
    warehouse_id: z.int(),
    business: z.int(),
    sku: z.string(),
    name: z.string(),
    /** Unit of the quantities: `pcs`, `kg`. */
    unit: z.string(),
    barcodes: z.array(z.string()),
  }),
);
export const SkuReceived = eventType('SkuReceived', z.object({ location: z.string(), quantity, ref, ...after }));
export const SkuMoved = eventType('SkuMoved', z.object({ from: z.string(), to: z.string(), quantity, ...after }));
export const SkuPicked = eventType('SkuPicked', z.object({ location: z.string(), quantity, ref, ...after }));
/** `quantity`: signed. */
export const SkuAdjusted = eventType(
  'SkuAdjusted',
  z.object({ location: z.string(), quantity, reason: z.enum(ADJUSTMENTS), ...after }),
);
export const SkuCounted = eventType(
  'SkuCounted',
  z.object({ location: z.string(), counted: quantity, was: quantity, ...after }),
);
export const SkuReserved = eventType('SkuReserved', z.object({ for: z.string(), quantity, ...after }));
export const SkuUnreserved = eventType('SkuUnreserved', z.object({ for: z.string(), quantity, ...after }));

export const STOCK_EVENTS = [
  SkuOpened,
  SkuReceived,
  SkuMoved,
  SkuPicked,
  SkuAdjusted,
  SkuCounted,
  SkuReserved,
  SkuUnreserved,
] as const;
