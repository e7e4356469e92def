/** Stock: quantities of articles at the locations of the warehouses. */
import { STOCK_EXAMPLES } from '../api/areas/stock/examples.js';
import { stockOperations } from '../api/areas/stock/operations.js';
import { stock as decider } from '../commands/stock/decider.js';
import { STOCK_EVENTS, STOCK_PREFIX } from '../events/stock/events.js';
import { createParcelQueries } from '../projections/handling/queries.js';
import { createStockQueries } from '../projections/stock/queries.js';
import { stock as stockRows } from '../projections/stock/read-model.js';
import { area } from './area.js';
import { warehouses } from './warehouses.js';

export const stock = area({
  name: 'stock',
  examples: STOCK_EXAMPLES,
  streams: [{ prefix: STOCK_PREFIX, events: STOCK_EVENTS, tenant: 'business' }],
  readModels: [stockRows],
  errors: { SKU_NOT_FOUND: 404, NEGATIVE_STOCK: 409, STOCK_RESERVED: 409, TOO_MANY_RESERVATIONS: 409 },
  tools: {
    operations: [
      {
        category: 'warehouse',
        name: 'get_inventory',
        title: 'List stock',
        operation: 'wmsInventory',
        fields: {
          'inventory[]': 'sku,name,unit,warehouse_id,location,on_hand,reserved,available',
          'packages[]': 'order_id,tracking_number,status,warehouse_id,location,bay,changed_at,route_id',
        },
        arguments: {
          kind: { description: '`stock`: by SKU; `packages`: parcels of orders.' },
          sku: { description: 'Article number.' },
          skus: { description: 'Several article numbers.' },
          warehouse_id: { description: 'Only in this warehouse.' },
          location: { description: 'Code of the location.' },
          barcode: { description: 'Barcode of an article or a parcel.' },
          below_quantity: { description: 'Only articles with less available stock than this.' },
          group_by: { description: 'One row per SKU, or per location.' },
        },
        description:
          'Stock by SKU and warehouse: on hand, reserved, available. Filter by sku, warehouse_id, location or barcode; group_by=location returns one row per location. kind=packages: parcels of orders in warehouses.',
      },
    ],
  },
  operations: (_services, { handle, database, of }) =>
    stockOperations({
      handle: handle(decider),
      queries: createStockQueries(database),
      parcels: createParcelQueries(database),
      warehouses: of(warehouses).queries,
    }),
});
