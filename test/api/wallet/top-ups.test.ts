/** Top-ups by bank transfer over real HTTP: begin, confirm, credit, and what each caller sees. */
import { expect } from 'chai';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import { topUps } from '../../../src/commands/wallet/top-ups.js';
import { topUpStream } from '../../../src/events/wallet/top-ups.js';
import { topUpOf } from '../../../src/events/wallet/transfer-reference.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { storedEvents } from '../../support/checks/stored-events.js';
import { callTool } from '../../support/clients/mcp.js';
import { eventually } from '../../support/eventually.js';
import { PROFILE, TOP_UP } from '../../support/inputs/top-ups.js';
import { CAUSE } from '../../support/worlds/test-core.js';
import { ORDER } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, signIns, type AsUsers } from '../../support/worlds/users.js';

const TOP_UPS = '/customer/wallet/top-ups';
const READ_MODELS = ['topups', 'wallets', 'wallet_entries', 'ledger'];

describe('top-ups', () => {
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

  const begin = (body: object = {}) => as('customer', TOP_UPS, { ...TOP_UP, ...body });
  const begun = async (body: object = {}) => {
    const { status, json, text } = await begin(body);
    expect(status, text).to.equal(201);
    // Another second for the order of times, and room below the limit of a day.
    clock += 1_000;
    return json.top_up as { readonly id: number; readonly reference: string; readonly version: number };
  };
  const confirm = (id: number, body: object, user: 'employee' | 'client_admin' = 'employee') =>
    as(user, `/top-ups/${id}/confirm`, body);
  const credits = async () => (await as('customer', '/customer/credits')).json;
  const eventsOf = async (stream: string): Promise<string[]> => {
    const types: string[] = [];
    for await (const { type } of test.service.engines.log.read(stream)) types.push(type);
    return types;
  };
  const failure = async (body: object) => {
    const { status, json } = await begin(body);
    return [status, json.code, json.errors?.[0]?.path, json.errors?.[0]?.code];
  };

  it('need bank details in the billing profile', async () => {
    expect(await failure({})).to.deep.equal([409, 'NO_BANK_DETAILS', undefined, undefined]);
    await as('client_admin', '/billing-profile', { ...PROFILE, bank_details: null }, 'PUT');
    expect((await begin()).json.message).to.equal(
      'The business accepts no bank transfers: its billing profile has no bank details.',
    );
    expect((await as('client_admin', '/billing-profile', PROFILE, 'PUT')).status).to.equal(200);
  });

  it('begin with a payment reference and the account of the business, and are listed', async () => {
    const { status, json, headers } = await begin({ amount: '100' });
    expect(status).to.equal(201);
    const { id, reference } = json.top_up;
    expect(json).to.deep.equal({
      result: true,
      top_up: {
        id,
        customer_id: customer,
        status: 'pending',
        method: 'bank_transfer',
        amount: '100.00',
        received_amount: null,
        currency: 'EUR',
        reference,
        order_id: null,
        bank_reference: null,
        bank_details: PROFILE.bank_details,
        created_at: '2026-03-01T10:00:00.000Z',
        expires_at: '2026-03-15T10:00:00.000Z',
        confirmed_at: null,
        provider: null,
        checkout: null,
        provider_payment_id: null,
        failure_code: null,
        refunds: [],
        disputed_amount: null,
        client_secret: null,
        checkout_url: null,
        publishable_key: null,
        version: 0,
      },
    });
    expect(topUpOf(reference)).to.equal(id);
    expect(headers.get('location')).to.equal(`/api/v1${TOP_UPS}/${id}`);
    const {
      bank_details: _details,
      client_secret: _secret,
      checkout_url: _url,
      publishable_key: _key,
      ...listed
    } = json.top_up;
    for (const user of ['customer', 'employee', 'client_admin'] as const)
      expect((await as(user, TOP_UPS)).json.top_ups, user).to.deep.equal([listed]);
    expect(await credits()).to.deep.include({
      balance: '0.00',
      recent_top_ups: [
        {
          id,
          amount: '100.00',
          currency: 'EUR',
          method: 'bank_transfer',
          status: 'pending',
          created_at: '2026-03-01T10:00:00.000Z',
        },
      ],
    });
  });

  it('credit the amount that arrived when staff confirm them, once', async () => {
    const [{ id, reference }] = (await as('employee', TOP_UPS)).json.top_ups;
    const done = await confirm(id, { amount: '99.5', bank_reference: 'Statement 8' });
    expect(done.status, done.text).to.equal(200);
    expect(done.json.top_up).to.deep.include({
      status: 'succeeded',
      amount: '100.00',
      received_amount: '99.50',
      bank_reference: 'Statement 8',
      confirmed_at: '2026-03-01T10:00:00.000Z',
      version: 1,
    });
    expect(await credits(), 'at once').to.deep.include({ balance: '99.50', available: '99.50' });
    expect((await credits()).recent_top_ups[0]).to.include({ status: 'succeeded' });
    const { entries } = (await as('customer', `/customers/${customer}/wallet/entries`)).json;
    expect(entries).to.have.length(1);
    expect(entries[0]).to.include({ kind: 'credit', amount: '99.50', top_up_id: id, note: reference });
    const again = await confirm(id, { amount: '99.50' }, 'client_admin');
    expect([again.status, again.json.top_up.bank_reference]).to.deep.equal([200, 'Statement 8']);
    const other = await confirm(id, { amount: '99.51' });
    expect([other.status, other.json.code]).to.deep.equal([409, 'CONFLICT']);
    expect((await credits()).balance).to.equal('99.50');
    expect(await eventsOf(topUpStream(id))).to.deep.equal(['TopUpBegun', 'BankTransferConfirmed']);
    expect(await eventsOf(`wallet-${customer}-EUR`)).to.deep.equal(['WalletOpened', 'FundsAdded']);
    const { balances } = (await as('client_admin', '/ledger/balances')).json;
    expect(
      balances.map((one: Record<string, string>) => [one['ledger_account'], one['side'], one['amount']]),
    ).to.deep.equal([
      ['bank', 'debit', '99.50'],
      ['customer', 'credit', '99.50'],
    ]);
  });

  it('reject amounts out of range, with too many digits, and other methods', async () => {
    expect(await failure({ amount: '0.99' })).to.deep.equal([400, 'INVALID_INPUT', '/amount', 'TOO_SMALL']);
    expect(await failure({ amount: '50000.01' })).to.deep.equal([400, 'INVALID_INPUT', '/amount', 'TOO_BIG']);
    expect(await failure({ amount: '1.005' })).to.deep.equal([400, 'TOO_PRECISE', '/amount', 'TOO_PRECISE']);
    expect(await failure({ amount: '100.5', currency: 'JPY' })).to.deep.equal([
      400,
      'TOO_PRECISE',
      '/amount',
      'TOO_PRECISE',
    ]);
    expect((await failure({ method: 'cash' })).slice(0, 3)).to.deep.equal([400, 'INVALID_INPUT', '/method']);
    expect((await failure({ currency: 'XXX' })).slice(0, 3)).to.deep.equal([400, 'INVALID_INPUT', '/currency']);
    const { id } = await begun({ amount: '1' });
    await begun({ amount: '50000', currency: 'JPY' });
    for (const [amount, code] of [
      ['0', 'TOO_SMALL'],
      ['-1', 'TOO_SMALL'],
      ['1.001', 'TOO_PRECISE'],
    ] as const)
      expect((await confirm(id, { amount })).json.errors[0].code, amount).to.equal(code);
    expect((await confirm(id, { amount: '60000.00' })).status, 'more than can be announced').to.equal(200);
  });

  it('are found by status, customer and payment reference', async () => {
    const found = async (search: string, user: 'employee' | 'customer' = 'employee') => {
      const { status, json } = await as(user, `${TOP_UPS}?${search}`);
      return status === 200 ? json.top_ups.map(({ amount }: { amount: string }) => amount) : [status, json.code];
    };
    expect(await found('status=pending')).to.deep.equal(['50000']);
    expect(await found('status=succeeded')).to.deep.equal(['1.00', '100.00']);
    expect(await found('status=expired')).to.deep.equal([]);
    expect(await found(`customer_id=${customer}`)).to.deep.equal(['50000', '1.00', '100.00']);
    expect(await found(`customer_id=${customer}`, 'customer')).to.have.length(3);
    expect(await found(`customer_id=${test.demo.users.employee.id}`)).to.deep.equal([404, 'NOT_FOUND']);
    expect(await found(`customer_id=${test.demo.users.employee.id}`, 'customer')).to.deep.equal([404, 'NOT_FOUND']);
    const { reference } = (await as('employee', `${TOP_UPS}?status=pending`)).json.top_ups[0] as { reference: string };
    const spaced = encodeURIComponent(reference.toLowerCase().replace(/(.{4})/g, '$1 '));
    expect(await found(`reference=${spaced}`)).to.deep.equal(['50000']);
    const wrong = reference.slice(0, -1) + (reference.endsWith('A') ? 'B' : 'A');
    expect(await found(`reference=${wrong}`)).to.deep.equal([400, 'INVALID_INPUT']);
  });

  it('of others do not exist, for customers and for other businesses', async () => {
    const { id, reference } = await begun();
    const person = { email: 'second@example.com', password: 'long enough password' };
    await as('client_admin', '/users', { ...person, name: 'Second', role: 'customer' });
    const { json } = await test.api('/user/login', { body: person });
    const key = json.access_token as string;
    const other = await test.api(`${TOP_UPS}/${id}`, { key });
    expect([other.status, other.json.code]).to.deep.equal([404, 'NOT_FOUND']);
    expect((await test.api(`${TOP_UPS}?reference=${reference}`, { key })).json.top_ups).to.deep.equal([]);
    expect((await test.api('/customer/credits', { key })).json.recent_top_ups).to.deep.equal([]);
    expect((await as('other_client_admin', `${TOP_UPS}/${id}`)).status).to.equal(404);
    expect((await as('other_client_admin', TOP_UPS)).json.total).to.equal(0);
    const confirmed = await as('other_client_admin', `/top-ups/${id}/confirm`, { amount: '50.00' });
    expect([confirmed.status, confirmed.json.code]).to.deep.equal([404, 'NOT_FOUND']);
    expect((await confirm(2_000_000_000, { amount: '50.00' })).status).to.equal(404);
    for (const user of ['customer', 'auditor'] as const)
      expect((await as(user, `/top-ups/${id}/confirm`, { amount: '50.00' })).status, user).to.equal(403);
    expect((await as('employee', TOP_UPS, TOP_UP)).status).to.equal(403);
  });

  it('are for an order of the customer whose prices the customer sees, which is checked first', async () => {
    const { json } = await as('employee', '/orders', { ...ORDER, customer_id: customer });
    const order_id = json.order.id as number;
    const foreign = (await as('employee', '/orders', ORDER)).json.order.id as number;
    const { id } = await begun({ order_id });
    expect((await as('customer', `${TOP_UPS}/${id}`)).json.top_up).to.include({ order_id });
    expect((await failure({ order_id: foreign })).slice(0, 2)).to.deep.equal([404, 'ORDER_NOT_FOUND']);
    const hide = (prices_hidden: boolean) => {
      const families = [{ family: 'local_delivery', prices_hidden }];
      return as('client_admin', `/customers/${customer}/terms`, { families }, 'PUT');
    };
    await hide(true);
    for (const body of [{ order_id }, { order_id: foreign }, { order_id, amount: '0.01' }, { order_id: 2_000_000_000 }])
      expect((await failure(body)).slice(0, 3)).to.deep.equal([403, 'PRICE_HIDDEN_SETTLE_OFFLINE', '/order_id']);
    expect((await begin()).status, 'without an order').to.equal(201);
    await hide(false);
    expect((await begin({ order_id })).status).to.equal(201);
  });

  it('with the same idempotency key begin once', async () => {
    const key = await signIns(test)('customer');
    const once = () => test.api(TOP_UPS, { key, body: TOP_UP, headers: { 'idempotency-key': 'begin-once' } });
    const [first, second] = [await once(), await once()];
    expect([first.status, second.status]).to.deep.equal([201, 201]);
    expect(second.json).to.deep.equal(first.json);
  });

  it('are credited by the follower of the log if the process died between confirmation and credit', async () => {
    const { id } = await begun({ amount: '12.34', currency: 'USD' });
    const { log, keyRing } = test.service.engines;
    const handle = createHandler({ decider: topUps, log, types: EVENT_TYPES, keyRing, now: () => clock });
    const business = (await as('client_admin', '/me')).json.user.business_id as number;
    await handle(topUpStream(id), { do: 'confirm', id, business, amount: '12.34', by: 3, at: clock }, CAUSE);
    const usd = async () => (await credits()).wallets.find((one: { currency: string }) => one.currency === 'USD');
    await eventually(async () => (await usd()) !== undefined, 'the credit');
    expect(await usd()).to.include({ balance: '12.34' });
    expect((await confirm(id, { amount: '12.34' })).status, 'repeated').to.equal(200);
    expect(await usd()).to.include({ balance: '12.34' });
    expect(await eventsOf(`wallet-${customer}-USD`)).to.deep.equal(['WalletOpened', 'FundsAdded']);
  });

  it('are not confirmed if the wallet cannot accept the amount', async () => {
    const { id } = await begun();
    const { status, json } = await confirm(id, { amount: '999999999999.99' });
    expect([status, json.code]).to.deep.equal([422, 'AMOUNT_TOO_HIGH']);
    expect(await eventsOf(topUpStream(id))).to.deep.equal(['TopUpBegun']);
    expect((await as('employee', `${TOP_UPS}/${id}`)).json.top_up).to.include({ status: 'pending', version: 0 });
  });

  it('are at most ten in the response about the balance, newest first, also for agents', async () => {
    for (let count = 0; count < 8; count += 1) await begun({ amount: `${count + 1}.00` });
    const { recent_top_ups } = await credits();
    expect(recent_top_ups).to.have.length(10);
    const listed = (await as('customer', `${TOP_UPS}?per_page=10`)).json.top_ups;
    expect(recent_top_ups.map(({ id }: { id: number }) => id)).to.deep.equal(
      listed.map(({ id }: { id: number }) => id),
    );
    const { structuredContent } = await callTool(
      test,
      'get_account_credits',
      {},
      { token: await signIns(test)('customer') },
    );
    expect(structuredContent!['recent_top_ups']).to.have.length(10);
    expect(Buffer.byteLength(JSON.stringify(structuredContent)), 'a default page').to.be.below(6_000);
  });

  it('are the same after a replay, before and after the erasure of the customer', async () => {
    await expectSameReplay(test, READ_MODELS);
    const [{ id }] = (await as('employee', `${TOP_UPS}?status=succeeded`)).json.top_ups.slice(-1);
    const erased = await as('client_admin', `/privacy/subjects/account-${customer}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    expect((await as('employee', `${TOP_UPS}/${id}`)).json.top_up).to.include({
      status: 'succeeded',
      received_amount: '99.50',
      bank_reference: null,
    });
    const pending = (await as('employee', `${TOP_UPS}?status=pending`)).json.top_ups[0].id as number;
    const later = await confirm(pending, { amount: '50.00', bank_reference: 'later text' });
    expect([later.status, later.json.top_up.bank_reference], 'later texts are not stored').to.deep.equal([200, null]);
    expect(JSON.stringify(await storedEvents(test.service.engines.log)), 'plaintext').not.to.include('Statement 8');
    await expectSameReplay(test, READ_MODELS);
  });
});
