/** Example requests for stock. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const STOCK_EXAMPLES: Examples = {
  stockReceive: {
    body: { warehouse_id: 1, sku: 'BOLT-8', location: 'A-1', quantity: '12.5', unit: 'kg', name: 'Bolts M8' },
  },
  stockMove: { body: { warehouse_id: 1, sku: 'BOLT-8', from: 'A-1', to: 'A-2', quantity: '2.5' } },
  stockReserve: { body: { warehouse_id: 1, sku: 'BOLT-8', for: 'order-1', quantity: '1' } },
  stockPick: { body: { warehouse_id: 1, sku: 'BOLT-8', location: 'A-1', quantity: '1', ref: 'order-1' } },
  stockAdjust: { body: { warehouse_id: 1, sku: 'BOLT-8', location: 'A-1', quantity: '0.5', reason: 'damage' } },
  stockCount: { body: { warehouse_id: 1, sku: 'BOLT-8', location: 'A-1', counted: '8' } },
  wmsInventory: { body: { sku: 'BOLT-8', group_by: 'location' } },
};
