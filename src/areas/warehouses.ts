/** Warehouses: sites with their locations. */
import { WAREHOUSE_EXAMPLES } from '../api/areas/warehouses/examples.js';
import { locationOperations } from '../api/areas/warehouses/locations.js';
import { warehouseOperations } from '../api/areas/warehouses/operations.js';
import { warehouses as decider } from '../commands/warehouses/decider.js';
import { WAREHOUSE_EVENTS, WAREHOUSE_PREFIX } from '../events/warehouses/events.js';
import { createParcelQueries } from '../projections/handling/queries.js';
import { createStockQueries } from '../projections/stock/queries.js';
import { createTransferQueries } from '../projections/transfers/queries.js';
import { createWarehouseQueries } from '../projections/warehouses/queries.js';
import { createSharedWarehouses } from '../projections/warehouses/shared.js';
import { WAREHOUSE_IDS, warehouses as warehouseRows } from '../projections/warehouses/read-model.js';
import { area } from './area.js';

export const warehouses = area({
  name: 'warehouses',
  examples: WAREHOUSE_EXAMPLES,
  streams: [{ prefix: WAREHOUSE_PREFIX, events: WAREHOUSE_EVENTS, tenant: 'business', erasure: 'own' }],
  readModels: [warehouseRows],
  sequences: [WAREHOUSE_IDS],
  errors: {
    WAREHOUSE_NOT_FOUND: 404,
    WAREHOUSE_CODE_TAKEN: 409,
    WAREHOUSE_IN_USE: 409,
    TOO_MANY_WAREHOUSES: 409,
    TOO_MANY_LOCATIONS: 409,
    LOCATION_NOT_FOUND: 404,
    LOCATION_IN_USE: 409,
    LOCATION_BLOCKED: 409,
  },
  tools: {
    operations: [
      {
        category: 'warehouse',
        name: 'get_warehouses',
        title: 'List warehouses',
        operation: 'warehouses',
        fields: {
          'warehouses[]': 'id,code,name,address.city,timezone,status,is_default,on_hand_package_count,via_alliance',
        },
        description: 'Warehouses of the business: ids, codes, names, towns; `fields` adds addresses and opening hours.',
      },
    ],
  },
  services: ({ database, now, engines: { keyRing } }) => ({
    queries: createWarehouseQueries(database, keyRing),
    shared: createSharedWarehouses(database, now),
  }),
  operations({ queries, shared }, { handle, database, types, engines: { keyRing, log } }) {
    const options = {
      handle: handle(decider),
      queries,
      shared,
      stock: createStockQueries(database),
      parcels: createParcelQueries(database),
      transfers: createTransferQueries({ database, keyRing, log, types }),
    };
    return [...warehouseOperations(options), ...locationOperations(options)];
  },
});
