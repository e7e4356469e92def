/** Customers: the list of customer accounts of a business, and its search index. */
import { customerOperations } from '../api/areas/customers/operations.js';
import { createCustomerQueries } from '../projections/customers/queries.js';
import { CUSTOMER_SEARCH, startCustomerSearch } from '../projections/customers/search.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { customerTerms } from './customer-terms.js';

export const customers = area({
  name: 'customers',
  followerReadModels: [CUSTOMER_SEARCH.name],
  operations: (_services, { database, of, engines: { searchIndex: index } }) =>
    customerOperations({
      queries: createCustomerQueries({
        database,
        index,
        accounts: of(accounts).queries,
        terms: of(customerTerms).queries,
      }),
      logins: of(accounts).logins,
    }),
  work(_services, { engines, types, progress, logger }) {
    const { log, projectionPool: pool, keyRing, holder: owner, searchIndex: index } = engines;
    const search = startCustomerSearch({
      log,
      pool,
      types,
      keyRing,
      index,
      owner,
      progress,
      onError: (error) =>
        logger.error({ follower: CUSTOMER_SEARCH.name, err: error }, 'a follower of the log failed, trying again'),
    });
    return [() => search.stop()];
  },
});
