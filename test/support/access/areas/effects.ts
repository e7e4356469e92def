/** The rows of the access table for calls to external systems. No area makes any yet, so none can be settled. */
import { USER_ROLES } from '../../../../src/events/accounts/events.js';
import type { AccessRow } from '../table.js';

const shared = 'only calls of the business of the caller: test/api/effects';

export const ROWS: Readonly<Record<string, AccessRow>> = {
  effects: { roles: ['client_admin', 'employee', 'auditor'], scopes: ['orders:read'], own: () => ({}), shared },
  effectSettle: {
    roles: ['client_admin'],
    scopes: ['billing:write'],
    own: () => ({ effect_id: '00000000-0000-4000-8000-000000000000', happened: false, evidence: 'Not on the invoice' }),
    status: 404,
    shared,
  },
  inboundMessage: {
    roles: ['anonymous', 'provider', ...USER_ROLES],
    own: () => ({ adapter: 'none', account_token: 'none' }),
    status: 404,
    restOnly: true,
    shared: 'the signature of the message authorizes',
  },
};
