/** Transfers of parcels between warehouses, over real HTTP. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import { transfers as decider, type TransferChange } from '../../../src/commands/transfers/decider.js';
import { transferStream } from '../../../src/events/transfers/events.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { eventually } from '../../support/eventually.js';
import { openScanners, type Parcel, type Scanners } from '../../support/worlds/scanners.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('transfers between warehouses', () => {
  let t: TestService;
  let s: Scanners;
  before(async () => {
    t = await startTestService();
    s = openScanners(t);
  });
  after(() => t.stop());

  const create = (from: number, to: number, parcels: readonly Parcel[], members: object = {}) =>
    s.as('employee', '/warehouse-transfers', {
      body: {
        from_warehouse_id: from,
        to_warehouse_id: to,
        tracking_numbers: parcels.map(({ number }) => number),
        reason_code: 'mis_received',
        ...members,
      },
    });
  const step = (id: number, what: string, body: object = {}) =>
    s.as('employee', `/warehouse-transfers/${id}/${what}`, { body });
  const read = async (id: number) => (await s.as('auditor', `/warehouse-transfers/${id}`)).json.transfer;
  const at = async (warehouse_id: number) =>
    (await s.as('auditor', '/wms/inventory', { body: { kind: 'packages', warehouse_id, per_page: 200 } })).json
      .packages as { tracking_number: string; own_warehouse_id: number }[];
  /** Parcels of orders of `home` that were received at `dock`. */
  async function received(count: number, dock: number, home = dock): Promise<Parcel[]> {
    const parcels = await s.parcels(count, { warehouse_id: home });
    const name = randomUUID();
    const scan = s.device(name, dock);
    await s.sendAll(
      name,
      parcels.map(({ number }) => scan('receive', number)),
    );
    return parcels;
  }

  it('warehouse 4: correct receipts at the wrong place, and roll back all but parcels that moved on', async () => {
    const [a, b] = [await s.warehouse(), await s.warehouse()];
    const parcels = await received(40, a, b);
    const made = await create(a, b, parcels, { note: 'night shift' });
    expect(made.json, made.text).to.include({ result: true, moved: 40, skipped: 0 });
    expect(made.json.transfer).to.include({ status: 'moved', package_count: 40 });
    const id = made.json.transfer.id as number;
    expect(await at(a)).to.deep.equal([]);
    expect(await at(b)).to.have.length(40);

    const gone = parcels.slice(0, 10);
    const route_id = await s.route(gone);
    const scan = s.device('loader', b);
    await s.sendAll('loader', [
      ...gone.map(({ number }) => scan('load', number, { route_id })),
      scan('put_away', parcels[11]!.number, { location: 'A-1' }),
    ]);
    const back = await step(id, 'rollback', { reason: 'they were right before' });
    expect(back.json, back.text).to.include({ rolled_back: 30, kept: 10 });
    expect(back.json.errors.map(({ code }: { code: string }) => code)).to.deep.equal(Array(10).fill('LOADED'));
    expect(await at(a)).to.have.length(30);
    const again = await step(id, 'rollback', { reason: 'once more' });
    expect(again.json).to.deep.equal(back.json);
    const transfer = await read(id);
    expect(back.json.transfer).to.deep.equal(transfer);
    expect(transfer).to.include({ status: 'rolled_back', note: 'night shift', package_count: 40 });
    expect(transfer.parcels.filter(({ status }: { status: string }) => status === 'kept_back')).to.have.length(10);
    const { events } = (await s.as('auditor', `/warehouse-transfers/${id}/audit`)).json;
    const count = (type: string) => events.filter((event: { type: string }) => event.type === type).length;
    expect(events[0]).to.containSubset({ type: 'TransferCreated', actor: { kind: 'user', channel: 'rest' } });
    expect([
      count('TransferPackageMoved'),
      count('TransferRollbackBegun'),
      count('TransferPackageRolledBack'),
      count('TransferPackageKeptBack'),
      count('TransferRolledBack'),
    ]).to.deep.equal([40, 1, 30, 10, 1]);
  });

  it('are driven: marked, shipped, arrived, and the rest is missing', async () => {
    const [a, b] = [await s.warehouse(), await s.warehouse()];
    const parcels = await received(3, a);
    const id = (await create(a, b, parcels, { mode: 'ship', reason_code: 'relocation' })).json.transfer.id as number;
    expect(await at(a)).to.have.length(3);
    const scan = s.device('ship-gun', a);
    const load = await s.send('ship-gun', [scan('stock_out', parcels[0]!.number)]);
    expect(load.json.results[0]).to.include({ outcome: 'conflict', code: 'IN_TRANSFER' });
    expect((await step(id, 'arrive', { tracking_numbers: [parcels[0]!.number] })).json.code).to.equal('TRANSFER_STATE');
    const shipped = await step(id, 'ship', { seal: 'S-77', vehicle: 'B-XY 1' });
    expect(shipped.json).to.containSubset({ shipped: 3, transfer: { status: 'shipped' } });
    expect(await at(a)).to.deep.equal([]);
    const stranger = (await received(1, b))[0]!;
    const arrived = await step(id, 'arrive', {
      tracking_numbers: [parcels[0]!.number, parcels[1]!.number, stranger.number, 'NEVER-SEEN'],
    });
    expect(arrived.json, arrived.text).to.containSubset({ arrived: 2, missing: 1, transfer: { status: 'arriving' } });
    expect(arrived.json.errors.map(({ code }: { code: string }) => code).sort()).to.deep.equal([
      'CODE_UNKNOWN',
      'UNKNOWN_PACKAGE',
    ]);
    const completed = await step(id, 'complete');
    expect(completed.json).to.containSubset({ arrived: 2, missing: 1, transfer: { status: 'completed' } });
    expect((await read(id)).parcels.map(({ status }: { status: string }) => status).sort()).to.deep.equal([
      'arrived',
      'arrived',
      'missing',
    ]);
    const { events } = (await s.as('employee', `/otep/trackings/${parcels[0]!.number}`)).json;
    const { name } = (await s.as('employee', `/wms/warehouses/${b}`)).json.warehouse;
    const places = events.map(({ status_code, location }: { status_code: string; location?: { name: string } }) => [
      status_code,
      location?.name,
    ]);
    expect(places).to.deep.include(['arrival_scan', name]);
    expect(places.map(([code]: [string]) => code)).to.include('package_outbound');
    expect((await s.read(parcels[0]!.order_id)).warehouse_id).to.equal(b);
    expect((await s.read(parcels[2]!.order_id)).warehouse_id).to.equal(a);
  });

  it('if two concurrent transfers contain one parcel, one gets the parcel, and the other a conflict', async () => {
    const [a, b, c] = [await s.warehouse(), await s.warehouse(), await s.warehouse()];
    const parcels = await received(5, a);
    const both = await Promise.all([b, c].map((to) => create(a, to, parcels, { mode: 'ship' })));
    expect(both[0]!.json.moved + both[1]!.json.moved).to.equal(5);
    const errors = both.flatMap(({ json }) => json.errors);
    expect(errors.map(({ code }) => code)).to.deep.equal(Array(5).fill('IN_TRANSFER'));
  });

  it('reject missing parcels, and other businesses’ warehouses', async () => {
    const [a, b] = [await s.warehouse(), await s.warehouse()];
    const elsewhere = await received(1, b);
    const none = await create(a, b, elsewhere);
    expect(none.json).to.include({ result: false, moved: 0, skipped: 1 });
    expect(none.json.errors[0]).to.include({ code: 'NOT_AT_WAREHOUSE' });
    expect((await create(a, a, elsewhere)).json.code).to.equal('SAME_WAREHOUSE');
    expect((await create(a, b, [{ order_id: 0, number: 'NEVER' }])).json.code).to.equal('CODE_UNKNOWN');
    const foreign = await s.warehouse('other_client_admin');
    expect((await create(a, foreign, elsewhere)).json.code).to.equal('WAREHOUSE_NOT_FOUND');
    expect((await step(999_999, 'ship')).json.code).to.equal('TRANSFER_NOT_FOUND');
  });

  /** Parcels of one order. */
  async function together(count: number, members: object = {}): Promise<Parcel[]> {
    const packages = Array.from({ length: count }, () => ({ weight_kg: 1 }));
    const { order_id, tracking_numbers } = await s.order({ ...members, packages });
    return tracking_numbers.map((number: string) => ({ order_id, number }));
  }

  it('of an order with several parcels move each expected one', async () => {
    const [a, b] = [await s.warehouse(), await s.warehouse()];
    const parcels = await together(2, { warehouse_id: a });
    const made = await create(a, b, parcels);
    expect(made.json, made.text).to.include({ moved: 2, skipped: 0 });
    expect((await s.read(parcels[0]!.order_id)).warehouse_id).to.equal(b);
    const back = await step(made.json.transfer.id, 'rollback', { reason: 'they were right before' });
    expect(back.json, back.text).to.include({ rolled_back: 2, kept: 0 });
    expect((await s.read(parcels[0]!.order_id)).warehouse_id).to.equal(a);
  });

  it('warehouse R10: rolled back, an order with several parcels is where they are; later manual changes stay', async () => {
    const [a, b, c] = [await s.warehouse(), await s.warehouse(), await s.warehouse()];
    const parcels = await together(2, { warehouse_id: a });
    const scan = s.device('several', a);
    await s.sendAll(
      'several',
      parcels.map(({ number }) => scan('receive', number)),
    );
    const order = () => s.read(parcels[0]!.order_id);
    const first = await create(a, b, parcels);
    const back = await step(first.json.transfer.id, 'rollback', { reason: 'they were right before' });
    expect(back.json, back.text).to.include({ rolled_back: 2, kept: 0 });
    expect((await order()).warehouse_id).to.equal(a);
    expect((await at(a)).map(({ own_warehouse_id }) => own_warehouse_id)).to.deep.equal([a, a]);
    const second = await create(a, b, parcels);
    await s.as('client_admin', `/orders/${parcels[0]!.order_id}`, { method: 'PATCH', body: { warehouse_id: c } });
    await step(second.json.transfer.id, 'rollback', { reason: 'once more' });
    expect((await order()).warehouse_id).to.equal(c);
  });

  it('warehouse R10: a number outside the transfer uses up no rollback', async () => {
    const [a, b] = [await s.warehouse(), await s.warehouse()];
    const [parcel, stranger] = (await received(2, a)) as [Parcel, Parcel];
    const id = (await create(a, b, [parcel])).json.transfer.id as number;
    const back = (...tracking_numbers: string[]) => step(id, 'rollback', { reason: 'mistyped', tracking_numbers });
    for (const [number, code] of [
      ['TYPO123', 'CODE_UNKNOWN'],
      [stranger.number, 'NOT_OF_TRANSFER'],
    ] as const)
      for (const numbers of [[number], [parcel.number, number]]) {
        const refused = await back(...numbers);
        expect(refused.status, refused.text).to.equal(404);
        expect(refused.json.code).to.equal(code);
        expect(refused.json.errors).to.containSubset([{ field: 'tracking_numbers', code }]);
      }
    expect((await read(id)).status).to.equal('moved');
    const { json } = await back(parcel.number);
    expect(json).to.containSubset({ rolled_back: 1, transfer: { status: 'rolled_back' } });
  });

  it('warehouse 4: that a crash interrupted are finished', async () => {
    const [a, b] = [await s.warehouse(), await s.warehouse()];
    const parcels = await received(6, a, b);
    const whole = await create(a, b, parcels.slice(0, 3));
    const { log, keyRing } = t.service.engines;
    // Started a minute ago by a process that died before it executed any step.
    const dead = createHandler({ decider, log, keyRing, types: EVENT_TYPES, now: () => Date.now() - 60_000 });
    const business = (await log.read(transferStream(whole.json.transfer.id))[Symbol.asyncIterator]().next()).value!
      .data['business'] as number;
    const cause = {
      correlationId: randomUUID(),
      actor: { kind: 'user', id: '1' },
      channel: 'rest',
      business: String(business),
    } as const;
    const begin = (id: number, change: TransferChange) =>
      dead(transferStream(id), { ...change, id, business, commandId: randomUUID() }, cause);
    const half = 900_001;
    const packages = parcels.slice(3).map(({ order_id, number }) => ({ order_id, tracking_number: number }));
    const transferInput = { from: a, to: b, mode: 'book', reason_code: 'mis_received', by: 1 } as const;
    await begin(half, { do: 'create', ...transferInput, packages });
    await begin(whole.json.transfer.id, { do: 'rollback', reason: 'wrong night', by: 1 });
    const isDone = async () =>
      (await read(half))?.parcels.every(({ status }: { status: string }) => status === 'moved') &&
      (await read(whole.json.transfer.id)).status === 'rolled_back';
    await eventually(isDone, 'the end of both transfers');
    expect(await at(b)).to.have.length(3);
    expect(await at(a)).to.have.length(3);
  });

  it('have the same rows after a replay', () => expectSameReplay(t, ['transfers', 'packages_at', 'orders']));
});
