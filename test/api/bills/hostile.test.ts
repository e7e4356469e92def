/** Attempts to pay less than the price, to lose money, and to let a bill grow without end. */
import { expect } from 'chai';
import { createQuotes } from '../../../src/engines/postgres/quotes.js';
import { compareBooks } from '../../support/checks/bills-and-wallets.js';
import { eventually } from '../../support/eventually.js';
import { shipment, simpleCard, stopIn, tableOf } from '../../support/inputs/shipments.js';
import { query } from '../../support/worlds/database.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';
const ORDER = { type: 'P2P', pickup: stopIn('10115'), delivery: stopIn('80331'), packages: [{ weight_kg: 2 }] };
const MAX = '999999999999.99';

describe('a bill and a hostile or careless caller', () => {
  let t: TestService;
  let as: AsUsers;
  let customer: number;
  let card: number;
  before(async () => {
    t = await startTestService({ env: { RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' } });
    as = asUsers(t);
    customer = t.demo.users.customer.id;
    const made = { family: 'local_delivery', name: 'City', currency: 'EUR' };
    card = (await as('client_admin', '/rate-cards', made)).json.rate_card.id;
    await version(simpleCard());
    await as('client_admin', '/pricing/defaults/local_delivery', { rate_card_id: card }, 'PUT');
  });
  after(() => t.stop());

  const version = async (document: object) => {
    const { status, text } = await as('client_admin', `/rate-cards/${card}/versions`, { card: document });
    expect(status, text).to.equal(200);
  };
  const credit = async (amount: string) => {
    const body = { amount, currency: 'EUR', source: 'cash' };
    const { status, text } = await as('employee', `/customers/${customer}/wallet/credits`, body);
    expect(status, text).to.equal(200);
  };
  const charge = (id: number, body: object) => as('employee', `/orders/${id}/charges`, body, 'PUT');
  const priced = async (amount: string) => {
    const { order_id } = (await as('customer', '/orders', ORDER)).json;
    await charge(order_id, { lines: [{ code: 'delivery', amount }], currency: 'EUR' });
    return order_id as number;
  };
  const bill = async (id: number) => (await as('employee', `/orders/${id}/bill`)).json.bill;
  const rates = async (more: object = {}) => (await as('customer', '/orders/rate', shipment(more as never))).json.rates;
  const warehouse = async (code: string, postal_code: string) => {
    const address = { street: 'Street 1', city: 'Berlin', postal_code, country: 'DE' };
    const body = { code, name: 'Depot', address, timezone: 'Europe/Berlin' };
    const { status, json, text } = await as('client_admin', '/wms/warehouses', body);
    expect(status, text).to.equal(201);
    return json.warehouse.id as number;
  };

  it('cannot price an order from a stop at which it does not start', async () => {
    const warehouse_id = await warehouse('FAR', '80331');
    const from = { type: 'D', pickup: stopIn('10115'), delivery: stopIn('10117'), warehouse_id };
    const [{ rate_id }] = await rates({
      ...from,
      pickup: { country: 'DE', postal_code: '10115' },
      delivery: { country: 'DE', postal_code: '10117' },
    });
    const placed = await as('customer', '/orders', { ...ORDER, ...from, rate_id });
    expect(placed.json.code, placed.text).to.equal('QUOTE_MISMATCH');
    expect(placed.json.errors.map(({ field }: { field: string }) => field)).to.deep.equal(['warehouse_id']);
    const real = { type: 'D', pickup: undefined, delivery: { country: 'DE', postal_code: '10117' }, warehouse_id };
    const [rate] = await rates(real);
    const ordered = await as('customer', '/orders', { ...ORDER, ...from, rate_id: rate.rate_id });
    expect(ordered.status, ordered.text).to.equal(201);
  });

  it('cannot use the quote of a short drive for a long one', async () => {
    const made = await as('employee', '/datasets', { code: 'towns', name: 'Towns', kind: 'geocoding' });
    expect(made.status, made.text).to.equal(201);
    const place = (street: string, latitude: number) => ({
      values: { street, city: 'Berlin', postal_code: '10115', country: 'DE', position: { latitude, longitude: 13.4 } },
    });
    const records = [place('Startweg 1', 52.5), place('Nahweg 1', 52.51), place('Fernweg 1', 48.1)];
    await as('employee', `/datasets/${made.json.dataset.id}/records/batch`, { records }, 'POST');
    const bands = [{ up_to_km: 1000, base: '5.00', per_km: '0.50' }];
    await version(simpleCard({ table: undefined, distance: { road_factor: '1.3', bands } }));
    const at = (street: string) => ({ ...stopIn('10115'), street });
    const trip = (street: string) => ({ ...ORDER, pickup: at('Startweg 1'), delivery: at(street) });
    const [{ rate_id, shipping_price }] = await rates(trip('Nahweg 1'));
    expect(Number(shipping_price)).to.be.lessThan(10);
    const far = await as('customer', '/orders', { ...trip('Fernweg 1'), rate_id });
    expect(far.json.code, far.text).to.equal('QUOTE_MISMATCH');
    expect(far.json.errors.map(({ field }: { field: string }) => field)).to.deep.equal(['pickup', 'delivery']);
    // The quoted price counts, although the card has another road factor.
    await version(simpleCard({ table: undefined, distance: { road_factor: '1.6', bands } }));
    const near = await as('customer', '/orders', { ...trip('Nahweg 1'), rate_id });
    expect(near.status, near.text).to.equal(201);
    expect((await bill(near.json.order_id)).total_price).to.equal(shipping_price);
    await version(simpleCard());
  });

  it('gets no charges with more than twelve digits', async () => {
    const id = await priced('1.00');
    const line = (code: string, amount: string, is_tax = false) => ({ code, amount, is_tax });
    for (const lines of [
      [line('a', MAX), line('b', MAX)],
      [line('a', MAX), line('b', MAX), line('tax', `-${MAX}`, true)],
    ]) {
      const { status, json } = await charge(id, { lines });
      expect(status).to.equal(400);
      expect(json.errors[0].path).to.equal('/lines');
    }
    expect((await charge(id, { lines: [line('a', MAX)] })).status).to.equal(200);
    expect((await bill(id)).total_price).to.equal(MAX);
  });

  it('is repriced with the service of its quote', async () => {
    const days = { days_min: 1, days_max: 2 };
    const services = ['standard', 'express'].map((code) => ({ code, names: { en: code }, ...days }));
    const [express] = tableOf([{ up_to_kg: 5, amount: '9.90' }]).map((row) => ({ ...row, service: 'express' }));
    await version(simpleCard({ services, table: [...tableOf([{ up_to_kg: 5, amount: '4.90' }]), express] }));
    const { rate_id } = (await rates()).find(
      ({ service_code }: { service_code: string }) => service_code === 'express',
    );
    const { order_id } = (await as('customer', '/orders', { ...ORDER, rate_id })).json;
    await charge(order_id, { reprice: true });
    expect((await bill(order_id)).total_price).to.equal('11.78');
    await charge(order_id, { reprice: true, service_code: 'standard' });
    expect((await bill(order_id)).total_price).to.equal('5.83');
    await version(simpleCard());
  });

  it('shows no price by the balance of a customer who does not see prices', async () => {
    const terms = (prices_hidden: boolean) =>
      as(
        'client_admin',
        `/customers/${customer}/terms`,
        { families: [{ family: 'local_delivery', prices_hidden }] },
        'PUT',
      );
    const balance = async () => (await as('customer', '/customer/credits')).json.balance;
    await terms(true);
    const id = await priced('4.37');
    expect(await bill(id)).to.include({ payment_status: 'settle_offline', settlement: 'offline' });
    await as('employee', `/orders/${id}/payments`, { amount: '4.37', method: 'cash' });
    const before = await balance();
    await as('customer', `/orders/${id}/cancel`, {});
    const { refunds } = await bill(id);
    expect(refunds[0]).to.include({ amount: '4.37', to: 'outside', status: 'made' });
    expect(await balance()).to.equal(before);
    await terms(false);
  });

  it('leaves no position of an erased customer in its quotes and events', async () => {
    const position = { latitude: 52.531, longitude: 13.385 };
    const delivery = { ...stopIn('10117'), position };
    const [{ rate_id }] = await rates({ delivery: { country: 'DE', postal_code: '10117', position } });
    const { order_id } = (await as('customer', '/orders', { ...ORDER, delivery, rate_id })).json;
    const [stored] = await query<{ data: object }>(
      t.databaseUrl,
      `select data from log.events where stream = 'order-${order_id}' and type = 'ChargesSet'`,
    );
    expect(JSON.stringify(stored!.data)).to.include('10117').and.not.include('13.385');
    const quotes = createQuotes(t.service.engines.pool);
    await quotes.forget({ customers: [], orders: [order_id + 1] });
    const kept = async () =>
      (await query(t.databaseUrl, `select 1 from access.quotes where rate_id = '${rate_id}'`)).length;
    expect(await kept()).to.equal(1);
    await quotes.forget({ customers: [], orders: [order_id] });
    expect(await kept()).to.equal(0);
    const { rate_id: other } = (await rates())[0];
    await as('customer', '/orders', { ...ORDER, rate_id: other });
    await quotes.forget({ customers: [customer], orders: [] });
    const left = await query(t.databaseUrl, `select 1 from access.quotes where customer_id = ${customer}`);
    expect(left).to.have.length(0);
    const again = await as('customer', '/orders', { ...ORDER, rate_id: other });
    expect(again.json.code).to.equal('RATE_NOT_FOUND');
  });

  it('refunds into a wallet that has become full', async () => {
    const wallet = async () =>
      (await as('auditor', `/customers/${customer}/wallets`)).json.wallets.find(
        ({ currency }: { currency: string }) => currency === 'EUR',
      );
    await credit('20.00');
    const id = await priced('20.00');
    expect((await as('customer', `/orders/${id}/pay`, {})).status).to.equal(200);
    const other = await priced('3.00');
    await as('employee', `/orders/${other}/payments`, { amount: '3.00', method: 'cash' });
    await credit('999999999990.00');
    await as('customer', `/orders/${id}/cancel`, {});
    await as('customer', `/orders/${other}/cancel`, {});
    await eventually(async () => (await compareBooks(t)).open === 0, 'both refunds are made');
    expect((await wallet()).balance).to.equal('1000000000013.00');
    const { refunded, returned } = await compareBooks(t);
    expect(Number(refunded) - Number(returned), 'the cash').to.equal(3);
  });
});
