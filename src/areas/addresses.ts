/** Address books: addresses that a business or one of its customers stores. */
import { ADDRESS_EXAMPLES } from '../api/areas/addresses/examples.js';
import { addressImport } from '../api/areas/addresses/import.js';
import { addressImportJob } from '../api/areas/addresses/import-job.js';
import { addressOperations } from '../api/areas/addresses/operations.js';
import { createSaving } from '../api/areas/addresses/saving.js';
import { addressSearch } from '../api/areas/addresses/search.js';
import { addresses as decider } from '../commands/addresses/decider.js';
import { createEraseEntries } from '../commands/addresses/erasing.js';
import { createBlindIndex } from '../engines/blind-index.js';
import { createAddressKeys } from '../engines/postgres/address-keys.js';
import { ADDRESS_EVENTS, ADDRESS_PREFIX } from '../events/addresses/events.js';
import { createAddressKeyOf } from '../events/addresses/normal-form.js';
import { createAddressQueries } from '../projections/addresses/queries.js';
import { ADDRESS_IDS, addresses as addressRows } from '../projections/addresses/read-model.js';
import { ADDRESS_SEARCH, createOpenEntries, startAddressSearch } from '../projections/addresses/search.js';
import { addressUses } from '../projections/addresses/uses.js';
import { area } from './area.js';
import { datasets } from './datasets.js';
import { files } from './files.js';
import { jobs } from './jobs.js';
import { orders } from './orders.js';
import { pois } from './pois.js';
import { searchFollowerOptions } from './wiring/search-follower.js';

export const addresses = area({
  name: 'addresses',
  examples: ADDRESS_EXAMPLES,
  streams: [{ prefix: ADDRESS_PREFIX, events: ADDRESS_EVENTS, tenant: 'business', erasure: 'own' }],
  readModels: [addressRows, addressUses],
  followerReadModels: [ADDRESS_SEARCH.name],
  sequences: [ADDRESS_IDS],
  errors: { ADDRESS_NOT_FOUND: 404 },
  services({ handle: handlerOf, database, types, engines: { log, pool, keyRing, searchIndex: index, secretFor } }) {
    const handle = handlerOf(decider);
    const queries = createAddressQueries({ database, keyRing, index });
    const keys = createAddressKeys(pool);
    const keyOf = createAddressKeyOf(createBlindIndex(secretFor('address book')));
    const openEntries = createOpenEntries({ log, types, keyRing });
    return { handle, queries, keys, keyOf, saving: createSaving({ handle, queries, keys, keyOf, openEntries }) };
  },
  operations({ handle, queries, saving }, { of, config }) {
    const { datasets: datasetQueries, records } = of(datasets);
    return [
      addressImport({ jobs: of(jobs).jobs, files: of(files), tableLimits: config.files.tables }),
      ...addressOperations({ handle, queries, saving }),
      addressSearch({
        book: queries,
        orders: of(orders).queries,
        pois: of(pois).queries,
        datasets: datasetQueries,
        records,
      }),
    ];
  },
  jobs: ({ saving }, { awaitReadModels }) => [
    addressImportJob(saving, () => awaitReadModels('addresses', 'address_search')),
  ],
  work({ keyOf }, context) {
    const search = startAddressSearch({ ...searchFollowerOptions(ADDRESS_SEARCH.name, context), keyOf });
    return [() => search.stop()];
  },
  sweep: ({ keys }) => keys.sweep(),
  forget: ({ handle }) => createEraseEntries(handle),
});
