/** Late scans of warehouses and carriers (field-transport F1): no fact is lost, and a parcel can always be received. */
import { expect } from 'chai';
import type { Answer } from '../../support/clients/http.js';
import { eventually } from '../../support/eventually.js';
import { event, timelineOf } from '../../support/inputs/pushes.js';
import { openLateScans, type LateOrder, type LateScans, type Sender } from '../../support/worlds/late-scans.js';

describe('late scans of warehouses and carriers (field-transport F1)', () => {
  let w: LateScans;
  let warehouse_id: number;
  before(async () => {
    w = await openLateScans();
    warehouse_id = await w.warehouse('LATE');
  });
  after(() => w.stop());

  const seqs = new Map<string, number>();
  let ids = 0;
  /** The result of a scan by a scanner of the user. */
  async function op(sender: Sender, what: string, order: LateOrder, minute: number, more: object = {}) {
    const device_id = `gun of ${sender}`;
    const seq = (seqs.get(device_id) ?? 0) + 1;
    seqs.set(device_id, seq);
    const op_id = `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`;
    const one = { op_id, seq, at: w.at(minute), do: what, code: order.number, warehouse_id, ...more };
    const { json, text } = await w.as(sender, '/wms/mobile/ops', { device_id, ops: [one] });
    expect(json.results, text).to.have.length(1);
    return { ...json.results[0], device_id };
  }
  const replace = ({ route }: LateOrder) =>
    w.as('employee', `/routes/${route}/driver`, { driver_id: w.drivers['second'] }, 'PUT');
  const cancel = ({ id }: LateOrder) => w.as('employee', `/orders/${id}/cancel`, { reason: 'by phone' });
  const parcelOf = async ({ number }: LateOrder) =>
    (await w.as('employee', `/wms/mobile/lookup?code=${number}`)).json.choices[0].parcel;

  describe('a parcel in a vehicle is received', () => {
    const AFTER = {
      'after the order was cancelled': cancel,
      'after the driver was replaced': replace,
      'after the order was taken off the route': ({ route, id }: LateOrder) =>
        w.as('employee', `/routes/${route}/orders/remove`, { order_ids: [id] }),
      'after the office scanned it as delivered': ({ number }: LateOrder) =>
        w.scan('employee', number, 'delivered', w.minute()),
    } satisfies Record<string, (order: LateOrder) => Promise<Answer>>;
    for (const [when, change] of Object.entries(AFTER))
      for (const [sender, what] of [
        ['first', 'return'],
        ['first', 'receive'],
        ['employee', 'receive'],
        ['client_admin', 'unload'],
      ] as const)
        // A scan of the delivery takes the parcel out of the vehicle.
        if (what !== 'unload' || !when.includes('delivered'))
          it(`by ${what} of ${sender === 'first' ? 'its driver' : `the ${sender}`} ${when}`, async () => {
            const order = await w.onRoute();
            w.wait(1);
            await op('employee', 'receive', order, w.minute());
            await op('employee', 'load', order, w.minute(), { route_id: order.route });
            w.wait(5);
            expect((await change(order)).status).to.be.below(300);
            const { status } = await w.orderOf(order.id);
            w.wait(1);
            const result = await op(sender, what, order, w.minute());
            expect(result, JSON.stringify(result)).to.include({ outcome: 'applied', status: 'received' });
            expect(await parcelOf(order)).to.include({ status: 'received', warehouse_id });
            const now = (await w.orderOf(order.id)).status;
            expect(now).to.equal(['CANCELLED', 'DELIVERED'].includes(status) ? status : 'RECEIVED');
          });
  });

  it('a load from before the cancellation puts the parcel into the vehicle, where it can be unloaded', async () => {
    const order = await w.onRoute();
    w.wait(1);
    await op('employee', 'receive', order, w.minute());
    w.wait(5);
    await cancel(order);
    w.wait(1);
    const loaded = await op('first', 'load', order, w.minute() - 3, { route_id: order.route });
    expect(loaded).to.include({ outcome: 'applied', status: 'loaded' });
    expect((await w.orderOf(order.id)).status).to.equal('CANCELLED');
    expect(await op('employee', 'unload', order, w.minute())).to.include({ outcome: 'applied', status: 'received' });
    const late = await op('employee', 'load', order, w.minute(), { route_id: order.route });
    expect(late).to.include({ outcome: 'rejected', code: 'ORDER_CLOSED' });
  });

  it('a load by a driver is judged by the driver of the route at its time', async () => {
    const before = await w.onRoute();
    const after = await w.onRoute();
    w.wait(1);
    for (const order of [before, after]) await op('employee', 'receive', order, w.minute());
    w.wait(5);
    for (const order of [before, after]) await replace(order);
    w.wait(1);
    expect(await op('first', 'load', before, w.minute() - 3, { route_id: before.route })).to.include({
      outcome: 'applied',
      status: 'loaded',
    });
    const late = await op('first', 'load', after, w.minute(), { route_id: after.route });
    expect(late).to.include({ outcome: 'conflict', code: 'DRIVER_REPLACED' });
    const settled = await w.as('employee', `/wms/mobile/conflicts/${late.op_id}/settle`, {
      device_id: late.device_id,
      decision: 'apply',
      reason: 'it is in his vehicle',
    });
    expect(settled.json.scan, settled.text).to.include({ outcome: 'applied', status: 'loaded' });
  });

  it('a package that was returned leaves the warehouse, while the order has another one', async () => {
    const order = await w.onRoute({ packages: [{ weight_kg: 1 }, { weight_kg: 2 }] });
    w.wait(1);
    await w.scan('first', order.number, 'return_to_sender', w.minute());
    w.wait(1);
    expect(await op('employee', 'receive', order, w.minute())).to.include({ outcome: 'applied' });
    w.wait(1);
    expect(await op('employee', 'stock_out', order, w.minute())).to.include({ outcome: 'applied', status: 'gone' });
    expect((await w.codesOf(order.number)).at(-1)).to.equal('received');
  });

  it('a driver who never had the parcel does not learn of it', async () => {
    const order = await w.onRoute();
    await cancel(order);
    expect(await op('second', 'return', order, w.minute())).to.include({ outcome: 'rejected', code: 'CODE_UNKNOWN' });
  });

  describe('of a carrier', () => {
    const carrier = async (order: LateOrder, code: string, minute: number) => {
      const answer = await w.service.push(
        timelineOf(order.number, [event(code as never, 0, { occurred_at: w.at(minute) })]),
      );
      return answer.json.events?.[0] ?? answer.json;
    };
    const statusIs = ({ id }: LateOrder, status: string) =>
      eventually(async () => (await w.orderOf(id)).status === status, status);
    async function given(): Promise<LateOrder> {
      const order = await w.onRoute();
      await w.as('employee', `/routes/${order.route}/orders/remove`, { order_ids: [order.id] });
      const { demo } = w.service;
      const answer = await w.as('employee', `/orders/${order.id}/third-party`, { provider: demo.provider.id });
      expect(answer.status, answer.text).to.equal(200);
      w.wait(1);
      return order;
    }

    for (const [code, applied] of [
      ['delivered', 'DELIVERED'],
      ['rejected_by_recipient', 'REJECTED'],
    ] as const)
      it(`${code} for a cancelled order is a conflict on the board, and applied: ${applied}`, async () => {
        const order = await given();
        await carrier(order, 'in_transit', w.minute());
        w.wait(5);
        await cancel(order);
        w.wait(1);
        expect(await carrier(order, code, w.minute() - 3)).to.include({ outcome: 'accepted' });
        const conflict = await eventually(async () => (await w.conflictsOf(order.id))[0], 'the conflict');
        expect(conflict).to.include({ code: 'ORDER_CLOSED', status_code: code, provider: w.service.demo.provider.id });
        expect(await w.settle(conflict.id, 'apply')).to.include({ status: 200 });
        expect((await w.orderOf(order.id)).status).to.equal(applied);
        expect((await w.codesOf(order.number)).filter((one) => one === code)).to.have.length(1);
      });

    it('from before the order was taken back is accepted, and a later one is not', async () => {
      const order = await given();
      w.wait(5);
      const body = { provider: w.service.demo.provider.id };
      expect((await w.as('employee', `/orders/${order.id}/third-party/take`, body)).status).to.equal(200);
      w.wait(5);
      expect(await carrier(order, 'in_transit', w.minute() - 8)).to.include({ outcome: 'accepted' });
      const late = await carrier(order, 'delivered', w.minute());
      expect(JSON.stringify(late)).to.include('NOT_YOUR_SHIPMENT');
      await statusIs(order, 'IN_TRANSIT');
    });

    it('that the carrier retracts no longer counts for the order', async () => {
      const order = await given();
      await carrier(order, 'in_transit', w.minute());
      w.wait(1);
      const { event_id } = await carrier(order, 'delivered', w.minute());
      await statusIs(order, 'DELIVERED');
      const retraction = await w.service.push({
        subject: { tracking_number: order.number },
        events: [{ event_id: 'urn:example:retraction', retracts: event_id, occurred_at: w.at(w.minute()) }],
      } as never);
      expect(retraction.status, retraction.text).to.equal(200);
      await statusIs(order, 'IN_TRANSIT');
      const withdrawal = await w.service.push(
        timelineOf(order.number, [
          event('delivered', 0, { event_id, unretracts: event_id, occurred_at: w.at(w.minute()) }),
        ]),
      );
      expect(withdrawal.json.rejected, withdrawal.text).to.equal(0);
      await statusIs(order, 'DELIVERED');
    });

    it('that the carrier retracts is no longer a conflict', async () => {
      const order = await given();
      await cancel(order);
      w.wait(1);
      const { event_id } = await carrier(order, 'delivered', w.minute());
      await eventually(async () => (await w.conflictsOf(order.id)).length === 1, 'the conflict');
      await w.service.push({
        subject: { tracking_number: order.number },
        events: [{ event_id: `urn:example:${order.number}`, retracts: event_id, occurred_at: w.at(w.minute()) }],
      } as never);
      await eventually(async () => (await w.conflictsOf(order.id))[0].status === 'discarded', 'the retraction');
      expect((await w.orderOf(order.id)).status).to.equal('CANCELLED');
    });
  });
});
