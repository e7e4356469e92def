/** Simultaneous requests and processes that end: no balance is spent twice, and no quote leads to two orders. */
import { expect } from 'chai';
import { createHandler } from '../../../src/commands/core/handler.js';
import { orders } from '../../../src/commands/orders/decider.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createQuotes } from '../../../src/engines/postgres/quotes.js';
import { orderStream } from '../../../src/events/orders/events.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { shipment, simpleCard, stopIn } from '../../support/inputs/shipments.js';
import { eventually } from '../../support/eventually.js';
import { query } from '../../support/worlds/database.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';
const ORDER = { type: 'P2P', pickup: stopIn('10115'), delivery: stopIn('80331'), packages: [{ weight_kg: 2 }] };
const TABS = 24;
/** The demo business. */
const BUSINESS = 1;

describe('simultaneous payments and orders', () => {
  let t: TestService;
  let as: AsUsers;
  let customer: number;
  before(async () => {
    t = await startTestService({ env: { RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' } });
    as = asUsers(t);
    customer = t.demo.users.customer.id;
    const made = { family: 'local_delivery', name: 'City', currency: 'EUR' };
    const { id } = (await as('client_admin', '/rate-cards', made)).json.rate_card;
    await as('client_admin', `/rate-cards/${id}/versions`, { card: simpleCard() });
    await as('client_admin', '/pricing/defaults/local_delivery', { rate_card_id: id }, 'PUT');
  });
  after(() => t.stop());

  const credit = (amount: string) =>
    as('employee', `/customers/${customer}/wallet/credits`, { amount, currency: 'EUR', source: 'cash' });
  const wallet = async () => (await as('auditor', `/customers/${customer}/wallets`)).json.wallets[0];
  const priced = async (amount: string) => {
    const { order_id } = (await as('customer', '/orders', ORDER)).json;
    await as(
      'employee',
      `/orders/${order_id}/charges`,
      { lines: [{ code: 'delivery', amount }], currency: 'EUR' },
      'PUT',
    );
    return order_id as number;
  };
  const bill = async (id: number) => (await as('employee', `/orders/${id}/bill`)).json.bill;
  const rateId = async () => (await as('customer', '/orders/rate', shipment())).json.rates[0].rate_id as string;
  const countOf = (codes: readonly string[], code: string) => codes.filter((one) => one === code).length;

  it('of one order: one pays', async () => {
    await credit('100.00');
    const id = await priced('100.00');
    const answers = await Promise.all(Array.from({ length: TABS }, () => as('customer', `/orders/${id}/pay`, {})));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    const codes = new Set(answers.flatMap(({ json }) => (json.code as string | undefined) ?? []));
    expect(['PAYMENT_IN_PROGRESS', 'NOTHING_DUE', 'INSUFFICIENT_FUNDS']).to.include.members([...codes]);
    expect(await bill(id)).to.include({ payment_status: 'paid', paid_amount: '100.00' });
    expect(await wallet()).to.include({ balance: '0.00', available: '0.00' });
  });

  it('of many orders from one wallet: the balance is spent once', async () => {
    await credit('30.00');
    const ids = await Promise.all(Array.from({ length: 8 }, () => priced('10.00')));
    const answers = await Promise.all(ids.map((id) => as('customer', `/orders/${id}/pay`, {})));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 200, 200, 402, 402, 402, 402, 402]);
    expect((await wallet()).balance).to.equal('0.00');
    for (const [index, id] of ids.entries())
      expect((await bill(id)).paid_amount).to.equal(answers[index]!.status === 200 ? '10.00' : '0.00');
  });

  it('against cancellations: a cancelled order keeps no money', async () => {
    await credit('60.00');
    const before = Number((await wallet()).balance);
    for (let round = 0; round < 3; round += 1) {
      const id = await priced('20.00');
      await Promise.all([
        ...Array.from({ length: 4 }, () => as('customer', `/orders/${id}/pay`, {})),
        ...Array.from({ length: 4 }, () => as('customer', `/orders/${id}/cancel`, {})),
      ]);
      const { status } = (await as('employee', `/orders/${id}`)).json.order;
      const { paid_amount } = await bill(id);
      expect(paid_amount, status).to.equal(status === 'CANCELLED' ? '0.00' : '20.00');
      if (status !== 'CANCELLED') await as('customer', `/orders/${id}/cancel`, {});
    }
    expect(Number((await wallet()).balance)).to.equal(before);
  });

  it('refunds of one payment never exceed it', async () => {
    await credit('10.00');
    const id = await priced('10.00');
    const { payment_id } = (await as('customer', `/orders/${id}/pay`, {})).json;
    const before = Number((await wallet()).balance);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        as('client_admin', `/orders/${id}/refunds`, { payment_id, amount: '3.00', reason: 'race' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).to.have.length(3);
    expect(answers.filter(({ json }) => json.code === 'AMOUNT_TOO_HIGH')).to.have.length(3);
    expect(Number((await wallet()).balance) - before).to.equal(9);
  });

  it('at one quote: one order is created', async () => {
    const rate_id = await rateId();
    const answers = await Promise.all(
      Array.from({ length: TABS }, () => as('customer', '/orders', { ...ORDER, rate_id })),
    );
    const codes = answers.map(({ status, json }) => (status === 201 ? 'created' : (json.code as string)));
    expect(countOf(codes, 'created'), codes.join(' ')).to.equal(1);
    expect(countOf(codes, 'RATE_USED')).to.equal(TABS - 1);
    const { order_id } = answers.find(({ status }) => status === 201)!.json;
    expect(answers.find(({ status }) => status === 409)!.json.order_id).to.equal(order_id);
  });

  it('with the same idempotency key use the quote once, and get the same order', async () => {
    const rate_id = await rateId();
    const { email, password } = t.demo.users.customer;
    const key = (await t.api('/user/login', { body: { email, password } })).json.access_token as string;
    const place = () => t.api('/orders', { key, body: { ...ORDER, rate_id }, headers: { 'idempotency-key': 'one' } });
    const [first, second] = [await place(), await place()];
    expect(first.status, first.text).to.equal(201);
    expect(second.json.order_id).to.equal(first.json.order_id);
  });

  it('a rejected order does not use its quote', async () => {
    await as('client_admin', '/order-settings', { unique_order_ref: true }, 'PATCH');
    const taken = await as('customer', '/orders', { ...ORDER, order_ref: 'TAKEN' });
    expect(taken.status).to.equal(201);
    const rate_id = await rateId();
    const rejected = await as('customer', '/orders', { ...ORDER, order_ref: 'TAKEN', rate_id });
    expect(rejected.json.code).to.equal('ORDER_REF_TAKEN');
    expect((await as('customer', '/orders', { ...ORDER, rate_id })).status).to.equal(201);
  });

  it('a quote that a process reserved before it ended is free again after a minute', async () => {
    const rate_id = await rateId();
    const quotes = createQuotes(t.service.engines.pool);
    expect(await quotes.claim(rate_id, { business: BUSINESS, orderId: 99_999 })).to.equal(undefined);
    expect((await as('customer', '/orders', { ...ORDER, rate_id })).json).to.include({
      code: 'RATE_USED',
      order_id: 99_999,
    });
    await query(
      t.databaseUrl,
      `update access.quotes set claimed_at = claimed_at - interval '61 seconds' where rate_id = '${rate_id}'`,
    );
    const placed = await as('customer', '/orders', { ...ORDER, rate_id });
    expect(placed.status, placed.text).to.equal(201);
    await query(
      t.databaseUrl,
      `update access.quotes set claimed_at = claimed_at - interval '61 seconds' where rate_id = '${rate_id}'`,
    );
    expect((await as('customer', '/orders', { ...ORDER, rate_id })).json.code, 'the order exists').to.equal(
      'RATE_USED',
    );
  });

  it('a payment whose process ended is finished by the follower of the log', async () => {
    await credit('5.00');
    const id = await priced('5.00');
    const { engines } = t.service;
    const handle = createHandler({
      decider: orders,
      log: engines.log,
      types: EVENT_TYPES,
      keyRing: engines.keyRing,
      now: Date.now,
    });
    const commandId = derivedId('ended', id);
    await handle(
      orderStream(id),
      { do: 'begin_payment', commandId, orderId: id, business: BUSINESS, paymentId: commandId, accountId: customer },
      { correlationId: commandId, actor: { kind: 'user', id: String(customer) }, channel: 'rest' },
    );
    await eventually(async () => (await bill(id)).payment_status === 'paid', 'the payment is finished');
    expect((await wallet()).balance).to.match(/^\d/);
    await handle(
      orderStream(id),
      { do: 'cancel', commandId: derivedId('cancel', id), orderId: id, business: BUSINESS },
      { correlationId: commandId, actor: { kind: 'user', id: String(customer) }, channel: 'rest' },
    );
    await eventually(async () => (await bill(id)).refunds[0]?.status === 'made', 'the refund is finished');
  });
});
