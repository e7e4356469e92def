/** Which changes of an order a customer may make, and the price after them (customers R4). */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { callTool } from '../../support/clients/mcp.js';
import { FAR, MONDAY, NEAR, PRICES, SATURDAY } from '../../support/inputs/changed-orders.js';
import { stopIn } from '../../support/inputs/shipments.js';
import {
  ORDER,
  openChangingCustomer,
  outcomeOf,
  type ChangingCustomer,
} from '../../support/worlds/changing-customer.js';
import { openInvoicing } from '../../support/worlds/invoices.js';
import { signIns } from '../../support/worlds/users.js';

const ABROAD = { ...stopIn('75001'), country: 'FR' };

describe('changes of orders by customers and staff', () => {
  let c: ChangingCustomer;
  before(async () => void (c = await openChangingCustomer()));
  after(() => c.t.stop());

  it('with the terms pay_later, the remaining amount rises and the order is not held', async () => {
    const id = await c.placed();
    expect(await c.changed(id, { schedule_date: SATURDAY })).to.include({
      status: 'NEW_ORDER',
      payment_status: 'unpaid',
      remaining_amount: PRICES.saturday,
    });
    expect(await c.rerouted(id, ABROAD)).to.include({ status: 'NEW_ORDER', shipping_price: PRICES.saturday });
  });

  it('an order without a price gets one if the change makes it possible', async () => {
    const id = await c.placed({ delivery: ABROAD });
    expect(await c.order(id)).to.include({ payment_status: 'unpriced' });
    expect(await c.rerouted(id, FAR)).to.include({ payment_status: 'unpaid', shipping_price: PRICES.far });
  });

  it('another expected price changes nothing', async () => {
    const id = await c.placed();
    const dearer = await c.patch(id, { schedule_date: SATURDAY, expected_price: '5.83' });
    expect(dearer.json).to.include({
      status: 409,
      code: 'PRICE_CHANGED',
      shipping_price: PRICES.saturday,
      remaining_amount: PRICES.saturday,
    });
    expect(outcomeOf(await c.reroute(id, FAR, 'customer', { expected_price: '5.83' }))).to.deep.equal([
      409,
      'PRICE_CHANGED',
    ]);
    expect(outcomeOf(await c.reroute(id, ABROAD, 'customer', { expected_price: '9.00' }))).to.deep.equal([
      409,
      'PRICE_CHANGED',
    ]);
    expect(await c.order(id)).to.include({ schedule_date: MONDAY, status: 'NEW_ORDER', shipping_price: PRICES.near });
  });

  it('customers change only their own orders, and only some members', async () => {
    const id = await c.placed();
    for (const [member, value] of [
      ['note', 'call me'],
      ['warehouse_id', 1],
      ['planning', { priority: 9 }],
    ] as const) {
      const { status, json } = await c.patch(id, { schedule_date: SATURDAY, [member]: value });
      expect([status, json.code, json.errors[0].path]).to.deep.equal([403, 'FORBIDDEN', `/${member}`]);
    }
    expect(outcomeOf(await c.patch(id, { schedule_date: '2020-01-01' }))).to.deep.equal([400, 'INVALID_INPUT']);
    for (const answer of [
      await c.patch(id, { schedule_date: SATURDAY, expected_price: PRICES.saturday }, 'employee'),
      await c.reroute(id, FAR, 'employee', { expected_price: PRICES.far }),
    ])
      expect(outcomeOf(answer)).to.deep.equal([403, 'FORBIDDEN']);
    const other = { email: 'changing.customer@example.com', password: 'a long password' };
    await c.as('client_admin', '/users', { ...other, name: 'Second', role: 'customer' });
    const key = (await c.t.api('/user/login', { body: other })).json.access_token as string;
    const foreign = [
      await c.t.api(`/orders/${id}`, { key, body: { schedule_date: SATURDAY }, method: 'PATCH' }),
      await c.t.api(`/orders/${id}/reroute`, { key, body: { delivery: FAR } }),
    ];
    for (const answer of foreign) expect(outcomeOf(answer)).to.deep.equal([404, 'ORDER_NOT_FOUND']);
    expect(await c.order(id)).to.include({ schedule_date: MONDAY, status: 'NEW_ORDER' });
  });

  it('can_be_changed and can_be_rerouted say what the service accepts', async () => {
    const tries = async (id: number) => {
      const { can_be_changed, can_be_rerouted } = await c.order(id);
      const date = await c.patch(id, { schedule_date: SATURDAY });
      const address = await c.reroute(id, FAR);
      expect([date.status === 200, address.status === 201], `${date.text} ${address.text}`).to.deep.equal([
        can_be_changed,
        can_be_rerouted,
      ]);
      return [date.json.code, address.json.code];
    };
    const scan = async (id: number, status_code: string) => {
      const { packages } = await c.order(id);
      const { tracking_number } = packages[0];
      const body = { tracking_number, status_code, occurred_at: new Date(c.t.now() - 1_000).toISOString() };
      const { status, text } = await c.as('employee', '/scans', body);
      expect(status, text).to.be.oneOf([200, 201]);
    };
    expect(await tries(await c.placed())).to.deep.equal([undefined, undefined]);
    const started = await c.placed();
    await scan(started, 'out_for_pickup');
    expect(await tries(started)).to.deep.equal(['NOT_CHANGEABLE', 'NOT_CHANGEABLE']);
    // The instruction can change until the end.
    await c.changed(started, { delivery_instruction: 'ring twice' });
    await scan(started, 'picked_up');
    expect(await tries(started)).to.deep.equal(['ALREADY_PICKED_UP', 'ALREADY_PICKED_UP']);
    const returned = await c.placed({ type: 'P', delivery: undefined });
    expect((await tries(returned))[1]).to.equal('NOTHING_TO_REROUTE');
    const cancelled = await c.placed();
    await c.as('customer', `/orders/${cancelled}/cancel`, {});
    expect(await tries(cancelled)).to.deep.equal(['ORDER_CLOSED', 'ORDER_CLOSED']);
    const planned = await c.placed();
    const added = await c.onRoute(planned);
    expect(added.status, added.text).to.equal(200);
    expect(await tries(planned)).to.deep.equal(['ORDER_ON_ROUTE', 'ORDER_ON_ROUTE']);
  });

  it('staff change date and address at the same price, and payments and holds stay', async () => {
    const id = await c.placed();
    await c.as('employee', `/orders/${id}/payments`, { amount: '2.00', method: 'cash', reference: 'Receipt 7' });
    expect(await c.changed(id, { schedule_date: SATURDAY }, 'employee')).to.include({ shipping_price: PRICES.near });
    await c.as('employee', `/orders/${id}/hold`, { reason: 'Address unclear' });
    const made = await c.rerouted(id, FAR, 'employee');
    expect(made).to.include({ status: 'HOLD', hold_reason: 'manual', remaining_amount: '3.83' });
    expect(made.shipping_price).to.equal(PRICES.near);
    const { payments } = await c.bill(made.id);
    expect(payments[0]).to.include({ amount: '2.00', method: 'cash', reference: 'Receipt 7' });
    // The customer's wallet gets what the business received.
    const before = Number((await c.balance()) ?? 0);
    await c.as('customer', `/orders/${made.id}/cancel`, {});
    expect(Number(await c.balance()) - before).to.be.closeTo(2, 0.001);
  });

  it('a change that concerns no price keeps the price, also if the card has changed', async () => {
    const id = await c.placed();
    await c.publish({ minimum: '50.00' });
    await c.changed(id, { delivery_instruction: 'ring twice', time_windows: [], schedule_date: MONDAY });
    const made = await c.rerouted(id, { ...NEAR, name: 'Alan Turing', phone: '+49 30 5550100' });
    expect(made).to.include({ shipping_price: PRICES.near, payment_status: 'unpaid' });
    const dearer = await c.changed(made.id, { schedule_date: SATURDAY });
    expect(Number(dearer.shipping_price)).to.be.greaterThan(50);
    await c.publish();
  });

  it('an invoiced order is changed by the office, and its replacement can be invoiced', async () => {
    const id = await c.placed();
    const invoicing = await openInvoicing(c.t);
    const issued = await invoicing.issue();
    expect(issued.status, issued.text).to.equal(201);
    expect(await c.order(id)).to.include({ can_be_changed: false, can_be_rerouted: false });
    expect(outcomeOf(await c.patch(id, { schedule_date: SATURDAY }))).to.deep.equal([409, 'ORDER_INVOICED']);
    expect(outcomeOf(await c.reroute(id, FAR))).to.deep.equal([409, 'ORDER_INVOICED']);
    await c.changed(id, { delivery_instruction: 'ring twice' });
    const made = await c.rerouted(id, FAR, 'employee');
    expect(made).to.include({ shipping_price: PRICES.near, invoice_id: null });
    expect((await c.order(id)).invoice_id).to.be.a('number');
  });

  it('hidden prices: the customer changes the order and sees no price, and the office sees it', async () => {
    await c.terms({ prices_hidden: true, payment_terms: 'wallet_on_create' });
    const before = await c.balance();
    const id = await c.placed();
    const dated = await c.patch(id, { schedule_date: SATURDAY });
    expect(dated.status, dated.text).to.equal(200);
    expect(dated.json.order).to.include({ price_hidden: true, status: 'NEW_ORDER' });
    const moved = await c.reroute(id, FAR);
    expect(moved.status, moved.text).to.equal(201);
    for (const { text } of [dated, moved])
      expect(text).to.not.match(/shipping_price|remaining_amount|"5\.83|7\.83|11\.78|13\.78/);
    expect(
      outcomeOf(await c.patch(moved.json.order_id, { schedule_date: MONDAY, expected_price: '1.00' })),
    ).to.deep.equal([403, 'PRICE_HIDDEN']);
    const token = await signIns(c.t)('customer');
    const call = { order_id: moved.json.order_id, delivery: NEAR, dry_run: true, confirm: true };
    expect(JSON.stringify(await callTool(c.t, 'reroute_to_address', call, { token }))).to.not.match(
      /5\.83|13\.78|7\.83/,
    );
    const ordered = await callTool(c.t, 'create_order', { ...ORDER, dry_run: true }, { token });
    expect(JSON.stringify(ordered))
      .to.include('ChargesSet')
      .and.not.match(/5\.83|4\.90/);
    expect(await c.order(moved.json.order_id, 'employee')).to.include({
      shipping_price: PRICES.farOnSaturday,
      payment_status: 'settle_offline',
    });
    expect(await c.balance()).to.equal(before);
    await c.terms();
  });

  it('have the same read models after a replay', () => expectSameReplay(c.t, ['orders', 'bills', 'wallets']));
});
