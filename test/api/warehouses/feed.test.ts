/** The feed of a warehouse: its messages and its readers, over real HTTP. */
import { expect } from 'chai';
import { openStream, type Stream } from '../../support/clients/sse.js';
import { openScanners, type Scanners } from '../../support/worlds/scanners.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns, type UserName } from '../../support/worlds/users.js';

describe('feed of a warehouse', () => {
  let t: TestService;
  let s: Scanners;
  let tokenOf: ReturnType<typeof signIns>;
  before(async () => {
    t = await startTestService();
    s = openScanners(t);
    tokenOf = signIns(t);
  });
  after(() => t.stop());

  async function follow(id: number, user: UserName, after?: string): Promise<Stream> {
    const stream = await openStream(`${t.url}/api/v1/wms/warehouses/${id}/events`, {
      authorization: `Bearer ${await tokenOf(user)}`,
      ...(after !== undefined && { 'last-event-id': after }),
    });
    if (stream.status === 200) expect((await stream.next())!.event).to.equal('hello');
    return stream;
  }
  /** The messages up to the first event of a type. */
  async function until(stream: Stream, type: string) {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const feedEvents: any[] = [];
    while (feedEvents.at(-1)?.type !== type) feedEvents.push((await stream.next())!.data);
    return feedEvents;
  }

  it('sends parcels, stock, transfers and places of that warehouse, and continues after a cursor', async () => {
    const [id, other] = [await s.warehouse(), await s.warehouse()];
    const [parcel, elsewhere] = [await s.parcel({ warehouse_id: id }), await s.parcel({ warehouse_id: other })];
    const stream = await follow(id, 'auditor');
    await s.sendAll('feed-other', [s.device('feed-other', other)('receive', elsewhere.number)]);
    const scan = s.device('feed', id);
    await s.sendAll('feed', [scan('receive', parcel.number, { location: 'A-1' })]);
    const stock = { warehouse_id: id, sku: 'NAIL', location: 'A-2', quantity: '7' };
    await s.as('employee', '/wms/stock/receive', { body: stock });
    const tracking_numbers = [parcel.number];
    const transfer = { from_warehouse_id: id, to_warehouse_id: other, tracking_numbers, reason_code: 'relocation' };
    const { id: transfer_id } = (await s.as('employee', '/warehouse-transfers', { body: transfer })).json.transfer;
    const blocked = { method: 'PATCH', body: { blocked: true, reason: 'wet' } } as const;
    await s.as('employee', `/wms/warehouses/${id}/locations/A-1`, blocked);
    const feedEvents = await until(stream, 'LocationBlocked');
    stream.close();
    expect(feedEvents.map(({ order_id }) => order_id)).to.not.include(elsewhere.order_id);
    const about = { order_id: parcel.order_id, tracking_number: parcel.number };
    expect(feedEvents).to.containSubset([
      { type: 'PackageScanned', ...about, location: 'A-1' },
      { type: 'SkuReceived', sku: 'NAIL', on_hand: '7', available: '7' },
      { type: 'ParcelTransferred', ...about, transfer_id },
      { type: 'TransferPackageMoved', transfer_id, tracking_number: parcel.number },
    ]);
    const at = feedEvents.findIndex(({ type }) => type === 'SkuReceived');
    const again = await follow(id, 'auditor', feedEvents[at].cursor);
    expect(await until(again, 'LocationBlocked')).to.deep.equal(feedEvents.slice(at + 1));
    again.close();
  });

  it('sends drivers only places, and other businesses nothing', async () => {
    const id = await s.warehouse();
    const parcel = await s.parcel({ warehouse_id: id });
    const stream = await follow(id, 'driver');
    await s.sendAll('feed-2', [s.device('feed-2', id)('receive', parcel.number)]);
    const locations = [{ code: 'B-1' }];
    await s.as('employee', `/wms/warehouses/${id}/locations/batch`, { method: 'POST', body: { locations } });
    expect((await until(stream, 'LocationsPut')).map(({ type }) => type)).to.deep.equal(['LocationsPut']);
    stream.close();
    expect((await follow(id, 'other_client_admin')).status).to.equal(404);
  });
});
