/** The rows of the access table for wallets, the ledger and the billing profile. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { AccessRow, MakeInput } from '../table.js';

const ADMIN: readonly CallerKind[] = ['client_admin'];
const READERS: readonly CallerKind[] = ['client_admin', 'employee', 'auditor', 'customer'];
const read = ['billing:read'];
const scopes = ['billing:write'];
const BODY = { currency: 'EUR' };
const CREDIT = { ...BODY, amount: '50.00', source: 'cash' };
const shared = 'only amounts of the business of the caller';

/** A customer of another business, with a wallet. */
const foreign =
  (body: object = {}): MakeInput =>
  async ({ good, fresh }) => {
    const account = {
      email: `${fresh()}@example.com`,
      password: 'long enough password',
      name: 'New',
      role: 'customer',
    };
    const { json } = await good('/users', 'other_client_admin', { body: account });
    const customer_id = json.user.id as number;
    await good(`/customers/${customer_id}/wallet/credits`, 'other_client_admin', { body: CREDIT });
    return { customer_id, ...body };
  };
/** The demo's customer, whose wallet has money. */
const customer =
  (body: object = {}): MakeInput =>
  async ({ demo, good }) => {
    const { id } = demo.users.customer;
    await good(`/customers/${id}/wallet/credits`, 'client_admin', { body: CREDIT });
    return { customer_id: id, ...body };
  };
/** `body`: what the operation needs in addition to the customer. */
const ofWallet = (roles: readonly CallerKind[], body: object): AccessRow => ({
  roles,
  scopes,
  own: customer(body),
  foreign: { input: foreign(body), status: 404 },
  varies: ['entry_id', 'balance', 'available', 'version', 'credit_limit'],
});

export const ROWS: Readonly<Record<string, AccessRow>> = {
  accountCredits: {
    roles: ['customer'],
    scopes: ['analytics:read'],
    own: async (world, role) => (await customer()(world, role)) && {},
    varies: ['balance', 'available', 'recent_top_ups'],
    shared: 'names nothing: it is about the caller alone',
  },
  customerWallets: {
    roles: READERS,
    scopes: read,
    own: customer(),
    foreign: { input: foreign(), status: 404 },
    varies: ['balance', 'available', 'version'],
  },
  walletEntries: {
    roles: READERS,
    scopes: read,
    own: customer(BODY),
    foreign: { input: foreign(BODY), status: 404 },
    varies: ['*'],
  },
  walletCredit: ofWallet(['client_admin', 'employee'], CREDIT),
  walletAdjust: ofWallet(ADMIN, { ...BODY, amount: '1.00', reason: 'Counted twice' }),
  walletWithdraw: ofWallet(ADMIN, { ...BODY, amount: '1.00', to: 'bank' }),
  walletTerms: {
    roles: READERS,
    scopes: read,
    own: customer(BODY),
    foreign: { input: foreign(BODY), status: 404 },
    varies: ['version', 'credit_limit'],
  },
  walletTermsUpdate: ofWallet(ADMIN, { ...BODY, credit_limit: '10.00' }),
  ledgerBalances: {
    roles: ['client_admin', 'auditor'],
    scopes: read,
    own: async (world, role) => (await customer()(world, role)) && {},
    varies: ['amount'],
    shared,
  },
  billingProfile: {
    roles: ['client_admin', 'employee', 'auditor'],
    scopes: read,
    own: () => ({}),
    varies: ['version'],
    shared,
  },
  billingProfileSet: {
    roles: ADMIN,
    scopes,
    own: () => ({
      currency: 'EUR',
      legal_name: 'Demo Logistics GmbH',
      billing_address: { street: 'Westhafenstraße 1', city: 'Berlin', country: 'DE' },
    }),
    varies: ['version'],
    shared,
  },
};
