/** Which callers may read the order of a parcel; for all others there is no look-up. */
import { expect } from 'chai';
import { createParcelOrders } from '../../../src/areas/wiring/parcel-orders.js';
import type { Caller } from '../../../src/api/core/callers.js';
import type { Order, OrderViewer } from '../../../src/projections/orders/queries.js';
import type { TrackingRow } from '../../../src/projections/trackings/row.js';

const row = (members: object = {}) =>
  ({ owner: { kind: 'business', id: '1' }, number: 'A1', subject: { order_id: '7' }, ...members }) as TrackingRow;
const user = (role: string, members: object = {}) =>
  ({ role, userId: 5, businessId: 1, scopes: new Set(['orders:read']), ...members }) as unknown as Caller;
const ORDER = { id: 7, order_ref: 'R7', packages: [{ tracking_number: 'A1' }], planning: null } as unknown as Order;

function captureQueries() {
  const viewers: OrderViewer[] = [];
  const orders = createParcelOrders({
    orders: {
      byIds: (ids, viewer) => {
        viewers.push(viewer);
        return Promise.resolve(new Map(ids.includes(7) && viewer.business === 1 ? [[7, ORDER]] : []));
      },
    },
    trackings: { byId: () => Promise.resolve(undefined) },
    now: () => 0,
  });
  return { viewers, orders };
}

describe('order of a parcel', () => {
  it('is read only for its business, as a read of the order', async () => {
    const { viewers, orders } = captureQueries();
    for (const role of ['client_admin', 'employee', 'auditor', 'broker', 'driver', 'customer'])
      expect((await orders.read(row(), user(role)))?.order_ref, role).to.equal('R7');
    expect(viewers).to.deep.equal([
      { business: 1 },
      { business: 1 },
      { business: 1 },
      { business: 1, brokerId: 5 },
      { business: 1, driverId: 5 },
      { business: 1, customerId: 5 },
    ]);
  });

  it('causes no look-up for others', async () => {
    const { viewers, orders } = captureQueries();
    const strangers: readonly [Caller, TrackingRow][] = [
      [{ role: 'anonymous' } as Caller, row()],
      [{ role: 'provider', id: '1', scopes: new Set() } as unknown as Caller, row()],
      [user('client_admin', { businessId: 2 }), row()],
      [user('client_admin', { scopes: new Set(['audit:read']) }), row()],
      [user('platform_admin', { businessId: null }), row()],
      [user('client_admin'), row({ owner: { kind: 'provider', id: '1' } })],
      [user('client_admin'), row({ subject: { tracking_number: 'A1' } })],
    ];
    for (const [caller, tracking] of strangers) expect(await orders.read(tracking, caller)).to.equal(undefined);
    expect(viewers).to.deep.equal([]);
  });

  it('decides whether the parcel is its own', async () => {
    expect(await captureQueries().orders.read(row({ number: 'B2' }), user('employee'))).to.equal(undefined);
  });
});
