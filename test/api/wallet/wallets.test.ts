/** Wallets over real HTTP: balances, entries, terms, and what each caller sees. */
import { expect } from 'chai';
import { wallet } from '../../../src/commands/wallet/decider.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { walletStream } from '../../../src/events/wallet/events.js';
import type { WalletChange } from '../../../src/commands/wallet/command.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { graphql } from '../../support/clients/graphql.js';
import { callTool } from '../../support/clients/mcp.js';
import { CAUSE } from '../../support/worlds/test-core.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, signIns, type AsUsers } from '../../support/worlds/users.js';

const HOUR = 3_600_000;

describe('wallets', () => {
  let clock = Date.parse('2026-03-01T10:00:00Z');
  let test: TestService;
  let as: AsUsers;
  let customer: number;
  before(async () => {
    test = await startTestService({ now: () => clock });
    as = asUsers(test);
    customer = test.demo.users.customer.id;
  });
  after(() => test.stop());

  const path = (rest: string) => `/customers/${customer}/${rest}`;
  const credit = (body: object) => as('employee', path('wallet/credits'), { source: 'cash', currency: 'EUR', ...body });
  const entries = async (query = '') => (await as('client_admin', path(`wallet/entries?currency=EUR${query}`))).json;
  const credits = async () => (await as('customer', '/customer/credits')).json;

  /** Sends a command to the wallet directly, without an operation of the API. */
  const send = async (change: WalletChange) => {
    const { log, keyRing } = test.service.engines;
    const handle = createHandler({ decider: wallet, log, types: EVENT_TYPES, keyRing, now: () => clock });
    const key = { accountId: customer, currency: 'EUR' };
    const business = (await as('client_admin', '/me')).json.user.business_id as number;
    const { reply, position } = await handle(walletStream(key), { ...change, ...key, business, at: clock }, CAUSE);
    await Promise.all(
      ['wallets', 'wallet_entries', 'ledger'].map((name) => test.service.progress.waitFor(name, position!, 5_000)),
    );
    return reply;
  };

  it('do not exist before the first payment: the response has zero amounts and no currency', async () => {
    expect(await credits()).to.deep.equal({
      result: true,
      currency: null,
      balance: '0.00',
      available: '0.00',
      held: '0.00',
      credit_limit: '0.00',
      wallets: [],
      recent_top_ups: [],
    });
    const withdrawn = await as('client_admin', path('wallet/withdrawals'), {
      amount: '1',
      currency: 'EUR',
      to: 'bank',
    });
    expect([withdrawn.status, withdrawn.json.code]).to.deep.equal([409, 'NO_WALLET_IN_CURRENCY']);
    const unknown = await as('employee', path('wallet/credits'), { amount: '1', source: 'cash' });
    expect([unknown.status, unknown.json.errors[0].path]).to.deep.equal([400, '/currency']);
  });

  it('take the currency of the billing profile as default', async () => {
    const profile = {
      currency: 'EUR',
      legal_name: 'Demo GmbH',
      billing_address: { street: 'Weg 1', city: 'Berlin', country: 'DE' },
    };
    expect((await as('auditor', '/billing-profile')).json.billing_profile).to.deep.include({ currency: null });
    const { status, json } = await as('client_admin', '/billing-profile', profile, 'PUT');
    expect(status).to.equal(200);
    expect(json.billing_profile).to.deep.include({ ...profile, tax_ids: [], bank_details: null });
    expect(await credits()).to.deep.include({ currency: 'EUR', balance: '0.00' });
  });

  it('gain and lose money, with exact amounts', async () => {
    const { status, json } = await as('employee', path('wallet/credits'), {
      amount: '100',
      source: 'bank',
      reference: 'Transfer 77',
    });
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json.wallets).to.deep.equal([
      {
        currency: 'EUR',
        balance: '100.00',
        available: '100.00',
        held: '0.00',
        credit_limit: '0.00',
        is_frozen: false,
        version: -1,
      },
    ]);
    const adjusted = await as('client_admin', path('wallet/adjustments'), { amount: '-0.5', reason: 'late delivery' });
    expect(adjusted.json.wallets[0].balance).to.equal('99.50');
    const withdrawn = await as('client_admin', path('wallet/withdrawals'), { amount: '99.51', to: 'bank' });
    expect([withdrawn.status, withdrawn.json.code]).to.deep.equal([402, 'INSUFFICIENT_FUNDS']);
    expect(withdrawn.json).to.include({ available: '99.50', required: '99.51', currency: 'EUR' });
    expect(withdrawn.json.message).to.equal('The amount 99.51 EUR is not available. Available: 99.50 EUR.');
    const yen = await credit({ amount: '1250', currency: 'JPY' });
    expect(yen.json.wallets.map(({ balance }: { balance: string }) => balance)).to.deep.equal(['99.50', '1250']);
    expect((await credits()).wallets).to.deep.equal([
      { currency: 'JPY', balance: '1250', available: '1250', held: '0' },
    ]);
  });

  it('reject amounts with too many digits, and amounts that are not positive', async () => {
    const failure = async (body: object) => {
      const { status, json } = await credit(body);
      return [status, json.code, json.errors[0].path, json.errors[0].code];
    };
    expect(await failure({ amount: '1.005' })).to.deep.equal([400, 'TOO_PRECISE', '/amount', 'TOO_PRECISE']);
    expect(await failure({ amount: '1.5', currency: 'JPY' })).to.deep.equal([
      400,
      'TOO_PRECISE',
      '/amount',
      'TOO_PRECISE',
    ]);
    expect(await failure({ amount: '0' })).to.deep.equal([400, 'INVALID_INPUT', '/amount', 'TOO_SMALL']);
    expect(await failure({ amount: '-1' })).to.deep.equal([400, 'INVALID_INPUT', '/amount', 'TOO_SMALL']);
    const terms = await as('client_admin', path('wallet/terms'), { credit_limit: '0.001' }, 'PATCH');
    expect([terms.json.code, terms.json.errors[0].path]).to.deep.equal(['TOO_PRECISE', '/credit_limit']);
  });

  it('have terms with a separate version', async () => {
    const change = async (body: object) => as('client_admin', path('wallet/terms'), body, 'PATCH');
    const { json } = await change({ credit_limit: '20', if_version: -1 });
    expect(json.wallet_terms).to.deep.include({ currency: 'EUR', credit_limit: '20.00', is_frozen: false });
    const { version } = json.wallet_terms;
    expect(await credits()).to.deep.include({ credit_limit: '20.00', available: '119.50', balance: '99.50' });
    await credit({ amount: '0.50' });
    const frozen = await change({ is_frozen: true, if_version: version });
    expect(frozen.status, 'a payment does not change the version').to.equal(200);
    expect(frozen.json.wallet_terms).to.deep.include({ is_frozen: true, credit_limit: '20.00' });
    expect((await change({ is_frozen: false, if_version: version })).json.code).to.equal('VERSION_CHANGED');
    const refused = await as('client_admin', path('wallet/withdrawals'), { amount: '1', to: 'bank' });
    expect([refused.status, refused.json.code]).to.deep.equal([409, 'WALLET_FROZEN']);
    expect((await change({ is_frozen: false })).status).to.equal(200);
  });

  it('expire a hold by time, without an event', async () => {
    const holdId = derivedId('test', 'hold');
    const expiresAt = new Date(clock + HOUR).toISOString();
    await send({ do: 'hold', holdId, amount: '30', family: 'local_delivery', orderId: 3, expiresAt });
    expect(await credits()).to.deep.include({ balance: '100.00', available: '90.00', held: '30.00' });
    await send({ do: 'capture', entryId: holdId, holdId, amount: '18.37', family: 'local_delivery', orderId: 3 });
    expect(await credits()).to.deep.include({ balance: '81.63', available: '101.63', held: '0.00' });
    await send({ do: 'hold', holdId: derivedId('test', 'other hold'), amount: '30', expiresAt });
    clock += HOUR;
    expect(await credits()).to.deep.include({ balance: '81.63', available: '101.63', held: '0.00' });
  });

  it('list their entries newest first, by pages, kinds and days', async () => {
    const all = await entries();
    expect(all.total).to.equal(4);
    expect(
      all.entries.map((one: Record<string, unknown>) => [one['kind'], one['amount'], one['balance_after']]),
    ).to.deep.equal([
      ['payment', '-18.37', '81.63'],
      ['credit', '0.50', '100.00'],
      ['adjustment', '-0.50', '99.50'],
      ['credit', '100.00', '100.00'],
    ]);
    expect(all.entries.map(({ note }: { note: string | null }) => note)).to.deep.equal([
      null,
      null,
      'late delivery',
      'Transfer 77',
    ]);
    expect(all.entries[0]).to.deep.include({ family: 'local_delivery', order_id: 3 });
    expect((await entries('&kind=credit')).total).to.equal(2);
    expect((await entries('&date_from=2026-03-01&date_to=2026-03-01')).total).to.equal(4);
    expect((await entries('&date_to=2026-02-28')).total).to.equal(0);
    const first = await entries('&per_page=3');
    await credit({ amount: '1.00' });
    const second = await entries(`&per_page=3&cursor=${first.next_cursor}`);
    expect([...first.entries, ...second.entries], 'not moved by a new entry').to.deep.equal(all.entries);
  });

  it('are the same over REST, GraphQL and MCP, and are visible only to their customer', async () => {
    const keyOf = signIns(test);
    const key = await keyOf('customer');
    const query = '{ accountCredits { currency balance available held } }';
    const { currency, balance, available, held } = await credits();
    expect((await graphql(test.url, query, { key })).data.accountCredits).to.deep.equal({
      currency,
      balance,
      available,
      held,
    });
    const { structuredContent } = await callTool(test, 'get_account_credits', {}, { token: key });
    expect(structuredContent).to.deep.include({ balance, available });
    expect((await as('employee', '/customer/credits')).status).to.equal(403);
    const other = await as('client_admin', '/users', {
      email: 'second@example.com',
      password: 'long enough password',
      name: 'Second',
      role: 'customer',
    });
    for (const rest of ['wallets', 'wallet/entries'])
      expect((await as('customer', `/customers/${other.json.user.id}/${rest}`)).status, rest).to.equal(404);
    const employee = test.demo.users.employee.id;
    expect((await as('client_admin', `/customers/${employee}/wallets`)).status, 'not a customer').to.equal(404);
  });

  it('balance in the ledger', async () => {
    const { json } = await as('auditor', '/ledger/balances?currency=EUR');
    expect(json.balances).to.deep.equal([
      { currency: 'EUR', ledger_account: 'adjustment', side: 'credit', amount: '0.50' },
      { currency: 'EUR', ledger_account: 'bank', side: 'debit', amount: '100.00' },
      { currency: 'EUR', ledger_account: 'cash', side: 'debit', amount: '1.50' },
      { currency: 'EUR', ledger_account: 'customer', side: 'credit', amount: '82.63' },
      { currency: 'EUR', ledger_account: 'held', side: 'credit', amount: '0.00' },
      { currency: 'EUR', ledger_account: 'settled:local_delivery', side: 'credit', amount: '18.37' },
    ]);
    await expectSameReplay(test, ['wallets', 'wallet_entries', 'ledger', 'businesses']);
  });

  it('keep amounts when the account is erased, and lose references and reasons', async () => {
    const erased = await as('client_admin', `/privacy/subjects/account-${customer}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    expect(erased.json.kept.map(({ what }: { what: string }) => what)).to.include('amounts');
    const { entries: left } = await entries();
    expect(left.map(({ note }: { note: string | null }) => note)).to.deep.equal([null, null, null, null, null]);
    expect(left.at(-1)).to.deep.include({ amount: '100.00', kind: 'credit' });
    await credit({ amount: '2.00', reference: 'later' });
    expect((await entries()).entries[0], 'later texts are not stored').to.deep.include({ amount: '2.00', note: null });
    await expectSameReplay(test, ['wallets', 'wallet_entries', 'ledger']);
  });
});
