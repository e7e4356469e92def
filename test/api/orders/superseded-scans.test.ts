/** A wrong scan is corrected by an event that supersedes it; the scan stays in the log. */
import { expect } from 'chai';
import { storedEvents } from '../../support/checks/stored-events.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openLateScans, type LateOrder, type LateScans, type Sender } from '../../support/worlds/late-scans.js';

describe('a wrong scan', () => {
  let w: LateScans;
  before(async () => void (w = await openLateScans()));
  after(() => w.stop());

  const scan = async (order: LateOrder, code: string, sender: Sender = 'first', number = order.number) => {
    w.wait(1);
    const { json, text } = await w.scan(sender, number, code, w.minute());
    expect(json.scan?.outcome, text).to.equal('applied');
    return json.scan.id as string;
  };
  const supersede = (order: LateOrder, scanId: string, more: object = {}, sender: Sender = 'employee') =>
    w.as(sender, `/orders/${order.id}/scans/${scanId}/supersede`, { reason: 'wrong door', ...more });

  it('no longer counts: the order returns to its status, and the timeline retracts the scan', async () => {
    const order = await w.onRoute();
    await scan(order, 'out_for_delivery');
    const wrong = await scan(order, 'delivered');
    expect((await w.orderOf(order.id)).status).to.equal('DELIVERED');
    const answer = await supersede(order, wrong);
    expect(answer.json.order, answer.text).to.include({ status: 'OUT_FOR_DELIVERY' });
    expect(answer.json.order.packages[0].last_scan).to.equal('out_for_delivery');
    expect(await w.codesOf(order.number)).not.to.include('delivered');
    const again = await supersede(order, wrong);
    expect([again.status, again.json.code]).to.deep.equal([409, 'SCAN_SUPERSEDED']);
    await scan(order, 'delivered');
    expect((await w.orderOf(order.id)).status).to.equal('DELIVERED');
    const events = await storedEvents(w.service.service.engines.log);
    expect(events.filter(({ id, stream }) => id === wrong && stream === `order-${order.id}`)).to.have.length(1);
  });

  it('is replaced by the right one in the same step', async () => {
    const order = await w.onRoute();
    const wrong = await scan(order, 'delivered');
    const replacement = {
      status_code: 'delivery_failed',
      occurred_at: w.at(w.minute()),
      reason_code: 'recipient_absent',
    };
    const answer = await supersede(order, wrong, { replacement });
    expect(answer.json.order, answer.text).to.include({ status: 'DELIVERY_FAILED' });
    expect((await w.codesOf(order.number)).slice(-1)).to.deep.equal(['delivery_failed']);
  });

  it('of an earlier moment leaves the later status', async () => {
    const order = await w.onRoute();
    const wrong = await scan(order, 'delivery_failed');
    await scan(order, 'out_for_delivery');
    expect((await supersede(order, wrong)).json.order.status).to.equal('OUT_FOR_DELIVERY');
  });

  it('of a parcel that arrived at the warehouse leaves the order there', async () => {
    const order = await w.onRoute();
    await scan(order, 'out_for_delivery');
    const wrong = await scan(order, 'delivered');
    await scan(order, 'received', 'employee');
    expect((await supersede(order, wrong)).json.order.status).to.equal('RECEIVED');
    await w.as('employee', `/routes/${order.route}/orders/remove`, { order_ids: [order.id] });
    expect((await w.orderOf(order.id)).status).to.equal('RECEIVED');
  });

  it('of one package leaves the status by the same scan of the other one', async () => {
    const order = await w.onRoute({ packages: [{ weight_kg: 1 }, { weight_kg: 2 }] });
    const [, second] = (await w.orderOf(order.id)).packages;
    const wrong = await scan(order, 'out_for_delivery');
    await scan(order, 'out_for_delivery', 'first', second.tracking_number);
    expect((await supersede(order, wrong)).json.order.status).to.equal('OUT_FOR_DELIVERY');
  });

  it('that a telephone sends again is a duplicate', async () => {
    const order = await w.onRoute();
    const wrong = await scan(order, 'delivered');
    await supersede(order, wrong);
    const again = await w.scan('first', order.number, 'delivered', w.minute());
    expect(again.json.scan, again.text).to.include({ id: wrong, outcome: 'duplicate' });
    expect((await w.orderOf(order.id)).status).to.equal('PLANNED');
  });

  it('is replaced by a driver only with a scan from a time when the driver had the order', async () => {
    const order = await w.onRoute();
    w.wait(1);
    const own = await scan(order, 'out_for_delivery');
    const minute = w.minute();
    w.wait(2);
    await w.as('employee', `/routes/${order.route}/driver`, { driver_id: w.drivers['second'] }, 'PUT');
    w.wait(2);
    const replaced = (at: number) =>
      supersede(order, own, { replacement: { status_code: 'delivered', occurred_at: w.at(at) } }, 'first');
    const late = await replaced(w.minute());
    expect([late.status, late.json.code], late.text).to.deep.equal([409, 'DRIVER_REPLACED']);
    expect((await w.orderOf(order.id)).status).to.equal('OUT_FOR_DELIVERY');
    const right = await replaced(minute);
    expect(right.status, right.text).to.equal(200);
    expect((await w.orderOf(order.id)).status).to.equal('DELIVERED');
  });

  it('keeps a decision of the office', async () => {
    const order = await w.onRoute();
    const wrong = await scan(order, 'delivery_failed');
    await w.as('employee', `/orders/${order.id}/cancel`, { reason: 'by phone' });
    expect((await supersede(order, wrong)).json.order.status).to.equal('CANCELLED');
  });

  it('of one of two packages opens an order that had ended', async () => {
    const order = await w.onRoute({ packages: [{ weight_kg: 1 }, { weight_kg: 2 }] });
    const [, second] = (await w.orderOf(order.id)).packages;
    await scan(order, 'out_for_delivery');
    const wrong = await scan(order, 'delivered');
    await scan(order, 'delivered', 'first', second.tracking_number);
    expect((await w.orderOf(order.id)).status).to.equal('DELIVERED');
    expect((await supersede(order, wrong)).json.order.status).to.equal('OUT_FOR_DELIVERY');
    await scan(order, 'return_to_sender');
    expect((await w.orderOf(order.id)).status).to.equal('DELIVERED');
  });

  it('of a package that ended before the cancellation leaves the package cancelled', async () => {
    const order = await w.onRoute({ packages: [{ weight_kg: 1 }, { weight_kg: 2 }] });
    await scan(order, 'out_for_delivery');
    const wrong = await scan(order, 'delivered');
    w.wait(1);
    await w.as('employee', `/orders/${order.id}/cancel`, { reason: 'by phone' });
    expect(await w.codesOf(order.number)).not.to.include('cancelled');
    expect((await supersede(order, wrong)).json.order.status).to.equal('CANCELLED');
    expect((await w.codesOf(order.number)).slice(-2)).to.deep.equal(['out_for_delivery', 'cancelled']);
  });

  it('does not open an order by a receipt of a package that was delivered', async () => {
    const order = await w.onRoute({ packages: [{ weight_kg: 1 }, { weight_kg: 2 }] });
    await scan(order, 'out_for_delivery');
    await scan(order, 'delivered');
    await scan(order, 'received', 'employee');
    expect((await w.orderOf(order.id)).status).to.equal('OUT_FOR_DELIVERY');
  });

  it('is corrected by drivers only if it is their own', async () => {
    const order = await w.onRoute();
    const own = await scan(order, 'out_for_delivery');
    const office = await scan(order, 'delivery_failed', 'employee');
    for (const [sender, id] of [
      ['first', office],
      ['second', own],
      ['first', '00000000-0000-5000-8000-000000000000'],
    ] as const) {
      const { status, json } = await supersede(order, id, {}, sender);
      expect([status, json.code], sender).to.deep.equal([404, 'ORDER_NOT_FOUND']);
    }
    expect((await supersede(order, own, {}, 'first')).status).to.equal(200);
    const other = await supersede(order, office, {}, 'other_client_admin' as Sender);
    expect([other.status, other.json.code]).to.deep.equal([404, 'ORDER_NOT_FOUND']);
  });

  it('rejects a replacement that is impossible', async () => {
    const order = await w.onRoute();
    const wrong = await scan(order, 'delivered');
    const replacement = { status_code: 'delivered', occurred_at: w.at(w.minute() + 120) };
    const { status, json } = await supersede(order, wrong, { replacement });
    expect([status, json.errors?.[0]?.path]).to.deep.equal([400, '/replacement/occurred_at']);
    expect((await w.orderOf(order.id)).status).to.equal('DELIVERED');
  });

  it('in a warehouse returns the parcel to its place', async () => {
    const order = await w.onRoute();
    const warehouse_id = await w.warehouse('DOCKX');
    let seq = 0;
    const op = async (what: string, more: object = {}) => {
      w.wait(1);
      const ops = [
        {
          op_id: `00000000-0000-4000-8000-0000000000${String(++seq).padStart(2, '0')}`,
          seq,
          at: w.at(w.minute()),
          do: what,
          code: order.number,
          warehouse_id,
          ...more,
        },
      ];
      const { json, text } = await w.as('employee', '/wms/mobile/ops', { device_id: 'gun', ops });
      expect(json.results?.[0].outcome, text).to.equal('applied');
      return json.results[0].status as string;
    };
    const placeOf = async () =>
      (await w.as('employee', `/wms/mobile/lookup?code=${order.number}`)).json.choices[0].parcel;
    expect(await op('receive')).to.equal('received');
    expect(await op('load', { route_id: order.route })).to.equal('loaded');
    const scans = (await storedEvents(w.service.service.engines.log)).filter(
      ({ stream, type }) => stream === `order-${order.id}` && type === 'PackageScanned',
    );
    expect((await supersede(order, scans.at(-1)!.id)).json.order.status).to.equal('RECEIVED');
    expect(await placeOf()).to.include({ status: 'received', warehouse_id });
  });

  it('gives the same read models after a rebuild', () =>
    expectSameReplay(w.service, ['orders', 'scan_conflicts', 'packages_at', 'timeline']));
});
