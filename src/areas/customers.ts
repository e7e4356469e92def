/** Customers: the list of customer accounts of a business, and its search index. */
import { customerOperations } from '../api/areas/customers/operations.js';
import { createCustomerQueries } from '../projections/customers/queries.js';
import { CUSTOMER_SEARCH, startCustomerSearch } from '../projections/customers/search.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { customerTerms } from './customer-terms.js';
import { searchFollowerOptions } from './wiring/search-follower.js';

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
  work(_services, context) {
    const search = startCustomerSearch(searchFollowerOptions(CUSTOMER_SEARCH.name, context));
    return [() => search.stop()];
  },
});
