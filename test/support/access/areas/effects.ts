/** The rows of the access table for calls to external systems. Only the area `double` of the tests makes any. */
import { USER_ROLES } from '../../../../src/events/accounts/events.js';
import { addOpenEffect } from '../../double/open-effect.js';
import type { AccessRow, MakeInput } from '../table.js';

const SETTLED = { happened: true, evidence: 'Label on the invoice', effect_result: { number: 'N1' } };
const own: MakeInput = async ({ test, businessId }) => ({
  effect_id: await addOpenEffect(test.service, businessId),
  ...SETTLED,
});
const foreign: MakeInput = async ({ test, otherBusinessId }) => ({
  effect_id: await addOpenEffect(test.service, otherBusinessId),
  ...SETTLED,
});

export const ROWS: Readonly<Record<string, AccessRow>> = {
  effects: {
    roles: ['client_admin', 'employee', 'auditor'],
    scopes: ['orders:read'],
    own: async (world, role) => (await own(world, role)) && {},
    varies: ['*'],
    shared: 'only calls of the business of the caller: test/api/effects',
  },
  effectSettle: {
    roles: ['client_admin'],
    scopes: ['billing:write'],
    own,
    foreign: { input: foreign, status: 404 },
    varies: ['id', 'begun_at'],
  },
  inboundMessage: {
    roles: ['anonymous', 'provider', ...USER_ROLES],
    own: () => ({ adapter: 'none', account_token: 'none' }),
    status: 404,
    restOnly: true,
    shared: 'the signature of the message authorizes',
  },
};
