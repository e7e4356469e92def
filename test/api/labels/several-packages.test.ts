/** Label orders with several packages that the carrier sells separately: costs, payments and invoices. */
import { expect } from 'chai';
import { LabelOrderCreated, labelStream, type NewLabelOrder } from '../../../src/events/labels/events.js';
import { openInvoicing } from '../../support/worlds/invoices.js';
import { openLabelWorld, shipmentOf, type LabelWorld } from '../../support/labels/world.js';

describe('label orders with several packages', () => {
  let w: LabelWorld;
  const clock = { ahead: 0 };
  before(async () => {
    w = await openLabelWorld({}, () => Date.now() + clock.ahead);
    await w.setTerms({ payment_terms: 'wallet_on_create', rate_card_id: w.cards.USD });
    await w.credit('500.00', 'USD');
  });
  after(() => w?.stop());

  const parcels = (...weights: number[]) => ({
    ...shipmentOf(),
    packages: weights.map((weight_kg) => ({ weight_kg, length_cm: 20, width_cm: 20, height_cm: 10 })),
    method_id: w.outside.method,
  });
  const create = (body: object) => w.as('customer', '/label-orders', body);
  const orderOf = async (id: number) => (await w.as('employee', `/label-orders/${id}`)).json.label_order;
  const createdOf = async (id: number): Promise<NewLabelOrder> => {
    for await (const { type, data } of w.t.service.engines.log.read(labelStream(id)))
      if (type === LabelOrderCreated.type) return data as unknown as NewLabelOrder;
    throw new Error('There is no such order.');
  };
  const cents = (amount: string): number => Math.round(Number(amount) * 100);
  const spent = async (since: string): Promise<number> => cents(since) - cents(await w.balance('USD'));

  it('buys each package at most at its own part of the agreed cost', async () => {
    const made = await create(parcels(0.5, 9, 2.25));
    expect(made.status, made.text).to.equal(201);
    const id = made.json.order_id as number;
    const { shipments, agreed_cost } = await createdOf(id);
    const limits = shipments.map(({ max_cost }) => cents(max_cost!.amount));
    expect(limits).to.have.length(3);
    expect(Math.max(...limits)).to.be.lessThan(cents(agreed_cost!.amount));
    // The tolerance of a price that the customer was promised is 5 %, rounded for each package.
    const tolerated = limits.reduce((sum, one) => sum + one, 0) / cents(agreed_cost!.amount);
    expect(tolerated).to.be.closeTo(1.05, 0.01);
    const order = await orderOf(id);
    expect(order.status).to.equal('LABEL_PURCHASED');
    expect(order.agreed_carrier_cost).to.equal(agreed_cost!.amount);
    expect(order.carrier_currency).to.equal('USD');
    expect(cents(order.carrier_cost)).to.be.within(
      cents(agreed_cost!.amount),
      limits.reduce((sum, one) => sum + one),
    );
  });

  it('keeps the payment after a purchase that bought some labels, and buys the rest without another one', async () => {
    const before = await w.balance('USD');
    await w.easypost.fail('buy', 'declined');
    const made = await create(parcels(1, 2));
    const id = made.json.order_id as number;
    expect(made.json.label_order, made.text).to.include({ status: 'LABEL_PURCHASE_FAILED', payment_status: 'paid' });
    const statuses = made.json.label_order.packages.map((one: { label_status: string }) => one.label_status);
    expect([...statuses].sort()).to.deep.equal(['failed', 'purchased']);
    const price = cents(made.json.label_order.shipping_price as string);
    expect(await spent(before)).to.equal(price);
    const partly = await orderOf(id);
    expect(cents(partly.carrier_cost)).to.be.lessThan(cents(partly.agreed_carrier_cost));
    const again = await w.as('customer', `/label-orders/${id}/purchase`, {});
    expect(again.json.label_order, again.text).to.include({ status: 'LABEL_PURCHASED', payment_status: 'paid' });
    expect(await spent(before)).to.equal(price);
  });

  it('returns everything when the order is cancelled after a part was bought', async () => {
    const before = await w.balance('USD');
    await w.easypost.fail('buy', 'declined');
    const { json } = await create(parcels(1, 2));
    const id = json.order_id as number;
    expect(json.label_order.status).to.equal('LABEL_PURCHASE_FAILED');
    expect((await w.as('customer', '/label-orders/cancel', { order_id: id })).json.label_order.status).to.equal(
      'VOID_REQUESTED',
    );
    await w.easypost.settleRefund((await w.easypost.state()).purchases.at(-1)!.shipment_id, 'refunded');
    const cancelled = await w.as('customer', '/label-orders/cancel', { order_id: id });
    expect(cancelled.json.label_order, cancelled.text).to.include({ status: 'VOIDED', payment_status: 'refunded' });
    expect(await spent(before)).to.equal(0);
  });

  it('can request a void again that the carrier has rejected', async () => {
    const { json } = await create(parcels(1));
    const id = json.order_id as number;
    const shipment = (await w.easypost.state()).purchases.at(-1)!.shipment_id;
    const cancel = () => w.as('customer', '/label-orders/cancel', { order_id: id });
    await cancel();
    await w.easypost.settleRefund(shipment, 'rejected');
    const rejected = await cancel();
    expect(rejected.json.label_order, rejected.text).to.include({ status: 'LABEL_PURCHASED', payment_status: 'paid' });
    const again = await cancel();
    expect(again.json.voids?.[0], again.text).to.include({ void_status: 'submitted' });
    const voids: string[] = [];
    for await (const { type } of w.t.service.engines.log.read(labelStream(id)))
      if (type.startsWith('LabelVoid')) voids.push(type);
    expect(voids.filter((type) => type === 'LabelVoidBegun')).to.have.length(2);
  });

  it('is on no invoice before all its labels are bought', async () => {
    const { issue } = await openInvoicing(w.t);
    await w.easypost.fail('buy', 'declined');
    const failed = (await create(parcels(1))).json.order_id as number;
    const bought = (await create(parcels(1))).json.order_id as number;
    const issued = await issue({ currency: 'USD' });
    expect(issued.status, issued.text).to.equal(201);
    const ids = issued.json.invoice.lines.map(({ order_id }: { order_id: number }) => order_id);
    expect(ids).to.include(bought).and.not.include(failed);
  });

  it('can be voided by a customer until the ship date, if the carrier reports no scans, and by the office later', async () => {
    await w.setTerms({ rate_card_id: w.cards.EUR });
    const shipment = { ...shipmentOf(2), method_id: w.sheet.method };
    const [first, second] = [await create(shipment), await create(shipment)].map(({ json }) => json.order_id as number);
    const cancel = async (user: 'customer' | 'employee', order_id: number) => {
      const { status, json } = await w.as(user, '/label-orders/cancel', { order_id });
      return [status, json.code ?? json.label_order.status];
    };
    expect(await cancel('customer', first!)).to.deep.equal([200, 'VOIDED']);
    clock.ahead += 2 * 86_400_000;
    expect(await cancel('customer', first!), 'again').to.deep.equal([200, 'VOIDED']);
    expect(await cancel('customer', second!)).to.deep.equal([409, 'LABEL_IN_USE']);
    expect(await cancel('employee', second!)).to.deep.equal([200, 'VOIDED']);
  });
});
