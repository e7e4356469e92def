/** The warehouse of an order: given, by default, or corrected. */
import { expect } from 'chai';
import { expectCaughtUp } from '../../support/checks/caught-up.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openOrderFixture, STOP, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import type { UserName } from '../../support/worlds/users.js';

describe('warehouse of an order', () => {
  let t: TestService;
  let fixture: OrderFixture;
  before(async () => {
    t = await startTestService();
    fixture = openOrderFixture(t);
  });
  after(() => t.stop());

  let opened = 0;
  async function open(user: UserName = 'client_admin'): Promise<number> {
    const body = { code: `OWN${(opened += 1)}`, name: 'Hub', address: STOP, timezone: 'UTC' };
    return (await fixture.as(user, '/wms/warehouses', { body })).json.warehouse.id;
  }
  const makeDefault = (id: number) => fixture.as('employee', `/wms/warehouses/${id}/make-default`, { body: {} });
  const ownOf = async (members: object = {}) =>
    (await fixture.read((await fixture.order(members)).order_id)).warehouse_id;

  it('is absent, then the default warehouse, then the given warehouse', async () => {
    expect(await ownOf()).to.equal(null);
    const [first, second] = [await open(), await open()];
    await makeDefault(first);
    await makeDefault(second);
    const { order_id } = await fixture.order();
    expect((await fixture.read(order_id)).warehouse_id).to.equal(second);
    expect(await ownOf({ warehouse_id: first })).to.equal(first);
    expect(await ownOf({ type: 'P2P', pickup: STOP })).to.equal(null);
    const { json } = await fixture.as('employee', '/wms/warehouses');
    expect(json.warehouses.map(({ is_default }: { is_default: boolean }) => is_default)).to.deep.equal([false, true]);
    await fixture.as('client_admin', `/orders/${order_id}/cancel`, { body: {} });
    await expectCaughtUp(t.service, ['packages_at']);
    expect((await fixture.as('employee', `/wms/warehouses/${second}`, { method: 'DELETE' })).status).to.equal(200);
    expect(await ownOf()).to.equal(null);
    await makeDefault(first);
    expect(await ownOf()).to.equal(first);
  });

  it('can be corrected, is kept by a rerouted order, and stays when the order has ended', async () => {
    const [first, second] = [await open(), await open()];
    const { order_id } = await fixture.order({ warehouse_id: first });
    const put = (warehouse_id: number, id = order_id) =>
      fixture.as('employee', `/orders/${id}`, { method: 'PATCH', body: { warehouse_id } });
    expect((await put(second)).status).to.equal(200);
    expect((await put(second)).status).to.equal(200);
    expect((await fixture.read(order_id)).warehouse_id).to.equal(second);
    const { json } = await fixture.as('employee', '/tracking/operationevents', { body: { order_id } });
    expect(json.events.filter(({ type }: { type: string }) => type === 'OrderWarehouseSet')).to.have.length(2);
    const rerouted = await fixture.as('client_admin', `/orders/${order_id}/reroute`, { body: { delivery: STOP } });
    expect((await fixture.read(rerouted.json.order_id)).warehouse_id).to.equal(second);
    expect((await put(first)).json.code).to.equal('ORDER_CLOSED');
  });

  it('is never that of another business, nor a closed one', async () => {
    const foreign = await open('other_client_admin');
    const closed = await open();
    await fixture.as('employee', `/wms/warehouses/${closed}`, { method: 'DELETE' });
    const { order_id } = await fixture.order();
    for (const warehouse_id of [foreign, closed]) {
      const body = { type: 'D', delivery: STOP, warehouse_id };
      expect((await fixture.as('client_admin', '/client/orderCreate', { body })).json.code).to.equal(
        'WAREHOUSE_NOT_FOUND',
      );
      const put = await fixture.as('employee', `/orders/${order_id}`, { method: 'PATCH', body: { warehouse_id } });
      expect(put.json.code).to.equal('WAREHOUSE_NOT_FOUND');
    }
  });

  it('have the same rows after a replay', () => expectSameReplay(t, ['orders', 'warehouses']));
});
