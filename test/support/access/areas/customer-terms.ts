/** The rows of the access table for terms of customers. */
import type { AccessRow, Input } from '../table.js';
import type { World } from '../world.js';

const own =
  (more: Input) =>
  ({ demo }: World) => ({ customer_id: demo.users.customer.id, ...more });
const row = (more: Input): Pick<AccessRow, 'own' | 'foreign' | 'varies'> => ({
  own: own(more),
  foreign: [
    { input: ({ demo }) => ({ customer_id: demo.users.other_broker.id, ...more }), status: 404 },
    { input: ({ demo }) => ({ customer_id: demo.users.driver.id, ...more }), status: 404 },
  ],
  varies: ['version'],
});

export const ROWS: Readonly<Record<string, AccessRow>> = {
  customerTerms: { roles: ['client_admin', 'employee'], scopes: ['accounts:read'], ...row({}) },
  customerTermsSet: {
    roles: ['client_admin'],
    scopes: ['accounts:write'],
    ...row({ families: [{ family: 'moving_service', markup_percent: '5' }] }),
  },
};
