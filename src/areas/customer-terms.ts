/** Terms of customer accounts: their rate cards, and the prices that the business hides from them. */
import { CUSTOMER_TERMS_EXAMPLES } from '../api/areas/customer-terms/examples.js';
import { customerTermsOperations } from '../api/areas/customer-terms/operations.js';
import { customerTerms as decider } from '../commands/customer-terms/decider.js';
import { CUSTOMER_TERMS_EVENTS, CUSTOMER_TERMS_PREFIX } from '../events/customer-terms/events.js';
import { createCustomerTermsQueries, customerTerms as rows } from '../projections/customer-terms/read-model.js';
import { createRateCardQueries } from '../projections/pricing/queries.js';
import { accounts } from './accounts.js';
import { area } from './area.js';

export const customerTerms = area({
  name: 'customer-terms',
  examples: CUSTOMER_TERMS_EXAMPLES,
  streams: [{ prefix: CUSTOMER_TERMS_PREFIX, events: CUSTOMER_TERMS_EVENTS, tenant: 'business' }],
  readModels: [rows],
  errors: { CUSTOMER_NOT_FOUND: 404 },
  services: ({ database }) => ({ queries: createCustomerTermsQueries(database) }),
  operations: ({ queries }, { handle, of, database, types, engines: { log } }) =>
    customerTermsOperations({
      handle: handle(decider),
      queries,
      accounts: of(accounts).queries,
      rateCards: createRateCardQueries({ database, log, types }),
    }),
});
