/** Filters of ends of day, and orders that are submitted without a manifest. */
import { expect } from 'chai';
import { endsOfDay } from '../../support/labels/ends-of-day.js';
import { dayIn } from '../../support/worlds/days.js';
import { openLabelWorld, shipmentOf, type LabelWorld } from '../../support/labels/world.js';

describe('submission of label orders', () => {
  let w: LabelWorld;
  before(async () => {
    w = await openLabelWorld();
  });
  after(() => w?.stop());

  const { bought, boughtMany, orderOf, endDay } = endsOfDay(() => w);

  it('filters by ship date and account, and refuses unknown accounts', async () => {
    const day = dayIn(2);
    const [today, later] = [await bought('sheet'), await bought('sheet', shipmentOf(1, { ship_date: day }))];
    expect((await endDay({ ship_date: day, carrier_account_ids: [w.outside.id] })).manifests).to.deep.equal([]);
    const ended = await endDay({ ship_date: day });
    expect(ended.manifests.map(({ order_ids, ship_date }) => [order_ids, ship_date])).to.deep.equal([[[later], day]]);
    expect((await orderOf(today)).status).to.equal('LABEL_PURCHASED');
    const unknown = await w.as('employee', '/label-orders/end-day', { carrier_account_ids: [987_654] });
    expect([unknown.status, unknown.json.code]).to.deep.equal([404, 'CARRIER_ACCOUNT_NOT_FOUND']);
    for (const wait_s of [-1, 13])
      expect((await w.as('employee', '/label-orders/end-day', { wait_s })).status).to.equal(400);
    expect((await orderOf(today)).status).to.equal('LABEL_PURCHASED');
  });

  it('submits named orders, skips submitted ones, and reports unknown ones', async () => {
    const [one, two, voided] = await boughtMany('sheet', 3);
    await w.as('employee', '/label-orders/cancel', { order_id: voided });
    const submit = (order_ids: readonly unknown[]) =>
      w.as('employee', '/labelservice/submitShippingInformation', { order_ids });
    const first = await submit([one, one, two, voided, 987_654]);
    expect(first.status, first.text).to.equal(200);
    expect(first.json).to.include({ result: false, submitted: 2, skipped: 0, job_id: null });
    expect(
      first.json.errors.map((error: { order_id: number; code: string }) => [error.order_id, error.code]),
    ).to.deep.equal([
      [voided, 'NO_LABEL'],
      [987_654, 'ORDER_NOT_FOUND'],
    ]);
    expect((await submit([one, two])).json).to.include({ result: true, submitted: 0, skipped: 2 });
    const order = await orderOf(one!);
    expect(order.status).to.equal('SUBMITTED');
    expect((await w.t.read((order.tracking_numbers as string[])[0]!)).text).to.include('booking_confirmed');
    expect((await submit(Array.from({ length: 501 }, (_, n) => n))).status).to.equal(400);
    expect((await submit([])).status).to.equal(400);
  });
});
