/** A customer's way from the price to the refund, over HTTP, and what the wallet, the ledger and the webhooks show. */
import { expect } from 'chai';
import { shipment, simpleCard, stopIn } from '../../support/inputs/shipments.js';
import { query } from '../../support/worlds/database.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';
const ORDER = {
  type: 'P2P',
  pickup: stopIn('10115'),
  delivery: stopIn('80331'),
  packages: [{ weight_kg: 2, description: 'Books' }],
};
const MINUTE_MS = 60_000;

describe('a bill', () => {
  let t: TestService;
  let as: AsUsers;
  let now = Date.parse('2027-03-01T09:00:00Z');
  let customer: number;
  before(async () => {
    t = await startTestService({ now: () => now, env: { RATE_LIMIT_WRITE: '100000' } });
    as = asUsers(t);
    customer = t.demo.users.customer.id;
    const made = { family: 'local_delivery', name: 'City', currency: 'EUR' };
    const { id } = (await as('client_admin', '/rate-cards', made)).json.rate_card;
    const card = simpleCard({ cancellation_fee: { flat: '2.00' } });
    await as('client_admin', `/rate-cards/${id}/versions`, { card });
    await as('client_admin', '/pricing/defaults/local_delivery', { rate_card_id: id }, 'PUT');
    await credit('50.00');
  });
  after(() => t.stop());

  const credit = (amount: string) =>
    as('employee', `/customers/${customer}/wallet/credits`, { amount, currency: 'EUR', source: 'cash' });
  const rate = async (more: object = {}, user: 'customer' | 'employee' = 'customer') =>
    (await as(user, '/orders/rate', shipment(more as never))).json.rates[0] as {
      rate_id: string;
      shipping_price: string;
    };
  const place = (more: object = {}, user: 'customer' | 'employee' = 'customer') =>
    as(user, '/orders', { ...ORDER, ...more });
  const ordered = async (more: object = {}) => {
    const { rate_id } = await rate();
    const { status, json, text } = await place({ rate_id, ...more });
    expect(status, text).to.equal(201);
    return json.order_id as number;
  };
  const billOf = async (id: number, user: 'customer' | 'employee' = 'customer') => {
    const { status, json, text } = await as(user, `/orders/${id}/bill`);
    expect(status, text).to.equal(200);
    return json.bill;
  };
  const balance = async () => (await as('customer', '/customer/credits')).json.balance as string;

  it('leads from a quote to an order, a payment and a refund', async () => {
    const { rate_id, shipping_price } = await rate();
    expect(shipping_price).to.equal('5.83');
    const placed = await place({ rate_id });
    expect(placed.status, placed.text).to.equal(201);
    const id = placed.json.order_id as number;
    expect((await as('customer', `/quotes/${rate_id}`)).json).to.include({ status: 'used', order_id: id });
    const bill = await billOf(id);
    expect(bill).to.deep.include({
      order_id: id,
      family: 'local_delivery',
      customer_id: customer,
      payment_status: 'unpaid',
      settlement: 'online',
      rate_id,
      currency: 'EUR',
      total_price: '5.83',
      paid_amount: '0.00',
      remaining_amount: '5.83',
      tax_amount: '0.93',
    });
    expect(
      bill.price_details.map(({ kind, name, amount }: Record<string, string>) => [kind, name, amount]),
    ).to.deep.equal([
      ['base', 'Base price', '4.90'],
      ['tax', 'VAT', '0.93'],
    ]);

    const paid = await as('customer', `/orders/${id}/pay`, { expected_amount: '5.83' });
    expect(paid.status, paid.text).to.equal(200);
    expect(paid.json.bill).to.include({ payment_status: 'paid', paid_amount: '5.83', remaining_amount: '0.00' });
    expect(paid.json.bill.payments[0]).to.include({ id: paid.json.payment_id, method: 'wallet', status: 'received' });
    expect(await balance()).to.equal('44.17');
    const [entry] = (await as('customer', `/customers/${customer}/wallet/entries`)).json.entries;
    expect(entry).to.include({ kind: 'payment', amount: '-5.83', order_id: id, family: 'local_delivery' });
    expect((await as('customer', `/orders/${id}/pay`, {})).json.code).to.equal('NOTHING_DUE');

    const refund = { payment_id: paid.json.payment_id, amount: '1.5', reason: 'The driver was late' };
    const refunded = await as('client_admin', `/orders/${id}/refunds`, refund);
    expect(refunded.status, refunded.text).to.equal(201);
    expect(refunded.json.bill).to.include({ payment_status: 'partly_refunded', paid_amount: '4.33' });
    expect(refunded.json.bill.refunds[0]).to.include({
      amount: '1.50',
      to: 'wallet',
      status: 'made',
      why: 'requested',
      reason: 'The driver was late',
    });
    expect(await balance()).to.equal('45.67');

    const cancelled = await as('customer', `/orders/${id}/cancel`, {});
    expect(cancelled.status, cancelled.text).to.equal(200);
    expect(await billOf(id)).to.include({ payment_status: 'refunded', total_price: '0.00', paid_amount: '0.00' });
    expect(await balance()).to.equal('50.00');
    const { balances } = (await as('auditor', '/ledger/balances?currency=EUR')).json;
    expect(balances).to.deep.include({
      currency: 'EUR',
      ledger_account: 'settled:local_delivery',
      side: 'credit',
      amount: '0.00',
    });
  });

  it('of a late cancellation by the customer contains the fee', async () => {
    const id = await ordered();
    await as('customer', `/orders/${id}/pay`, {});
    const { packages } = (await as('employee', `/orders/${id}`)).json.order;
    const { tracking_number } = packages[0];
    const scanned = await as('employee', '/scans', {
      tracking_number,
      status_code: 'out_for_pickup',
      occurred_at: new Date(now).toISOString(),
    });
    expect(scanned.status, scanned.text).to.equal(200);
    await as('customer', `/orders/${id}/cancel`, {});
    const bill = await billOf(id);
    expect(bill).to.include({ total_price: '2.00', paid_amount: '2.00', payment_status: 'partly_refunded' });
    expect(bill.price_details[0]).to.include({ kind: 'cancellation_fee', name: 'Cancellation fee', amount: '2.00' });
  });

  it('needs enough money, and leaves no trace of a payment that the wallet refuses', async () => {
    const id = await ordered();
    await as('employee', `/orders/${id}/charges`, { lines: [{ code: 'heavy', amount: '9000' }] }, 'PUT');
    const { status, json } = await as('customer', `/orders/${id}/pay`, {});
    expect(status).to.equal(402);
    expect(json).to.include({ code: 'INSUFFICIENT_FUNDS', required: '9000.00', currency: 'EUR' });
    expect(json.available).to.equal(await balance());
    expect((await billOf(id)).payments).to.deep.equal([]);
    const changed = await as('customer', `/orders/${id}/pay`, { expected_amount: '5.83' });
    expect(changed.json).to.include({ code: 'PRICE_CHANGED', remaining_amount: '9000.00', currency: 'EUR' });
  });

  it('exists only for orders with a price', async () => {
    // Its weight is unknown, so the card has no price for it.
    const { json } = await place({ packages: [{}] });
    expect(await billOf(json.order_id)).to.include({ payment_status: 'unpriced', total_price: null, version: -1 });
    expect((await as('customer', `/orders/${json.order_id}/pay`, {})).json.code).to.equal('NOT_PRICED');
    const { bills } = (await as('customer', '/bills?per_page=200')).json;
    expect(bills.map(({ order_id }: { order_id: number }) => order_id)).not.to.include(json.order_id);
  });

  it('has the charges that the office sets, once for each version', async () => {
    const id = await ordered();
    const { version } = await billOf(id);
    const lines = [
      { code: 'delivery', name: 'Delivery by bike', amount: '8' },
      { code: 'vat', name: 'VAT', amount: '1.52', is_tax: true },
    ];
    const set = await as('employee', `/orders/${id}/charges`, { lines, if_version: version }, 'PUT');
    expect(set.status, set.text).to.equal(200);
    expect(set.json.bill).to.include({ total_price: '9.52', tax_amount: '1.52' });
    expect(set.json.bill.price_details.map(({ name }: { name: string }) => name)).to.deep.equal([
      'Delivery by bike',
      'VAT',
    ]);
    const stale = await as('employee', `/orders/${id}/charges`, { lines, if_version: version }, 'PUT');
    expect(stale.json.code).to.equal('VERSION_CHANGED');
    const again = await as('employee', `/orders/${id}/charges`, { reprice: true }, 'PUT');
    expect(again.status, again.text).to.equal(200);
    expect(again.json.bill).to.include({ total_price: '5.83' });
    const wrong = async (body: object) => (await as('employee', `/orders/${id}/charges`, body, 'PUT')).json;
    expect((await wrong({})).errors[0].path).to.equal('/lines');
    expect((await wrong({ lines, reprice: true })).errors[0].path).to.equal('/lines');
    expect((await wrong({ lines: [{ code: 'a', amount: '1.005' }] })).code).to.equal('TOO_PRECISE');
    expect((await wrong({ lines: [{ code: 'a', amount: '-1' }] })).errors[0].path).to.equal('/lines');
    const twice = [lines[0], lines[0]];
    expect((await wrong({ lines: twice })).errors[0]).to.include({ path: '/lines/1/code', code: 'NOT_UNIQUE' });
  });

  it('records payments outside of the service', async () => {
    const id = await ordered();
    const record = (body: object) => as('employee', `/orders/${id}/payments`, { method: 'cash', ...body });
    expect((await record({ amount: '5.84' })).json.code).to.equal('AMOUNT_TOO_HIGH');
    expect((await record({ amount: '0' })).json.errors[0]).to.include({ path: '/amount', code: 'TOO_SMALL' });
    expect((await record({ amount: '1.005' })).json).to.include({ code: 'TOO_PRECISE' });
    const done = await record({ amount: '2', reference: 'Receipt 17' });
    expect(done.status, done.text).to.equal(201);
    expect(done.json.bill).to.include({ payment_status: 'partly_paid', remaining_amount: '3.83' });
    expect(done.json.bill.payments[0]).to.include({ method: 'cash', reference: 'Receipt 17', amount: '2.00' });
    const before = await balance();
    await as('employee', `/orders/${id}/cancel`, {});
    expect(Number(await balance()) - Number(before), 'cash becomes a balance').to.be.closeTo(2, 0.001);
    const [entry] = (await as('customer', `/customers/${customer}/wallet/entries`)).json.entries;
    expect(entry).to.include({ kind: 'credit', amount: '2.00', order_id: id });
  });

  it('keeps amounts, and loses its texts, when the order is erased', async () => {
    const id = await ordered();
    const lines = [{ code: 'extra', name: 'Carry to Ada on the fourth floor', amount: '9' }];
    await as('employee', `/orders/${id}/charges`, { lines }, 'PUT');
    const payment = { amount: '9', method: 'cash', reference: 'Receipt of Ada' };
    const { payment_id } = (await as('employee', `/orders/${id}/payments`, payment)).json;
    const refund = { payment_id, amount: '4', to: 'outside', reason: 'Ada complained' };
    await as('client_admin', `/orders/${id}/refunds`, refund);
    const erased = await as('client_admin', `/privacy/subjects/order-${id}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    const { text, json } = await as('employee', `/orders/${id}/bill`);
    expect(text).not.to.match(/Ada|Receipt/);
    expect(json.bill).to.include({ total_price: '9.00', paid_amount: '5.00', payment_status: 'partly_refunded' });
    expect(json.bill.price_details).to.deep.equal([{ code: 'extra', kind: 'charge', name: 'extra', amount: '9.00' }]);
    expect(json.bill.payments[0]).to.include({ reference: null, method: 'cash', amount: '9.00' });
    expect(json.bill.refunds[0]).to.include({ reason: null, amount: '4.00' });
  });

  it('is of an order with the shipment, the customer and the time of its quote', async () => {
    const { rate_id } = await rate();
    const mismatch = async (more: object, user: 'customer' | 'employee' = 'customer') => {
      const { status, json } = await place({ rate_id, ...more }, user);
      expect(status).to.equal(409);
      expect(json.code).to.equal('QUOTE_MISMATCH');
      return json.errors.map(({ field }: { field: string }) => field) as string[];
    };
    expect(await mismatch({ delivery: stopIn('80333') })).to.deep.equal(['delivery']);
    expect(await mismatch({ pickup: { ...stopIn('10115'), region: 'Berlin' } })).to.deep.equal(['pickup']);
    expect(await mismatch({ packages: [{ weight_kg: 2.5 }] })).to.deep.equal(['packages']);
    expect(await mismatch({ packages: [{ weight_kg: 2 }, { weight_kg: 2 }] })).to.deep.equal(['packages']);
    expect(await mismatch({ schedule_date: '2027-03-02' })).to.deep.equal(['schedule_date']);
    expect(await mismatch({ time_windows: [{ from: '08:00', to: '10:00' }] })).to.deep.equal(['time_windows']);
    expect(await mismatch({}, 'employee'), 'another customer').to.deep.equal(['customer_id']);
    expect((await place({ rate_id: `rt_${'a'.repeat(26)}` })).json.code).to.equal('RATE_NOT_FOUND');
    expect((await place({ rate_id }, 'other_client_admin' as never)).json.code).to.equal('RATE_NOT_FOUND');
    expect((await place({ rate_id })).status, 'nothing reserved it').to.equal(201);
    const staff = await rate({}, 'employee');
    expect((await place({ rate_id: staff.rate_id })).json.code).to.equal('RATE_NOT_FOUND');
    const late = await rate({ packages: [{ weight_kg: 3 }] });
    now += 61 * MINUTE_MS;
    const packages = [{ weight_kg: 3 }];
    expect((await place({ rate_id: late.rate_id, packages })).json.code).to.equal('QUOTE_EXPIRED');
  });

  it('keeps the quoted price when the card changes, and shows it later', async () => {
    const { rate_id } = await rate();
    const { rate_cards } = (await as('client_admin', '/rate-cards')).json;
    const [{ id }] = rate_cards.filter(({ name }: { name: string }) => name === 'City');
    const { json: before } = await as('client_admin', `/rate-cards/${id}`);
    const card = { ...before.rate_card.card, taxes: [] };
    expect((await as('client_admin', `/rate-cards/${id}/versions`, { card })).status).to.equal(200);
    expect((await rate()).shipping_price).to.equal('4.90');
    const order = (await place({ rate_id })).json.order_id as number;
    expect((await billOf(order)).total_price).to.equal('5.83');
    await as('client_admin', `/rate-cards/${id}/versions`, { card: before.rate_card.card });
    const [{ data }] = (await query<{ data: { source: object; total: string } }>(
      t.databaseUrl,
      `select data from log.events where stream = 'order-${order}' and type = 'ChargesSet'`,
    )) as [{ data: { source: object; total: string } }];
    expect(data.source).to.deep.include({ rate_id, rate_card_id: id, service_code: 'standard' });
    expect(data.total).to.equal('5.83');
  });
});
