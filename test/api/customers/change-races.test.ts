/** Simultaneous and random changes of orders by their customers: the books agree (customers R4). */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { compareBooks } from '../../support/checks/bills-and-wallets.js';
import { eventually } from '../../support/eventually.js';
import { FAR, MONDAY, NEAR, SATURDAY } from '../../support/inputs/changed-orders.js';
import { stopIn } from '../../support/inputs/shipments.js';
import { openChangingCustomer, type ChangingCustomer } from '../../support/worlds/changing-customer.js';

const ABROAD = { ...stopIn('75001'), country: 'FR' };

describe('simultaneous and random changes of orders', () => {
  let c: ChangingCustomer;
  before(async () => void (c = await openChangingCustomer()));
  after(() => c.t.stop());

  it('simultaneous changes: the price is the one of the final order', async () => {
    await c.prepaid();
    await c.fill(500);
    const id = await c.placed();
    const windows = [{ stop: 'delivery', from: '09:00', to: '10:00' }];
    const bodies = [
      { schedule_date: SATURDAY },
      { time_windows: windows },
      { schedule_date: MONDAY },
      { time_windows: [] },
    ];
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => c.patch(id, bodies[n % bodies.length]!)));
    for (const { status, json, text } of answers)
      if (status !== 200) expect(json.code, text).to.be.oneOf(['CONFLICT', 'PAYMENT_IN_PROGRESS']);
    await eventually(async () => (await c.order(id)).payment_status !== 'unpaid', 'the payment');
    await eventually(async () => (await compareBooks(c.t)).open === 0, 'all payments and refunds are finished');
    const final = await c.order(id);
    const cents = 583 + (final.schedule_date === SATURDAY ? 200 : 0) + (final.time_windows.length > 0 ? 100 : 0);
    expect(final).to.include({ shipping_price: (cents / 100).toFixed(2), remaining_amount: '0.00' });
    // One of several reroutes succeeds, also against payments and cancellations.
    const moves = await Promise.all([
      ...Array.from({ length: 4 }, () => c.reroute(id, FAR)),
      c.patch(id, { schedule_date: '2030-12-03' }),
      c.as('customer', `/orders/${id}/cancel`, {}),
    ]);
    expect(moves.filter(({ status }) => status === 201).length).to.be.at.most(1);
    await c.terms();
  });

  it('random changes: wallets, bills and replacements agree, and no order is dispatched unpaid', async () => {
    await c.prepaid();
    await c.fill(60);
    let ids = [await c.placed(), await c.placed(), await c.placed({ pay: 'later' })];
    for (let round = 0; round < 40; round += 1) {
      const id = ids[round % ids.length]!;
      // Not at the same time as the others: the office can charge an order that was cancelled.
      if (round % 8 === 0) await c.setPrice(id, '3.00');
      const acts = [
        () => c.patch(id, { schedule_date: Math.random() < 0.5 ? MONDAY : SATURDAY }),
        () => c.reroute(id, [NEAR, FAR, ABROAD][Math.floor(Math.random() * 3)]!),
        () => c.reroute(id, NEAR, 'employee'),
        () => c.pay(id),
        () => c.as('employee', `/orders/${id}/payments`, { amount: '1.00', method: 'cash' }),
      ];
      const two = [0, 1].map(() => acts[Math.floor(Math.random() * acts.length)]!);
      const answers = await Promise.all(two.map((act) => act()));
      for (const { status, text } of answers) expect(status, text).to.be.lessThan(500);
      const next = answers.find(({ status, json }) => status === 201 && json.replaces_order_id === id);
      if (next) ids = ids.map((one) => (one === id ? (next.json.order_id as number) : one));
    }
    await eventually(async () => (await compareBooks(c.t)).open === 0, 'all payments and refunds are finished');
    const books = await compareBooks(c.t);
    expect(books.received).to.equal(books.captured);
    expect(books.moved).to.equal(books.carried);
    expect(books.cancelledWithMoney).to.deep.equal([]);
    expect(books.ledgerSum).to.match(/^-?0\.00$/);
    await c.terms();
  });

  it('have the same read models after a replay', () => expectSameReplay(c.t, ['orders', 'bills', 'wallets']));
});
