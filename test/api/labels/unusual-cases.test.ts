/** Label orders whose purchase, payment or void ends in an unusual order. */
import { expect } from 'chai';
import { faultText } from '../../support/easypost/faults.js';
import { openLabelWorld, RECIPIENT, shipmentOf, type LabelWorld } from '../../support/labels/world.js';

describe('money and voids of label orders in unusual cases', () => {
  let w: LabelWorld;
  before(async () => {
    w = await openLabelWorld();
  });
  after(() => w?.stop());

  const outside = (n = 1, more: object = {}) => ({ ...shipmentOf(n, more), method_id: w.outside.method });
  const orderOf = async (id: number) => (await w.as('employee', `/label-orders/${id}`)).json.label_order;
  const cancel = (body: object) => w.as('customer', '/label-orders/cancel', body);
  const prepay = async () => {
    await w.setTerms({ payment_terms: 'wallet_on_create', rate_card_id: w.cards.USD });
    await w.credit('300.00', 'USD');
  };
  const setAccount = (more: object) => w.as('client_admin', `/carrier-accounts/${w.outside.id}`, more, 'PATCH');

  it('purchase of an erased order takes no money', async () => {
    await prepay();
    await w.easypost.fail('buy', 'declined');
    const { json } = await w.as('customer', '/label-orders', outside());
    const id = json.order_id as number;
    expect(json.label_order.status).to.equal('LABEL_PURCHASE_FAILED');
    expect((await w.as('client_admin', `/privacy/subjects/label-${id}/erase`, {})).status).to.equal(200);
    const before = await w.balance('USD');
    const again = await w.as('customer', `/label-orders/${id}/purchase`, {});
    expect([again.status, again.json.code]).to.deep.equal([409, 'ORDER_CLOSED']);
    const after = await w.balance('USD');
    const detail = await w.as('customer', '/labelservice/getShippingDetail', { order_id: id });
    expect(detail.status, detail.text).to.equal(200);
    expect((await cancel({ order_id: id })).json.label_order.status).to.equal('CANCELLED');
    expect(after).to.equal(before);
  });

  it('a void that the carrier refused can be requested again while another one waits', async () => {
    await w.setTerms({ rate_card_id: w.cards.USD });
    const { json } = await w.as('customer', '/label-orders', outside(2));
    const id = json.order_id as number;
    expect(json.label_order.status).to.equal('LABEL_PURCHASED');
    await w.easypost.fail('refund', 'declined');
    const first = await cancel({ order_id: id });
    expect(JSON.stringify(first.json.voids)).to.include('refused');
    const second = await cancel({ order_id: id });
    expect(JSON.stringify(second.json.voids)).not.to.include('refused');
  });

  it('after a rejected void, no label is free', async () => {
    await prepay();
    await setAccount({ refund_on: 'submitted' });
    try {
      const start = await w.balance('USD');
      await w.easypost.fail('buy', 'declined');
      const { json } = await w.as('customer', '/label-orders', outside(2));
      const id = json.order_id as number;
      const shipment = (await w.easypost.state()).purchases.at(-1)!.shipment_id;
      const asked = await cancel({ order_id: id });
      expect(asked.json.label_order).to.include({ payment_status: 'refunded', shipping_price: '0.00' });
      await w.easypost.settleRefund(shipment, 'rejected');
      const { label_order: rejected } = (await cancel({ order_id: id })).json;
      expect(rejected.shipping_price).to.equal(json.label_order.shipping_price);
      const bought = await w.as('customer', `/label-orders/${id}/purchase`, {});
      expect(bought.json.label_order, bought.text).to.include({ status: 'LABEL_PURCHASED' });
      const end = await w.balance('USD');
      expect(Number(end), 'two labels were bought').to.be.lessThan(Number(start));
    } finally {
      await setAccount({ refund_on: 'refunded' });
    }
  });

  it('max_price limits the cost of an order without a price', async () => {
    await setAccount({ price_tolerance_percent: '15' });
    try {
      const found = await w.as('employee', '/labelservice/rate', {
        ...shipmentOf(),
        carrier_account_ids: [w.outside.id],
      });
      const rate = found.json.rates.find((one: { method_id: number }) => one.method_id === w.outside.method);
      const cost = (rate.cost ?? rate.carrier_cost) as string;
      const dear = { ...RECIPIENT, company: faultText('price', 'create', 10) };
      const made = await w.as('employee', '/label-orders', { ...outside(1, { ship_to: dear }), max_price: cost });
      expect(Number(made.json.label_order?.carrier_cost ?? 0)).to.be.at.most(Number(cost));
    } finally {
      await setAccount({ price_tolerance_percent: null });
    }
  });

  it('an order with more packages than numbers draws none', async () => {
    await w.setTerms({ rate_card_id: w.cards.EUR });
    const cards = await w.as('client_admin', '/rate-cards?family=shipping_service');
    const card = cards.json.rate_cards.find((one: { name: string }) => one.name === 'Vans').id as number;
    const added = await w.as('client_admin', '/carrier-accounts', {
      adapter: 'sheet',
      name: 'Few',
      settings: { rate_card_id: card, carrier_name: 'Few', company_prefix: '4099999', serial_from: 1, serial_to: 3 },
    });
    const account = added.json.carrier_account.id as number;
    const methods = await w.as('client_admin', `/shipping-methods?carrier_account_ids=${account}`);
    const method_id = methods.json.shipping_methods[0].id as number;
    const many = await w.as('customer', '/label-orders', { ...shipmentOf(4), method_id });
    expect(many.json.label_order?.status, many.text).to.equal('LABEL_PURCHASE_FAILED');
    const numbers = (await w.as('client_admin', `/carrier-accounts/${account}`)).json.carrier_account.numbers;
    expect(numbers.drawn_count).to.equal(0);
    const one = await w.as('customer', '/label-orders', { ...shipmentOf(1), method_id });
    expect(one.json.label_order?.status).to.equal('LABEL_PURCHASED');
  });

  it('equal requests at once each get their order', async () => {
    await w.setTerms({ rate_card_id: w.cards.EUR });
    const all = await Promise.all(
      Array.from({ length: 3 }, () =>
        w.as('customer', '/label-orders/quote-and-ship', { ...shipmentOf(), carriers: ['Demo Vans'] }),
      ),
    );
    expect(all.map(({ status }) => status)).to.deep.equal([201, 201, 201]);
  });

  it('package_only after a whole cancellation that was rejected', async () => {
    await w.setTerms({ rate_card_id: w.cards.USD });
    const { json } = await w.as('customer', '/label-orders', outside(2));
    const id = json.order_id as number;
    const [number] = json.label_order.tracking_numbers as string[];
    await w.easypost.fail('refund', 'declined', { times: 2 });
    const whole = await cancel({ order_id: id });
    expect(whole.json.label_order?.status, whole.text).to.equal('LABEL_PURCHASED');
    const part = await cancel({ tracking_number: number, package_only: true });
    const rest = await cancel({ order_id: id });
    expect(rest.json.label_order?.status, rest.text).to.equal('VOID_REQUESTED');
    expect(part.json.label_order?.status, 'one of two labels is being voided').not.to.equal('VOID_REQUESTED');
  });

  it('a package is voided after another one failed: payment', async () => {
    await prepay();
    await w.easypost.fail('buy', 'declined');
    const { json } = await w.as('customer', '/label-orders', outside(2));
    const id = json.order_id as number;
    const [number] = json.label_order.tracking_numbers as string[];
    const shipment = (await w.easypost.state()).purchases.at(-1)!.shipment_id;
    const part = await cancel({ tracking_number: number, package_only: true });
    expect(part.json.label_order?.payment_status, part.text).to.equal('paid');
    await w.easypost.settleRefund(shipment, 'refunded');
    await cancel({ tracking_number: number, package_only: true });
    const now = await orderOf(id);
    const paid = now.payment_status;
    const again = await w.as('customer', `/label-orders/${id}/purchase`, {});
    expect(again.json.label_order, again.text).to.include({ status: 'LABEL_PURCHASED', payment_status: 'paid' });
    const whole = await cancel({ order_id: id });
    expect(whole.json.label_order?.status, whole.text).to.equal('VOID_REQUESTED');
    expect(paid, 'the void of one package keeps the payment').to.equal('paid');
  });
});
