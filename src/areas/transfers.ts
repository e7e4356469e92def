/** Transfers of parcels between warehouses. */
import { TRANSFER_EXAMPLES } from '../api/areas/transfers/examples.js';
import { siteOf } from '../api/areas/handling/scan-writer.js';
import { transferOperations } from '../api/areas/transfers/operations.js';
import { transferReading } from '../api/areas/transfers/reading.js';
import { startRepair } from '../commands/core/repair.js';
import { createExecuteTransfer } from '../commands/transfers/execute-transfer.js';
import { transfers as decider } from '../commands/transfers/decider.js';
import { derivedId } from '../events/otep/identity.js';
import { TRANSFER_EVENTS, TRANSFER_PREFIX } from '../events/transfers/events.js';
import { createParcelQueries } from '../projections/handling/queries.js';
import { createStockQueries } from '../projections/stock/queries.js';
import { createTransferQueries } from '../projections/transfers/queries.js';
import { TRANSFER_IDS, transfers as transferRows } from '../projections/transfers/read-model.js';
import { area } from './area.js';
import { warehouses } from './warehouses.js';

/** Maximum number of transfers that one round of the repair finishes. */
const BATCH_SIZE = 100;

export const transfers = area({
  name: 'transfers',
  examples: TRANSFER_EXAMPLES,
  streams: [{ prefix: TRANSFER_PREFIX, events: TRANSFER_EVENTS, tenant: 'business', erasure: 'own' }],
  readModels: [transferRows],
  sequences: [TRANSFER_IDS],
  errors: {
    TRANSFER_NOT_FOUND: 404,
    TRANSFER_STATE: 409,
    TRANSFER_UNDER_WAY: 409,
    TRANSFER_TOO_OLD: 409,
    NOT_OF_TRANSFER: 404,
    SAME_WAREHOUSE: 400,
    IN_TRANSFER: 409,
    MOVED_ON: 409,
    DELIVERED: 409,
  },
  services({ engines: { keyRing, log }, database, types, commands, handle, now, of }) {
    const sites = of(warehouses).queries;
    const handleTransfer = handle(decider);
    return {
      handle: handleTransfer,
      queries: createTransferQueries({ database, keyRing, log, types }),
      execute: createExecuteTransfer({
        transfers: handleTransfer,
        orders: commands.orders,
        now,
        async siteOf(id, business) {
          const warehouse = await sites.byId(id, business);
          return warehouse ? siteOf(warehouse) : {};
        },
      }),
    };
  },
  operations({ handle, queries, execute }, { config, database, of }) {
    return [
      ...transferOperations({
        handle,
        execute,
        queries,
        rollbackDays: config.transferRollbackDays,
        warehouses: of(warehouses).queries,
        parcels: createParcelQueries(database),
        stock: createStockQueries(database),
      }),
      ...transferReading(queries),
    ];
  },
  work({ queries, execute }, { now, logger, engines: { limits } }) {
    const repair = startRepair({
      now,
      limits,
      onError: (error, transfer) => logger.error({ transfer, err: error }, 'a transfer is not finished yet'),
      unfinished: async (millis) =>
        (await queries.unfinished(new Date(millis).toISOString(), BATCH_SIZE)).map(
          ({ id, business }) => `${id}/${business}`,
        ),
      async finish(transferKey) {
        const [id, business] = transferKey.split('/').map(Number) as [number, number];
        await execute(
          { id, business },
          {
            correlationId: derivedId('finished transfer', id),
            actor: { kind: 'system', id: 'transfers' },
            channel: 'system',
            business: String(business),
          },
        );
      },
    });
    return [() => repair.stop()];
  },
});
