/** A warehouse can be closed when it is empty and no parcel is on the way to it or starts from it: over real HTTP. */
import { expect } from 'chai';
import { expectCaughtUp } from '../../support/checks/caught-up.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { dayIn } from '../../support/worlds/days.js';
import { openScanners, type Parcel, type Scanners } from '../../support/worlds/scanners.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('closing a warehouse', () => {
  let t: TestService;
  let s: Scanners;
  before(async () => {
    t = await startTestService();
    s = openScanners(t);
  });
  after(() => t.stop());

  const close = async (id: number) => {
    await expectCaughtUp(t.service, ['packages_at', 'transfers', 'stock']);
    return s.as('employee', `/wms/warehouses/${id}`, { method: 'DELETE' });
  };
  async function expectInUse(id: number) {
    const { status, json, text } = await close(id);
    expect(status, text).to.equal(409);
    expect(json.code).to.equal('WAREHOUSE_IN_USE');
  }
  const transfer = async (what: string, body: object) => {
    const { status, json, text } = await s.as('employee', `/warehouse-transfers${what}`, { body });
    expect(status, text).to.be.below(300);
    return json;
  };

  it('warehouse R11: waits for orders on a route from the warehouse, and for unplanned orders', async () => {
    const id = await s.warehouse();
    const planned = await s.parcel({ warehouse_id: id });
    await s.route([planned], { schedule_date: dayIn(2) });
    await expectInUse(id);
    await s.as('client_admin', `/orders/${planned.order_id}/cancel`, { body: {} });
    const waiting = await s.parcel({ warehouse_id: id });
    await expectInUse(id);
    const other = await s.warehouse();
    const body = { warehouse_id: other };
    await s.as('client_admin', `/orders/${waiting.order_id}`, { method: 'PATCH', body });
    expect((await close(id)).status).to.equal(200);
    await s.as('client_admin', `/orders/${waiting.order_id}/cancel`, { body: {} });
    expect((await close(other)).status).to.equal(200);
  });

  it('warehouse R11: waits for transfers to it', async () => {
    const [a, b] = [await s.warehouse(), await s.warehouse()];
    const [parcel, lost] = (await s.parcels(2, { warehouse_id: a })) as [Parcel, Parcel];
    const scan = s.device('closing', a);
    await s.sendAll('closing', [scan('receive', parcel.number), scan('receive', lost.number)]);
    const made = await transfer('', {
      from_warehouse_id: a,
      to_warehouse_id: b,
      tracking_numbers: [parcel.number, lost.number],
      mode: 'ship',
      reason_code: 'relocation',
    });
    await expectInUse(b);
    await transfer(`/${made.transfer.id}/ship`, {});
    await expectInUse(b);
    await transfer(`/${made.transfer.id}/arrive`, { tracking_numbers: [parcel.number] });
    await transfer(`/${made.transfer.id}/complete`, {});
    await s.as('client_admin', `/orders/${parcel.order_id}/cancel`, { body: {} });
    await expectInUse(b);
    await s.sendAll('closing-b', [s.device('closing-b', b)('stock_out', parcel.number)]);
    expect((await close(b)).status).to.equal(200);
  });

  it('have the same rows after a replay', () => expectSameReplay(t, ['warehouses', 'packages_at', 'transfers']));
});
