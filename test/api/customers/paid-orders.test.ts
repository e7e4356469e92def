/** Orders of customers with price and payment, over HTTP (customers: acceptance 1, rules 1 to 3 and 5). */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { shipment, simpleCard, stopIn, tableOf } from '../../support/inputs/shipments.js';
import { callTool } from '../../support/clients/mcp.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, signIns, type AsUsers, type UserName } from '../../support/worlds/users.js';

const ORDER = { type: 'P2P', pickup: stopIn('10115'), delivery: stopIn('80331'), packages: [{ weight_kg: 2 }] };
const PRICE = '5.83';

describe('orders of customers', () => {
  let t: TestService;
  let as: AsUsers;
  let customer: number;
  let card: number;
  before(async () => {
    t = await startTestService({ env: { RATE_LIMIT_WRITE: '100000' } });
    as = asUsers(t);
    customer = t.demo.users.customer.id;
    const made = { family: 'local_delivery', name: 'City', currency: 'EUR' };
    card = (await as('client_admin', '/rate-cards', made)).json.rate_card.id;
    await as('client_admin', `/rate-cards/${card}/versions`, { card: simpleCard() });
  });
  after(() => t.stop());

  const offer = (id: number | null) =>
    as('client_admin', '/pricing/defaults/local_delivery', { rate_card_id: id }, 'PUT');
  const terms = async (more: object = {}) => {
    const families = [{ family: 'local_delivery', ...more }];
    const { status, text } = await as('client_admin', `/customers/${customer}/terms`, { families }, 'PUT');
    expect(status, text).to.equal(200);
  };
  const balance = async () =>
    (await as('auditor', `/customers/${customer}/wallets`)).json.wallets[0]?.balance as string;
  /** Brings the balance to the amount. */
  const fill = async (amount: number) => {
    const now = Number((await balance()) ?? 0);
    const [path, body] =
      amount >= now
        ? ['credits', { amount: (amount - now).toFixed(2), currency: 'EUR', source: 'cash' }]
        : ['withdrawals', { amount: (now - amount).toFixed(2), currency: 'EUR', to: 'bank' }];
    if (amount !== now) await as('client_admin', `/customers/${customer}/wallet/${path}`, body);
    expect(Number(await balance())).to.equal(amount);
  };
  const place = (more: object = {}, user: UserName = 'customer') => as(user, '/orders', { ...ORDER, ...more });
  const placed = async (more: object = {}, user: UserName = 'customer') => {
    const { status, json, text } = await place(more, user);
    expect(status, text).to.equal(201);
    return json.order;
  };
  const refused = async (more: object = {}, user: UserName = 'customer') => {
    const { status, json } = await place(more, user);
    return [status, json.code as string];
  };
  const order = async (id: number, user: UserName = 'customer') => (await as(user, `/orders/${id}`)).json.order;
  const count = async () => (await as('employee', '/orders?per_page=1')).json.total as number;

  it('have no price without a card, and the office prices them', async () => {
    const made = await placed();
    expect(made).to.include({ payment_status: 'unpriced', shipping_price: null, can_be_paid: false });
    expect(await refused({ pay: 'now' })).to.deep.equal([409, 'NOT_PRICED']);
    expect(await refused({ expected_price: PRICE })).to.deep.equal([409, 'NOT_PRICED']);
    const lines = [{ code: 'delivery', amount: '7.00' }];
    await as('employee', `/orders/${made.id}/charges`, { lines, currency: 'EUR' }, 'PUT');
    expect(await order(made.id)).to.include({ payment_status: 'unpaid', shipping_price: '7.00', can_be_paid: true });
  });

  it('have the price of the card in force without a quote', async () => {
    await offer(card);
    const made = await placed({ expected_price: '5.83' });
    expect(made).to.include({
      payment_status: 'unpaid',
      shipping_price: PRICE,
      tax_amount: '0.93',
      currency: 'EUR',
      paid_amount: '0.00',
      remaining_amount: PRICE,
      can_be_paid: true,
      can_be_cancelled: true,
      can_be_changed: true,
    });
    expect(made.price_details.map(({ code }: { code: string }) => code)).to.deep.equal(['base', 'vat']);
    const before = await count();
    expect(await refused({ expected_price: '5.82' })).to.deep.equal([409, 'PRICE_CHANGED']);
    expect(await count()).to.equal(before);
    const list = (await as('customer', '/orders')).json.orders;
    expect(list.find(({ id }: { id: number }) => id === made.id)).to.include({ remaining_amount: PRICE });
  });

  it('without a measure that the price needs are accepted without a price', async () => {
    expect(await placed({ packages: [{}] })).to.include({ payment_status: 'unpriced' });
    expect(await refused({ packages: [{}], pay: 'now' })).to.deep.equal([422, 'DIMENSIONS_NEEDED']);
  });

  it('show no price to drivers, contractors, and staff without the scope for bills', async () => {
    const { id } = await placed();
    for (const user of ['employee', 'auditor'] as const)
      expect(await order(id, user)).to.include({ shipping_price: PRICE });
    await as('client_admin', `/orders/${id}/assign`, { broker_id: t.demo.users.broker.id });
    const assigned = (await as('broker', '/orders?per_page=200')).json.orders as object[];
    for (const one of assigned) expect(one).to.not.have.any.keys('shipping_price', 'payment_status', 'currency');
    const made = await as('client_admin', '/api-keys', { name: 'No bills', scopes: ['orders:read'] });
    const { json } = await t.api(`/orders/${id}`, { key: made.json.secret });
    expect(json.order).to.include({ id }).and.not.have.any.keys('shipping_price', 'payment_status', 'currency');
  });

  it('acceptance 1: a rate, an order that is paid now, and its cancellation', async () => {
    await fill(50);
    const { rate_id } = (await as('customer', '/orders/rate', shipment())).json.rates[0];
    const made = await placed({ rate_id, pay: 'now', expected_price: PRICE });
    expect(made).to.include({
      status: 'NEW_ORDER',
      payment_status: 'paid',
      remaining_amount: '0.00',
      can_be_paid: false,
    });
    expect(await balance()).to.equal('44.17');
    const cancelled = await as('customer', `/orders/${made.id}/cancel`, {});
    expect(cancelled.status, cancelled.text).to.equal(200);
    expect(await balance()).to.equal('50.00');
    expect(await order(made.id)).to.include({ payment_status: 'refunded', can_be_cancelled: false });
    // Another customer of the business gets the response for a missing order.
    const email = 'second.customer@example.com';
    const account = { email, password: 'a long password', name: 'Second', role: 'customer' };
    await as('client_admin', '/users', account);
    const login = await t.api('/user/login', { body: { email, password: account.password } });
    for (const [path, body] of [
      ['', undefined],
      ['/bill', undefined],
      ['/pay', {}],
      ['/cancel', {}],
    ] as const) {
      const { status, json } = await t.api(`/orders/${made.id}${path}`, { key: login.json.access_token, body });
      expect([status, json.code], path).to.deep.equal([404, 'ORDER_NOT_FOUND']);
    }
  });

  it('cost nothing if the wallet cannot pay: nothing is created', async () => {
    await fill(5);
    const before = await count();
    const { rate_id } = (await as('customer', '/orders/rate', shipment())).json.rates[0];
    const { status, json } = await place({ rate_id, pay: 'now' });
    expect(status).to.equal(402);
    expect(json).to.include({ code: 'INSUFFICIENT_FUNDS', available: '5.00', required: PRICE, currency: 'EUR' });
    expect([await count(), await balance()]).to.deep.equal([before, '5.00']);
    await fill(6);
    // The quote was not used.
    expect(await placed({ rate_id, pay: 'now' })).to.include({ payment_status: 'paid' });
    expect(await balance()).to.equal('0.17');
  });

  it('are held if simultaneous orders spend the money, and released by a payment', async () => {
    await fill(6);
    const answers = await Promise.all(Array.from({ length: 8 }, () => place({ pay: 'now' })));
    const created = answers.filter(({ status }) => status === 201).map(({ json }) => json.order);
    for (const { status } of answers) expect(status).to.be.oneOf([201, 402]);
    expect(created.filter(({ payment_status }) => payment_status === 'paid')).to.have.length(1);
    expect(await balance()).to.equal('0.17');
    for (const one of created.filter(({ payment_status }) => payment_status !== 'paid')) {
      expect(one).to.include({ status: 'HOLD', hold_reason: 'payment', remaining_amount: PRICE });
      await fill(6);
      const paid = await as('customer', `/orders/${one.id}/pay`, {});
      expect(paid.status, paid.text).to.equal(200);
      expect(await order(one.id)).to.include({ status: 'NEW_ORDER', hold_reason: null, payment_status: 'paid' });
    }
  });

  it('are repeated with their key without a second payment', async () => {
    await fill(6);
    const key = await signIns(t)('customer');
    const headers = { 'idempotency-key': 'paid-once' };
    const send = () => t.api('/orders', { key, body: { ...ORDER, pay: 'now' }, headers });
    const [first, second] = [await send(), await send()];
    expect(first.status, first.text).to.equal(201);
    expect(second.json.order_id).to.equal(first.json.order_id);
    expect(await balance()).to.equal('0.17');
  });

  describe('whose terms are wallet_on_create', () => {
    before(() => terms({ payment_terms: 'wallet_on_create' }));
    after(() => terms());

    it('are paid at once, also those that staff place', async () => {
      await fill(12);
      expect(await placed()).to.include({ payment_status: 'paid' });
      expect(await placed({ customer_id: customer }, 'employee')).to.include({ payment_status: 'paid' });
      expect(await balance()).to.equal('0.34');
      expect(await refused({ customer_id: customer }, 'employee')).to.deep.equal([402, 'INSUFFICIENT_FUNDS']);
      const later = await placed({ customer_id: customer, pay: 'later' }, 'employee');
      expect(later).to.include({ status: 'NEW_ORDER', payment_status: 'unpaid' });
    });

    it('wait until they are paid, if the customer pays later', async () => {
      const made = await placed({ pay: 'later' });
      expect(made).to.include({ status: 'HOLD', hold_reason: 'payment', payment_status: 'unpaid' });
      await as('employee', `/orders/${made.id}/payments`, { amount: PRICE, method: 'cash' });
      expect(await order(made.id)).to.include({ status: 'NEW_ORDER', payment_status: 'paid' });
    });

    it('still wait for the payment after a reroute', async () => {
      const { id } = await placed({ pay: 'later' });
      const rerouted = await as('employee', `/orders/${id}/reroute`, { delivery: stopIn('20095') });
      expect(rerouted.status, rerouted.text).to.equal(201);
      const made = await order(rerouted.json.order_id);
      expect(made).to.include({ replaces_order_id: id, status: 'HOLD', hold_reason: 'payment' });
    });

    it('wait for their price and their payment, if a measure is missing that the price needs', async () => {
      for (const more of [{}, { pay: 'later' }]) {
        const made = await placed({ packages: [{}], ...more });
        expect(made).to.include({ status: 'HOLD', hold_reason: 'payment', payment_status: 'unpriced' });
        const lines = [{ code: 'delivery', amount: '7.00' }];
        await as('employee', `/orders/${made.id}/charges`, { lines, currency: 'EUR' }, 'PUT');
        expect(await order(made.id)).to.include({ status: 'HOLD', payment_status: 'unpaid', can_be_paid: true });
        await fill(7);
        const paid = await as('customer', `/orders/${made.id}/pay`, {});
        expect(paid.status, paid.text).to.equal(200);
        expect(await order(made.id)).to.include({ status: 'NEW_ORDER', hold_reason: null, payment_status: 'paid' });
      }
      const byStaff = await placed({ customer_id: customer, packages: [{}] }, 'employee');
      expect(byStaff).to.include({ status: 'NEW_ORDER', payment_status: 'unpriced' });
    });

    it('are paid one by one in a batch, as long as there is money', async () => {
      await fill(12);
      const orders = Array.from({ length: 3 }, () => ({ ...ORDER, customer_id: customer }));
      const { json, text } = await as('client_admin', '/orders/batch', { orders, stop_on_error: true });
      expect(json.results, text).to.be.an('array');
      expect(json.results.map(({ code = 'created' }) => code)).to.deep.equal([
        'created',
        'created',
        'INSUFFICIENT_FUNDS',
      ]);
      expect(await balance()).to.equal('0.34');
    });

    it('are not paid by a dry run', async () => {
      await fill(6);
      const before = await count();
      const token = await signIns(t)('customer');
      const planned = JSON.stringify(await callTool(t, 'create_order', { ...ORDER, dry_run: true }, { token }));
      expect(planned).to.include('PaymentBegun');
      expect([await count(), await balance()]).to.deep.equal([before, '6.00']);
    });
  });

  it('are paid from the wallet by staff only if the terms say so', async () => {
    expect(await refused({ customer_id: customer, pay: 'now' }, 'employee')).to.deep.equal([403, 'FORBIDDEN']);
    expect((await refused({ pay: 'now' }, 'employee'))[0]).to.equal(400);
    expect(await placed({}, 'employee'), 'without a customer').to.include({ payment_status: 'unpriced' });
  });

  it('show nothing of a hidden price', async () => {
    await terms({ prices_hidden: true, payment_terms: 'wallet_on_create' });
    await fill(6);
    expect(await refused({ pay: 'now' })).to.deep.equal([403, 'PRICE_HIDDEN_SETTLE_OFFLINE']);
    expect(await refused({ expected_price: '1.00' })).to.deep.equal([403, 'PRICE_HIDDEN']);
    const made = await placed();
    expect(made).to.include({ price_hidden: true, status: 'NEW_ORDER' });
    expect(made).to.not.have.any.keys('shipping_price', 'currency', 'remaining_amount', 'price_details', 'can_be_paid');
    expect(await order(made.id, 'employee')).to.include({ shipping_price: PRICE, payment_status: 'settle_offline' });
    expect(await balance()).to.equal('6.00');
    await terms();
  });

  it('can be ordered only with the services of the terms, at the prices of the tags', async () => {
    const both = [{ code: 'standard' }, { code: 'express' }];
    const breaks = (amount: string) => [{ up_to_kg: 50, amount }];
    const table = ['standard', 'express'].map((service, index) => ({
      ...(tableOf(breaks(index === 0 ? '4.90' : '9.90'))[0] as object),
      service,
    }));
    const when = [{ field: 'customer_tag', op: '=', value: 'rush' }];
    const rush = { code: 'rush', when, amount: { flat: '1.00' }, fuelable: false, taxable: false };
    const document = simpleCard({ services: both, table, surcharges: [rush] });
    const published = await as('client_admin', `/rate-cards/${card}/versions`, { card: document });
    expect(published.status, published.text).to.equal(200);
    await terms({ service_codes: ['express'] });
    const rates = async (more: object = {}) => (await as('customer', '/orders/rate', shipment(more as never))).json;
    expect((await rates()).rates).to.have.length(1);
    const wanted = await rates({ service_codes: ['standard'] });
    expect([wanted.result, wanted.refused[0].code]).to.deep.equal([false, 'SERVICE_RESTRICTED']);
    expect(await placed()).to.include({ shipping_price: '11.78' });
    await as('client_admin', `/customers/${customer}/terms`, { tags: ['rush'] }, 'PUT');
    expect(await placed()).to.include({ shipping_price: '12.78' });
    await as('client_admin', `/customers/${customer}/terms`, { tags: [] }, 'PUT');
    await terms();
  });

  it('have the same read models after a replay', () => expectSameReplay(t, ['orders', 'bills', 'customer_terms']));
});
