/** Handling: scans of parcels and stock by warehouse staff. */
import { HANDLING_EXAMPLES } from '../api/areas/handling/examples.js';
import { createScanService } from '../api/areas/handling/scan-service.js';
import { warehouseFeed } from '../api/areas/handling/feed.js';
import type { Op, OpResult } from '../api/areas/handling/op.js';
import { scanningOperations } from '../api/areas/handling/scanning.js';
import { createScanWriter } from '../api/areas/handling/scan-writer.js';
import { viewOperations } from '../api/areas/handling/views.js';
import { stock as stockDecider } from '../commands/stock/decider.js';
import { warehouses as warehouseDecider } from '../commands/warehouses/decider.js';
import { createOpenOps } from '../engines/postgres/open-ops.js';
import { createWmsOpStore } from '../engines/postgres/wms-ops.js';
import { createParcelQueries } from '../projections/handling/queries.js';
import { packagesAt } from '../projections/handling/read-model.js';
import { createStockQueries } from '../projections/stock/queries.js';
import { createTransferQueries } from '../projections/transfers/queries.js';
import { area } from './area.js';
import { orders } from './orders.js';
import { routes } from './routes.js';
import { warehouses } from './warehouses.js';

export const handling = area({
  name: 'handling',
  examples: HANDLING_EXAMPLES,
  readModels: [packagesAt],
  errors: {
    CODE_UNKNOWN: 404,
    NOT_FOR_THIS_THING: 409,
    NOT_AT_WAREHOUSE: 409,
    BELONGS_ELSEWHERE: 409,
    LOADED: 409,
    NOT_LOADED: 409,
    ROUTE_WITHOUT_DRIVER: 409,
    OP_ID_REUSED: 409,
    TOO_OLD: 409,
    TIME_IMPOSSIBLE: 409,
    SCAN_INCOMPLETE: 400,
    SCAN_NOT_FOUND: 404,
    TOO_MANY_OPEN_SCANS: 429,
    SCAN_SETTLED: 409,
    SCAN_SUPERSEDED: 409,
    DRIVER_REPLACED: 409,
  },
  services: ({ engines: { pool, limits }, database }) => ({
    store: createWmsOpStore<Op, OpResult>(pool, limits),
    openOps: createOpenOps(pool),
    parcels: createParcelQueries(database),
  }),
  operations({ store, openOps, parcels }, { commands, handle, database, of }) {
    const meaning = { parcels, stock: createStockQueries(database) };
    const sites = of(warehouses).queries;
    const handleWarehouse = handle(warehouseDecider);
    const things = createScanWriter({
      orders: commands.orders,
      stock: handle(stockDecider),
      warehouses: handleWarehouse,
      routes: of(routes).queries,
      custody: of(orders).custody,
      codeOf: async (id, business) => (await sites.byId(id, business))?.code ?? String(id),
    });
    const service = createScanService({
      store,
      openOps,
      scanWriter: things,
      codeSources: meaning,
      custody: of(orders).custody,
      warehouses: sites,
    });
    return [
      ...scanningOperations({ service, store, warehouses: sites, handle: handleWarehouse }),
      ...viewOperations({ ...meaning, routes: of(routes).queries, warehouses: sites }),
    ];
  },
  feeds: (_services, { database, engines: { keyRing, log }, types, progress, now, of }) => [
    warehouseFeed({
      warehouses: of(warehouses).queries,
      stock: createStockQueries(database),
      transfers: createTransferQueries({ database, keyRing, log, types }),
      log,
      progress,
      now,
    }),
  ],
  sweep: ({ store }) => store.sweep(),
});
