/** The rows of the access table for the payment provider of a business. */
import type { AccessRow } from '../table.js';

const shared = 'only the settings of the business of the caller';

export const ROWS: Readonly<Record<string, AccessRow>> = {
  paymentSettings: { roles: ['client_admin'], scopes: ['billing:read'], own: () => ({}), varies: ['*'], shared },
  paymentSettingsUpdate: {
    roles: ['client_admin'],
    scopes: ['billing:write'],
    own: () => ({
      provider: 'stripe',
      secret_key: 'sk_test_of_the_business',
      webhook_secret: 'whsec_of_the_business',
      publishable_key: 'pk_test_of_the_business',
    }),
    varies: ['version', 'webhook_url'],
    shared,
  },
};
