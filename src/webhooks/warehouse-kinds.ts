/** Webhooks about warehouses: stock, transfers, and parcels at unexpected locations. */
import { z } from 'zod';
import { ORDER_PREFIX, orderIdOf, ParcelMisplaced } from '../events/orders/events.js';
import { derivedId } from '../events/otep/identity.js';
import {
  SkuAdjusted,
  SkuCounted,
  SkuPicked,
  SkuReceived,
  SkuReserved,
  SkuUnreserved,
  STOCK_PREFIX,
} from '../events/stock/events.js';
import {
  TRANSFER_PREFIX,
  TransferCompleted,
  TransferCreated,
  TransferRollbackBegun,
  TransferRolledBack,
  TransferShipped,
} from '../events/transfers/events.js';
import { transferAfter, type TransferStatus } from '../events/transfers/state.js';
import { given, oneOf, type Changes, type Kind } from './kind.js';

/** A move within the warehouse is not included, because it changes neither of the reported quantities. */
const STOCK_CHANGES: Changes = {
  [SkuReceived.type]: 'received',
  [SkuPicked.type]: 'picked',
  [SkuAdjusted.type]: 'adjusted',
  [SkuCounted.type]: 'counted',
  [SkuReserved.type]: 'reserved',
  [SkuUnreserved.type]: 'unreserved',
};
const TRANSFER_CHANGES: Changes = {
  [TransferCreated.type]: 'created',
  [TransferShipped.type]: 'shipped',
  [TransferCompleted.type]: 'completed',
  [TransferRollbackBegun.type]: 'rollback_begun',
  [TransferRolledBack.type]: 'rolled_back',
};
/** Status of a transfer after each of these events; the initial status depends on its mode. */
const TRANSFER_STATUS: Readonly<Record<string, TransferStatus>> = {
  [TransferShipped.type]: 'shipped',
  [TransferCompleted.type]: 'completed',
  [TransferRollbackBegun.type]: 'rolling_back',
  [TransferRolledBack.type]: 'rolled_back',
};

export const WAREHOUSE_KINDS = {
  inventory_changed: {
    type: 'inventory.changed',
    since: '0.1.0',
    prefix: STOCK_PREFIX,
    on: Object.keys(STOCK_CHANGES),
    objectId: 'sku',
    shape: z.object({
      warehouse_id: z.int(),
      sku: z.string(),
      change: oneOf(STOCK_CHANGES),
      location: z.string().optional(),
      quantity: z.string().optional(),
      counted: z.string().optional(),
      was: z.string().optional(),
      reason: z.string().optional(),
      ref: z.string().optional(),
      for: z.string().optional(),
      on_hand: z.string(),
      available: z.string(),
    }),
    data: ({ event, data, firstData }) => ({
      ...given(firstData, 'warehouse_id', 'sku'),
      change: STOCK_CHANGES[event.type]!,
      ...given(data, 'location', 'quantity', 'counted', 'was', 'reason', 'ref', 'for', 'on_hand', 'available'),
    }),
    example: {
      stream: `${STOCK_PREFIX}${derivedId('example stock')}`,
      first: [
        'SkuOpened',
        { warehouse_id: 0, business: 0, sku: 'EXAMPLE-SKU', name: 'Tea', unit: 'pcs', barcodes: [] },
      ],
      trigger: ['SkuPicked', { location: 'A-01', quantity: '2', ref: 'EXAMPLE-1', on_hand: '40', available: '38' }],
    },
  },
  transfer_changed: {
    type: 'transfer.changed',
    since: '0.1.0',
    prefix: TRANSFER_PREFIX,
    on: Object.keys(TRANSFER_CHANGES),
    objectId: 'transfer_id',
    previousStatus: ({ event }) => (event.type === TransferRolledBack.type ? 'rolling_back' : undefined),
    status: ({ event, first }) =>
      TRANSFER_STATUS[event.type] ?? transferAfter(undefined, first.type, first.data).status,
    shape: z.object({
      transfer_id: z.int(),
      from: z.int(),
      to: z.int(),
      mode: z.string(),
      change: oneOf(TRANSFER_CHANGES),
      arrived: z.int().optional(),
      missing: z.int().optional(),
      moved: z.int().optional(),
      kept: z.int().optional(),
    }),
    data: ({ event, data, firstData }) => ({
      ...given(firstData, 'transfer_id', 'from', 'to', 'mode'),
      change: TRANSFER_CHANGES[event.type]!,
      ...given(data, 'arrived', 'missing'),
      // Only for a rollback: the number of parcels that are back, and the number of the others.
      ...(data['rolled_back'] !== undefined && { moved: data['rolled_back'], ...given(data, 'kept') }),
    }),
    example: {
      stream: `${TRANSFER_PREFIX}0`,
      first: [
        'TransferCreated',
        { transfer_id: 0, business: 0, from: 1, to: 2, mode: 'ship', reason_code: 'mis_sorted', packages: [], by: 0 },
      ],
      trigger: ['TransferCompleted', { arrived: 11, missing: 1, by: 0 }],
    },
  },
  receiving_exception: {
    type: 'receiving.exception',
    since: '0.1.0',
    prefix: ORDER_PREFIX,
    on: [ParcelMisplaced.type],
    objectId: 'tracking_number',
    occurred: 'instant',
    shape: z.object({
      order_id: z.int(),
      order_ref: z.string().optional(),
      tracking_number: z.string(),
      warehouse_id: z.int(),
      code: z.enum(['MISSING', 'MISPLACED']),
      expected: z.string().optional(),
      found: z.string().optional(),
    }),
    data: ({ first, data, firstData }) => ({
      order_id: orderIdOf(first.stream),
      ...given(firstData, 'order_ref'),
      ...given(data, 'tracking_number', 'warehouse_id'),
      // The parcel was found elsewhere (MISPLACED) or not at all (MISSING).
      code: data['found'] === undefined ? 'MISSING' : 'MISPLACED',
      ...given(data, 'expected', 'found'),
    }),
    example: {
      stream: `${ORDER_PREFIX}0`,
      first: ['OrderCreated', { order_id: 0, business: 0, order_ref: 'EXAMPLE-1' }],
      trigger: [
        'ParcelMisplaced',
        {
          tracking_number: 'EXAMPLE00001',
          warehouse_id: 0,
          instant: '2026-01-05T09:30:00.000000000Z',
          expected: 'A-01',
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;
