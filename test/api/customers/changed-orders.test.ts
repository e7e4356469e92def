/** Customers whose wallet pays at once change their own orders, and pay the new price (customers R4). */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { callTool } from '../../support/clients/mcp.js';
import { graphql } from '../../support/clients/graphql.js';
import { FAR, MONDAY, NEAR, PRICES, SATURDAY } from '../../support/inputs/changed-orders.js';
import { stopIn } from '../../support/inputs/shipments.js';
import { ORDER, openChangingCustomer, type ChangingCustomer } from '../../support/worlds/changing-customer.js';
import { signIns } from '../../support/worlds/users.js';

const ABROAD = { ...stopIn('75001'), country: 'FR' };

describe('prepaid orders that their customers change (R4)', () => {
  let c: ChangingCustomer;
  before(async () => void (c = await openChangingCustomer()));
  after(() => c.t.stop());

  before(() => c.prepaid());

  it('R4: the wallet pays a dearer date at once, and gets the difference to a cheaper one', async () => {
    await c.fill(20);
    const id = await c.placed();
    const dearer = await c.changed(id, { schedule_date: SATURDAY, expected_price: PRICES.saturday });
    expect(dearer).to.include({
      status: 'NEW_ORDER',
      schedule_date: SATURDAY,
      shipping_price: PRICES.saturday,
      remaining_amount: '0.00',
      payment_status: 'paid',
    });
    expect(await c.balance()).to.equal('12.17');
    expect(await c.changed(id, { schedule_date: MONDAY })).to.include({
      shipping_price: PRICES.near,
      paid_amount: '5.83',
    });
    expect(await c.balance()).to.equal('14.17');
    const { refunds } = await c.bill(id);
    expect(refunds.map(({ amount, why }: Record<string, string>) => [amount, why])).to.deep.equal([
      ['2.00', 'repriced'],
    ]);
  });

  it('R4: a dearer time window holds the order until the wallet has the money', async () => {
    await c.fill(6);
    const id = await c.placed();
    const window = { time_windows: [{ stop: 'delivery', from: '09:00', to: '10:00' }] };
    const held = await c.changed(id, window);
    expect(held).to.include({ status: 'HOLD', hold_reason: 'payment', remaining_amount: '1.00', can_be_paid: true });
    const body = { order_ids: [id], broker_id: c.t.demo.users.broker.id };
    const { json } = await c.as('client_admin', '/broker-order-assignments', body);
    expect(JSON.stringify(json)).to.include('ORDER_HELD');
    await c.fill(1);
    expect((await c.pay(id)).status).to.equal(200);
    expect(await c.order(id)).to.include({ status: 'NEW_ORDER', hold_reason: null, payment_status: 'paid' });
    // A cheaper change releases the order, too.
    await c.fill(0);
    expect(await c.changed(id, { schedule_date: SATURDAY })).to.include({ status: 'HOLD', remaining_amount: '2.00' });
    expect(await c.changed(id, { schedule_date: MONDAY })).to.include({ status: 'NEW_ORDER', payment_status: 'paid' });
  });

  it('R4: a rerouted order keeps its payment, and the wallet pays the rest', async () => {
    await c.fill(20);
    const id = await c.placed();
    const made = await c.rerouted(id, FAR);
    expect(made).to.include({
      replaces_order_id: id,
      status: 'NEW_ORDER',
      shipping_price: PRICES.far,
      paid_amount: PRICES.far,
      payment_status: 'paid',
    });
    expect(await c.balance()).to.equal('8.22');
    const [before, after] = [await c.bill(id), await c.bill(made.id)];
    expect(before).to.include({ total_price: '0.00', paid_amount: '0.00', payment_status: 'refunded' });
    expect(before.refunds[0]).to.include({ amount: '5.83', to: 'replacement', status: 'made' });
    expect(after.payments.map(({ amount }: { amount: string }) => amount)).to.deep.equal(['5.83', '5.95']);
    expect(after.payments[0].id).to.equal(before.payments[0].id);
    expect(await c.order(id)).to.include({ status: 'CANCELLED', replaced_by_order_id: made.id });
    const cheaper = await c.rerouted(made.id, NEAR);
    expect(cheaper).to.include({
      status: 'NEW_ORDER',
      shipping_price: PRICES.near,
      paid_amount: PRICES.near,
      payment_status: 'partly_refunded',
    });
    expect(await c.balance()).to.equal('14.17');
    expect((await c.as('customer', `/orders/${cheaper.id}/cancel`, {})).status).to.equal(200);
    expect(await c.balance()).to.equal('20.00');
  });

  it('R4: a rerouted order waits for the rest of its price', async () => {
    await c.fill(6);
    const made = await c.rerouted(await c.placed(), FAR);
    expect(made).to.include({ status: 'HOLD', hold_reason: 'payment', paid_amount: '5.83', remaining_amount: '5.95' });
    await c.fill(6);
    await c.pay(made.id);
    expect(await c.order(made.id)).to.include({ status: 'NEW_ORDER', payment_status: 'paid' });
  });

  it('without a price by the card, the order keeps its price and waits until the office sets one', async () => {
    await c.fill(20);
    const made = await c.rerouted(await c.placed(), ABROAD);
    expect(made).to.include({
      status: 'HOLD',
      hold_reason: 'price',
      shipping_price: PRICES.near,
      payment_status: 'paid',
    });
    await c.setPrice(made.id, '15.00');
    expect(await c.order(made.id)).to.include({ status: 'HOLD', hold_reason: 'payment', remaining_amount: '9.17' });
    await c.pay(made.id);
    expect(await c.order(made.id)).to.include({ status: 'NEW_ORDER', hold_reason: null });
    // The office has set this price itself, so the card does not replace it.
    expect(await c.changed(made.id, { schedule_date: SATURDAY })).to.include({
      status: 'HOLD',
      hold_reason: 'price',
      shipping_price: '15.00',
    });
    await c.setPrice(made.id, '15.00');
    expect(await c.order(made.id)).to.include({ status: 'NEW_ORDER', payment_status: 'paid' });
  });

  it('the payment of the old price does not release an order that waits for its price', async () => {
    await c.fill(20);
    const id = await c.placed({ pay: 'later' });
    const made = await c.rerouted(id, ABROAD);
    expect(made).to.include({ status: 'HOLD', hold_reason: 'price', remaining_amount: PRICES.near });
    await c.pay(made.id);
    expect(await c.order(made.id)).to.include({ status: 'HOLD', hold_reason: 'price', payment_status: 'paid' });
    const again = await c.rerouted(made.id, { ...ABROAD, street: 'Rue 2' });
    expect(again).to.include({ status: 'HOLD', hold_reason: 'price' });
    await c.setPrice(again.id, '5.00');
    expect(await c.order(again.id)).to.include({ status: 'NEW_ORDER', payment_status: 'partly_refunded' });
  });

  it('a quoted service stays: without it, the order waits for the office', async () => {
    await c.fill(30);
    const quoted = { ...ORDER, service_codes: ['express'] };
    const { rates } = (
      await c.as('customer', '/orders/rate', {
        ...quoted,
        delivery: { country: 'DE', postal_code: '10117' },
        pickup: { country: 'DE', postal_code: '10115' },
      })
    ).json;
    const id = await c.placed({ rate_id: rates[0].rate_id });
    expect(await c.order(id)).to.include({ shipping_price: PRICES.express });
    const tuesday = await c.changed(id, { schedule_date: '2030-12-03' });
    expect(tuesday).to.include({ shipping_price: PRICES.express, status: 'NEW_ORDER' });
    expect(await c.changed(id, { schedule_date: SATURDAY })).to.include({ status: 'HOLD', hold_reason: 'price' });
    expect(await c.changed(id, { schedule_date: MONDAY })).to.include({ status: 'NEW_ORDER', hold_reason: null });
  });

  it('a repetition with its key neither changes nor pays twice', async () => {
    await c.fill(40);
    const key = await signIns(c.t)('customer');
    const id = await c.placed();
    const headers = { 'idempotency-key': 'date-once' };
    const body = { schedule_date: SATURDAY, expected_price: PRICES.saturday };
    const date = () => c.t.api(`/orders/${id}`, { key, body, headers, method: 'PATCH' });
    const [first, second] = [await date(), await date()];
    expect([first.status, second.status], first.text).to.deep.equal([200, 200]);
    expect(await c.balance()).to.equal('32.17');
    const send = () =>
      c.t.api(`/orders/${id}/reroute`, {
        key,
        body: { delivery: FAR },
        headers: { 'idempotency-key': 'address-once' },
      });
    const [moved, again] = [await send(), await send()];
    expect(moved.status, moved.text).to.equal(201);
    expect(again.json.order_id).to.equal(moved.json.order_id);
    expect((await c.bill(moved.json.order_id)).payments).to.have.length(3);
    expect(await c.balance()).to.equal('26.22');
  });

  it('a dry run changes nothing', async () => {
    await c.fill(20);
    const id = await c.placed();
    const token = await signIns(c.t)('customer');
    const call = { order_id: id, delivery: FAR, dry_run: true, confirm: true };
    const planned = JSON.stringify(await callTool(c.t, 'reroute_to_address', call, { token }));
    expect(planned).to.include('OrderCancelled');
    expect(await c.order(id)).to.include({ status: 'NEW_ORDER', payment_status: 'paid' });
    expect(await c.balance()).to.equal('14.17');
  });

  it('GraphQL changes and pays in the same way', async () => {
    await c.fill(20);
    const id = await c.placed();
    const key = await signIns(c.t)('customer');
    const query = `mutation { orderUpdate(orderId: ${id}, scheduleDate: "${SATURDAY}", expectedPrice: "${PRICES.saturday}") { order { shippingPrice paymentStatus canBeChanged canBeRerouted } } }`;
    const { data, errors } = await graphql(c.t.url, query, { key });
    expect(errors).to.equal(undefined);
    expect(data.orderUpdate.order).to.deep.equal({
      shippingPrice: PRICES.saturday,
      paymentStatus: 'paid',
      canBeChanged: true,
      canBeRerouted: true,
    });
  });

  it('have the same read models after a replay', () => expectSameReplay(c.t, ['orders', 'bills', 'wallets']));
});
