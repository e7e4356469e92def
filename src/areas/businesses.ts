/** Businesses: the tenants of the service, and the modules that are enabled for them. */
import { BUSINESS_EXAMPLES } from '../api/areas/businesses/examples.js';
import { businesses as businessOperations } from '../api/areas/businesses/operations.js';
import { orderSettings } from '../api/areas/businesses/order-settings.js';
import { billingProfile } from '../api/areas/businesses/billing-profile.js';
import { approvalSettings } from '../api/areas/businesses/approval-settings.js';
import { BUSINESS_EVENTS, BUSINESS_PREFIX } from '../events/businesses/events.js';
import { BUSINESS_IDS, businesses as businessRows } from '../projections/businesses/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';

export const businesses = area({
  name: 'businesses',
  examples: BUSINESS_EXAMPLES,
  streams: [{ prefix: BUSINESS_PREFIX, events: BUSINESS_EVENTS, tenant: 'itself' }],
  readModels: [businessRows],
  sequences: [BUSINESS_IDS],
  operations: (_services, { commands, of }) => [
    ...businessOperations({ handle: commands.businesses, accounts: of(accounts).queries }),
    ...approvalSettings({ handle: commands.businesses, accounts: of(accounts).queries }),
    ...orderSettings({ handle: commands.businesses, accounts: of(accounts).queries }),
    ...billingProfile({ handle: commands.businesses, accounts: of(accounts).queries }),
  ],
});
