/** Orders: create, change, find and label them. Their progress is recorded on the timelines of their parcels. */
import { ORDER_EXAMPLES } from '../api/areas/orders/examples.js';
import { createBatches, startBatchWorker, type BatchWork } from '../api/areas/orders/batches.js';
import { orderOperations } from '../api/areas/orders/operations.js';
import { photoReader } from '../api/areas/orders/photo-reader.js';
import { createChangedPrices } from '../api/areas/orders/changed-prices.js';
import { createNewOrderPrices } from '../api/areas/orders/new-order-prices.js';
import { createPlaceOrder } from '../api/areas/orders/place-order.js';
import { createCopyStops } from '../api/areas/orders/stop-addresses.js';
import { importJob } from '../api/areas/orders/import-job.js';
import type { Outcome } from '../api/areas/orders/results.js';
import { thirdPartyOperations } from '../api/areas/orders/third-party.js';
import { createOrderBatchStore } from '../engines/postgres/order-batches.js';
import { createOrderRefs } from '../engines/postgres/order-refs.js';
import { ORDER_EVENTS, ORDER_PREFIX } from '../events/orders/events.js';
import { createAddressQueries } from '../projections/addresses/queries.js';
import { createBillQueries } from '../projections/bills/queries.js';
import { createInvoiceQueries } from '../projections/invoices/queries.js';
import { createOrderHistory } from '../projections/orders/history.js';
import { createCustodyQueries } from '../projections/orders/custody.js';
import { createOrderQueries } from '../projections/orders/queries.js';
import { createThirdPartyQueries } from '../projections/third-party/queries.js';
import { createWarehouseQueries } from '../projections/warehouses/queries.js';
import { ORDER_IDS, orders as orderRows } from '../projections/orders/read-model.js';
import { createScanConflictQueries, scanConflicts } from '../projections/orders/scan-conflicts.js';
import { accounts } from './accounts.js';
import { alliances } from './alliances.js';
import { area } from './area.js';
import type { AreaContext } from './area-context.js';
import { datasets } from './datasets.js';
import { documents } from './documents.js';
import { files } from './files.js';
import { jobs } from './jobs.js';
import { planning } from './planning.js';
import { providers } from './providers.js';
import { returnReasons } from './return-reasons.js';
import { trackings } from './trackings.js';
import { connectPrices } from './wiring/agreed-prices.js';
import { ORDER_POLICY, startOrderFollowers } from './wiring/order-followers.js';
import { expireThirdParty } from './wiring/third-party.js';
import { ORDER_PLACES, startOrderPlaces } from './wiring/order-places.js';

