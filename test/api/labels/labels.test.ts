/** Label orders over HTTP: purchase, refusal, void, money and visibility. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { faultText } from '../../support/easypost/faults.js';
import { openLabelWorld, RECIPIENT, shipmentOf, type LabelWorld } from '../../support/labels/world.js';

describe('label orders', () => {
  let w: LabelWorld;
  before(async () => {
    w = await openLabelWorld();
  });
  after(() => w?.stop());
  beforeEach(() => w.setTerms({ rate_card_id: w.cards.EUR }));

  type User = 'employee' | 'customer' | 'client_admin';
  const create = (user: User, body: object) => w.as(user, '/label-orders', body);
  const orderOf = async (id: number, user: User = 'employee') =>
    (await w.as(user, `/label-orders/${id}`)).json.label_order;
  const cancel = (body: object, user: User = 'employee') => w.as(user, '/label-orders/cancel', body);
  const faulty = (text: string, more: object = {}) => ({
    ...shipmentOf(1, { ship_to: { ...RECIPIENT, company: text } }),
    ...more,
  });
  const inSheet = () => ({ method_id: w.sheet.method });
  const outside = () => ({ method_id: w.outside.method });
  const timelineOf = (number: string) => w.t.read(number);
  /** The customer pays labels of EasyPost at once, in dollars. */
  const prepay = async (amount: string) => {
    await w.setTerms({ payment_terms: 'wallet_on_create', rate_card_id: w.cards.USD });
    await w.credit(amount, 'USD');
  };
  const purchasesOf = async () => (await w.easypost.state()).purchases;

  it('buys a label for each package, opens their timelines, and voids them', async () => {
    const made = await create('employee', { ...shipmentOf(2), ...inSheet(), order_ref: 'A-17' });
    expect(made.status, made.text).to.equal(201);
    const { order_id: id, result, label_order: order } = made.json;
    expect(result).to.equal(true);
    expect(order).to.include({
      id,
      status: 'LABEL_PURCHASED',
      order_status_id: 20,
      order_ref: 'A-17',
      carrier: 'Demo Vans',
    });
    expect(order.packages.map((one: { label_status: string }) => one.label_status)).to.deep.equal([
      'purchased',
      'purchased',
    ]);
    const [number] = order.tracking_numbers as string[];
    expect(order.tracking_numbers).to.have.length(2);
    const files = await w.as('employee', '/shipping/getShippingLabel', { order_id: id });
    expect(files.status, files.text).to.equal(200);
    expect(Buffer.from(files.json.label_files[0].base64 as string, 'base64').toString('latin1')).to.match(/^%PDF-/);
    const { href } = order.packages[0].label_file as { readonly href: string };
    const file = await w.as('employee', href.replace('/api/v1', ''));
    expect(file.status).to.equal(200);
    expect((await timelineOf(number!)).text).to.include('information_submitted');

    const first = await cancel({ tracking_number: number });
    expect(first.status, first.text).to.equal(200);
    expect(first.json.label_order.status).to.equal('VOIDED');
    expect(first.json.voids.map((one: { void_status: string }) => one.void_status)).to.deep.equal([
      'refunded',
      'refunded',
    ]);
    expect((await timelineOf(number!)).text).to.include('cancelled');
    const { version } = first.json.label_order as { readonly version: number };
    const second = await cancel({ order_id: id });
    expect([second.status, second.json.label_order.status, second.json.label_order.version]).to.deep.equal([
      200,
      'VOIDED',
      version,
    ]);
    const again = await w.as('employee', `/label-orders/${id}/purchase`, {});
    expect([again.status, again.json.code]).to.deep.equal([409, 'ORDER_CLOSED']);
  });

  it('labels 2: a refused purchase returns the payment, and another attempt buys the label once', async () => {
    await prepay('100.00');
    const before = await w.balance('USD');
    const bought = (await purchasesOf()).length;
    await w.easypost.fail('buy', 'declined');
    const made = await create('customer', { ...shipmentOf(), ...outside() });
    expect(made.status, made.text).to.equal(201);
    const { order_id: id, label_order: order } = made.json;
    expect(made.json.result).to.equal(false);
    expect(order).to.include({ status: 'LABEL_PURCHASE_FAILED', order_status_id: 15, payment_status: 'refunded' });
    expect(order.packages[0]).to.include({ label_status: 'failed', tracking_number: null });
    expect(await w.balance('USD')).to.equal(before);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => w.as('customer', `/label-orders/${id}/purchase`, {})),
    );
    const codes = answers.map(({ status, json }) => [status, json.code ?? json.result] as const);
    expect(codes.filter(([status]) => status === 200)).to.deep.equal([[200, true]]);
    for (const [status, code] of codes)
      if (status !== 200)
        expect([
          status,
          ['PAYMENT_IN_PROGRESS', 'PURCHASE_IN_PROGRESS', 'LABEL_EXISTS'].includes(code as string),
        ]).to.deep.equal([409, true]);
    expect(await orderOf(id)).to.include({ status: 'LABEL_PURCHASED' });
    const { bill } = (await w.as('customer', `/orders/${id}/bill`)).json;
    expect([bill.paid_amount, bill.remaining_amount]).to.deep.equal([bill.total_price, '0.00']);
    expect((await purchasesOf()).length).to.equal(bought + 1);
    const { shipping_price } = order as { readonly shipping_price: string };
    expect(Number(await w.balance('USD'))).to.be.closeTo(Number(before) - Number(shipping_price), 0.001);
  });

  it('buys nothing that a prepaying customer cannot pay', async () => {
    await w.setTerms({ payment_terms: 'wallet_on_create', rate_card_id: w.cards.EUR });
    const shipments = (await w.easypost.state()).shipments.length;
    const made = await create('customer', { ...shipmentOf(), ...inSheet() });
    expect([made.status, made.json.code], made.text).to.deep.equal([409, 'NO_WALLET_IN_CURRENCY']);
    await w.credit('1.00');
    const poor = await create('customer', { ...shipmentOf(), ...inSheet() });
    expect([poor.status, poor.json.code], poor.text).to.deep.equal([402, 'INSUFFICIENT_FUNDS']);
    expect((await w.as('customer', '/label-orders?per_page=1')).json.label_orders[0]?.status).not.to.equal(
      'LABEL_PENDING',
    );
    expect((await w.easypost.state()).shipments.length).to.equal(shipments);
    await w.credit('20.00');
    const rich = await create('customer', { ...shipmentOf(), ...inSheet() });
    expect([rich.status, rich.json.label_order.payment_status], rich.text).to.deep.equal([201, 'paid']);
    const balance = await w.balance();
    const { json } = await cancel({ order_id: rich.json.order_id }, 'customer');
    expect(json.label_order).to.include({ status: 'VOIDED', payment_status: 'refunded' });
    expect(Number(await w.balance())).to.be.closeTo(Number(balance) + 5.9, 0.001);
  });

  it('labels R4: a label that cannot be downloaded is bought, and is marked as missing', async () => {
    // The service downloads labels only from public addresses, and the double has none.
    const { status, json, text } = await create('employee', { ...shipmentOf(), ...outside() });
    expect(status, text).to.equal(201);
    expect(json.label_order.status).to.equal('LABEL_PURCHASED');
    expect(json.label_order.packages[0]).to.include({
      label_status: 'purchased',
      is_label_missing: true,
      label_file: null,
    });
    const files = await w.as('employee', '/label-orders/files', { order_id: json.order_id });
    expect([files.status, files.json.code], files.text).to.deep.equal([409, 'NO_LABEL']);
  });

  it('labels R5: refuses a label that costs more than the tolerance allows', async () => {
    const dear = await create('employee', faulty(faultText('price', 'create', 10), outside()));
    expect(dear.status, dear.text).to.equal(201);
    expect(dear.json.label_order.packages[0]).to.include({ label_status: 'failed', failure_code: 'PRICE_CHANGED' });
    await w.as('client_admin', `/carrier-accounts/${w.outside.id}`, { price_tolerance_percent: '15' }, 'PATCH');
    const allowed = await create('employee', faulty(faultText('price', 'create', 10), outside()));
    await w.as('client_admin', `/carrier-accounts/${w.outside.id}`, { price_tolerance_percent: null }, 'PATCH');
    expect(allowed.json.label_order?.status, allowed.text).to.equal('LABEL_PURCHASED');
  });

  it('labels R6: refunds the customer when the carrier has confirmed the void', async () => {
    await prepay('50.00');
    const before = await w.balance('USD');
    const { json, text } = await create('customer', { ...shipmentOf(), ...outside() });
    expect(json.label_order?.payment_status, text).to.equal('paid');
    const id = json.order_id as number;
    const asked = await cancel({ order_id: id }, 'customer');
    expect(asked.json.voids?.[0], asked.text).to.include({ void_status: 'submitted' });
    expect(asked.json.label_order).to.include({ status: 'VOID_REQUESTED', payment_status: 'paid' });
    const pay = await w.as('customer', `/orders/${id}/pay`, {});
    expect([pay.status, pay.json.code], pay.text).to.deep.equal([409, 'ORDER_CLOSED']);
    const shipment = (await w.easypost.state()).purchases.at(-1)!.shipment_id;
    await w.easypost.settleRefund(shipment, 'refunded');
    const again = await cancel({ order_id: id }, 'customer');
    expect(again.json.voids?.[0], again.text).to.include({ void_status: 'refunded' });
    expect(again.json.label_order).to.include({ status: 'VOIDED', payment_status: 'refunded' });
    expect(await w.balance('USD')).to.equal(before);
  });

  it('labels R9: hides the cost, and the orders of others', async () => {
    const made = await create('customer', { ...shipmentOf(), ...inSheet() });
    expect(made.status, made.text).to.equal(201);
    const { order_id: id, label_order: order } = made.json;
    expect(order).not.to.have.property('carrier_cost');
    expect(order.shipping_price).to.equal('5.90');
    expect(await orderOf(id)).to.include({ carrier_cost: '4.90' });
    const other = await create('employee', { ...shipmentOf(), ...inSheet() });
    const hidden = await w.as('customer', `/label-orders/${other.json.order_id}`);
    const unknown = await w.as('customer', '/label-orders/999999');
    expect([hidden.status, hidden.json.code]).to.deep.equal([404, 'ORDER_NOT_FOUND']);
    expect([unknown.status, unknown.json.code]).to.deep.equal([404, 'ORDER_NOT_FOUND']);
    const list = await w.as('customer', '/label-orders?per_page=200');
    expect(list.json.label_orders.every((one: { customer_id: number }) => one.customer_id === w.customer)).to.equal(
      true,
    );
    const detail = await w.as('customer', '/labelservice/getShippingDetail', { order_id: id });
    expect(detail.status, detail.text).to.equal(200);
    expect(detail.text).not.to.include('carrier_cost');
  });

  it('labels R10: buys only the shipment of the rate, once', async () => {
    const rates = await w.as('employee', '/labelservice/rate', { ...shipmentOf(), carrier_account_ids: [w.sheet.id] });
    const { rate_id } = rates.json.rates[0] as { readonly rate_id: string };
    const changed = await create('employee', { ...shipmentOf(2), rate_id });
    expect([changed.status, changed.json.code], changed.text).to.deep.equal([409, 'QUOTE_MISMATCH']);
    const made = await create('employee', { ...shipmentOf(), rate_id });
    expect([made.status, made.json.label_order?.rate_id], made.text).to.deep.equal([201, rate_id]);
    const twice = await create('employee', { ...shipmentOf(), rate_id });
    expect([twice.status, twice.json.code], twice.text).to.deep.equal([409, 'RATE_USED']);
    const both = await create('employee', { ...shipmentOf(), rate_id, ...inSheet() });
    expect([both.status, both.json.code]).to.deep.equal([400, 'INVALID_INPUT']);
  });

  it('repeats a request without a second order or label', async () => {
    const bought = (await purchasesOf()).length;
    const headers = { 'idempotency-key': 'labels-once' };
    const body = { ...shipmentOf(), ...outside() };
    const answers = [];
    for (let n = 0; n < 2; n++) answers.push(await w.as('employee', '/label-orders', body, 'POST', headers));
    expect(answers[0]!.status, answers[0]!.text).to.equal(201);
    expect(answers[1]!.json.order_id).to.equal(answers[0]!.json.order_id);
    expect((await purchasesOf()).length).to.equal(bought + 1);
  });

  it('chooses the best rate by a strategy', async () => {
    const ship = (more: object) => w.as('employee', '/label-orders/quote-and-ship', { ...shipmentOf(), ...more });
    const cheap = await ship({ carriers: ['USPS'] });
    expect(cheap.status, cheap.text).to.equal(201);
    expect(cheap.json.considered[0].method_name).to.include('Ground');
    expect(cheap.json.chosen_rate_id).to.equal(cheap.json.label_order.rate_id);
    const fast = await ship({ carriers: ['usps'], strategy: 'fastest' });
    expect(fast.json.considered[0].method_name).to.include('Express');
    const none = await ship({ max_price: '0.01' });
    expect([none.status, none.json.code], none.text).to.deep.equal([409, 'NO_RATE']);
  });

  it('has a bill under the id of the order, and no operation takes the id of another kind', async () => {
    const { order_id: id } = (await create('customer', { ...shipmentOf(), ...inSheet() })).json as { order_id: number };
    const bill = await w.as('customer', `/orders/${id}/bill`);
    expect(bill.json.bill, bill.text).to.include({
      family: 'label_service',
      total_price: '5.90',
      payment_status: 'unpaid',
    });
    const charges = { lines: [{ code: 'flat', amount: '3.00' }], currency: 'EUR' };
    const set = await w.as('client_admin', `/orders/${id}/charges`, charges, 'PUT');
    expect(set.json.bill?.total_price, set.text).to.equal('3.00');
    const recorded = await w.as('employee', `/orders/${id}/payments`, { amount: '1.00', method: 'cash' });
    expect(recorded.json.bill?.remaining_amount, recorded.text).to.equal('2.00');
    await w.credit('10.00');
    const paid = await w.as('customer', `/orders/${id}/pay`, { expected_amount: '2.00' });
    expect(paid.json.bill?.payment_status, paid.text).to.equal('paid');
    const refund = { payment_id: recorded.json.payment_id, amount: '1.00', to: 'outside', reason: 'Late parcel' };
    const refunded = await w.as('client_admin', `/orders/${id}/refunds`, refund);
    expect(refunded.json.bill?.payment_status, refunded.text).to.equal('partly_refunded');
    expect((await orderOf(id)).payment_status).to.equal('partly_refunded');

    const unknown = 99_999_999;
    const same = async (path: (id: number) => string, other: number, body?: object) => {
      const [one, two] = [
        await w.as('client_admin', path(other), body),
        await w.as('client_admin', path(unknown), body),
      ];
      expect([one.status, one.json.code, one.json.detail], path(other)).to.deep.equal([
        404,
        two.json.code,
        two.json.detail,
      ]);
    };
    await same((one) => `/orders/${one}`, id);
    await same((one) => `/orders/${one}/cancel`, id, {});
    await same((one) => `/orders/${one}/hold`, id, {});
    const { json } = await w.as('employee', '/orders?per_page=1');
    const local = json.orders[0].id as number;
    await same((one) => `/label-orders/${one}`, local);
    await same((one) => `/label-orders/${one}/purchase`, local, {});
    const asked = await cancel({ order_id: local });
    expect([asked.status, asked.json.code]).to.deep.equal([404, 'ORDER_NOT_FOUND']);
    await same((one) => `/orders/${one}/bill`, unknown + 1);
  });

  it('creates nothing for an unknown customer', async () => {
    const bought = (await purchasesOf()).length;
    const { total } = (await w.as('employee', '/label-orders?per_page=1')).json as { readonly total: number };
    const { json, text } = await w.as('employee', '/labelservice/submitOrder', {
      ...shipmentOf(),
      ...outside(),
      customer_id: 999_999,
    });
    expect(json.code, text).to.equal('INVALID_INPUT');
    expect((await w.as('employee', '/label-orders?per_page=1')).json.total).to.equal(total);
    expect((await purchasesOf()).length).to.equal(bought);
  });

  it('has the same rows after a replay', async () => {
    await expectSameReplay(w.t, ['labels', 'bills', 'wallets', 'wallet_entries', 'ledger']);
  });
});