export const orders = area({
  name: 'orders',
  examples: ORDER_EXAMPLES,
  streams: [
    {
      prefix: ORDER_PREFIX,
      events: ORDER_EVENTS,
      tenant: 'business',
      erasure: 'otherwise',
      expires: (context) => expireThirdParty(context as AreaContext),
    },
  ],
  readModels: [orderRows, scanConflicts],
  followers: [ORDER_POLICY, ORDER_PLACES],
  followerReadModels: ['order_search', 'order_policy'],
  sequences: [ORDER_IDS],
  errors: {
    ORDER_NOT_FOUND: 404,
    NO_SUCH_STOP: 422,
    IMPORT_REJECTED: 422,
    NUMBER_TAKEN: 409,
    AMBIGUOUS_NUMBER: 409,
    ORDER_REF_TAKEN: 409,
    UNKNOWN_PACKAGE: 404,
    RELEASE_ON_ROUTE: 400,
    NOT_ASSIGNED_TO_YOU: 400,
    ORDER_EXISTS: 409,
    ORDER_ON_ROUTE: 409,
    ORDER_NOT_ON_ROUTE: 409,
    NOT_SELF_DELIVERY: 409,
    NOT_DISPATCHABLE: 409,
    HELD_BY_THIRD_PARTY: 409,
    NOT_WITH_THIRD_PARTY: 409,
    ORDER_HELD: 409,
    ORDER_NOT_HELD: 409,
    ALREADY_PICKED_UP: 409,
    ALREADY_DELIVERED: 409,
    ORDER_VERSION_CHANGED: 412,
    ORDER_CLOSED: 409,
    NOT_CANCELLABLE: 409,
    NOT_CHANGEABLE: 409,
    ORDER_INVOICED: 409,
    PRICE_HIDDEN: 403,
    NOTHING_TO_REROUTE: 409,
    MISSING_ORDERS: 422,
    RATE_NOT_FOUND: 404,
    RATE_USED: 409,
    QUOTE_EXPIRED: 409,
    QUOTE_MISMATCH: 409,
  },
  services(context) {
    const { engines, database, commands, types, of, now } = context;
    const { pool, keyRing, log, batchVault, searchIndex, limits } = engines;
    const store = createOrderBatchStore<BatchWork, Outcome>(pool, batchVault, limits);
    // Wakes the worker of this process, if it has one, so that it does not wait for its next poll.
    const worker = { wake: () => {} };
    const refs = createOrderRefs(pool);
    const queries = createOrderQueries({ database, keyRing, index: searchIndex });
    const warehouses = createWarehouseQueries(database, keyRing);
    const invoices = createInvoiceQueries(database, keyRing);
    const prices = connectPrices(context, warehouses);
    return {
      queries,
      warehouses,
      history: createOrderHistory({ log, types, keyRing }),
      custody: createCustodyQueries({ log, types }),
      scanConflicts: createScanConflictQueries(database, keyRing),
      placeOrder: createPlaceOrder({
        orders: commands.orders,
        accounts: of(accounts).queries,
        keyRing,
        queries,
        refs,
        warehouses,
        prices: createNewOrderPrices({ ...prices, settle: commands.settle }),
        returns: of(returnReasons).returns,
        copyStops: createCopyStops(createAddressQueries({ database, keyRing, index: searchIndex })),
        now,
      }),
      changedPrices: createChangedPrices({ ...prices, invoices, settle: commands.settle }),
      invoices,
      refs,
      batches: createBatches(store, () => worker.wake()),
      store,
      worker,
    };
  },
  operations(
    { queries, warehouses, history, placeOrder, changedPrices, invoices, batches },
    { commands, config, database, of, now, engines: { keyRing } },
  ) {
    const { orders: handle } = commands;
    return [
      ...orderOperations({
        orders: handle,
        queries,
        warehouses,
        planning: of(planning).settings,
        history,
        placeOrder,
        changedPrices,
        batches,
        reader: of(trackings).reader,
        jobs: of(jobs).jobs,
        files: of(files),
        tableLimits: config.files.tables,
        accounts: of(accounts).queries,
        access: of(alliances).access,
        thirdParty: createThirdPartyQueries({ database, keyRing }),
        issue: of(documents),
        bills: createBillQueries(database, keyRing),
        invoices,
        now,
      }),
      ...thirdPartyOperations({ handle, providers: of(providers).queries }),
    ];
  },
  fileReader: ({ queries }) => photoReader(queries),
  jobs: ({ placeOrder }, { awaitReadModels }) => [importJob(placeOrder, () => awaitReadModels('orders'))],
  work({ store, placeOrder, worker }, { engines, types, commands, progress, logger, of }) {
    const batchWorker = startBatchWorker({
      store,
      placeOrder,
      onError: (error) => logger.error({ err: error }, 'a batch of orders is not done yet'),
    });
    worker.wake = batchWorker.wake;
    const geocode = of(datasets).geocode;
    return [
      startOrderFollowers({ engines, types, commands, progress, logger }),
      startOrderPlaces({ engines, types, commands, geocode, progress, logger }),
      () => batchWorker.stop(),
    ];
  },
  sweep: ({ store, refs }) => Promise.all([store.sweep(), refs.sweep()]),
});
