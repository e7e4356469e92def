/** The effect of scanners on parcels and stock, over real HTTP. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openScanners, type Parcel, type Scanners, type ScanOperation } from '../../support/worlds/scanners.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { atDepth } from '../../support/depth.js';

/** Parcels of a morning: more than one request of scans and one page can hold. */
const MANY = atDepth(300, 60);

describe('scanners in warehouses', () => {
  let t: TestService;
  let s: Scanners;
  before(async () => {
    t = await startTestService();
    s = openScanners(t);
  });
  after(() => t.stop());

  const inside = async (warehouse_id: number, location?: string) => {
    const found: { tracking_number: string }[] = [];
    for (let page = 1, total = 1; found.length < total; page++) {
      const body = { kind: 'packages', warehouse_id, ...(location && { location }), per_page: 200, page };
      const { json } = await s.as('auditor', '/wms/inventory', { body });
      total = json.total;
      found.push(...json.packages);
    }
    return found;
  };
  const tasks = async (id: number) =>
    (await s.as('employee', `/wms/mobile/tasks?warehouse_id=${id}&schedule_date=2026-03-02`)).json.tasks;
  const statusesOf = async ({ number }: Parcel) => {
    const { json } = await s.as('employee', `/otep/trackings/${number}`);
    return json.events.map(({ status_code, location }: { status_code: string; location?: { name?: string } }) =>
      location === undefined ? status_code : `${status_code} @ ${location.name}`,
    );
  };
  const eventsOf = async (order_id: number, type: string) =>
    (await s.as('employee', '/tracking/operationevents', { body: { order_id } })).json.events.filter(
      (event: { type: string }) => event.type === type,
    );
  const codeOf = async (device: string, op: ScanOperation, user?: 'driver') =>
    (await s.send(device, [op], user)).json.results[0];

  it('warehouse 1: receive, put away, sort and load outgoing parcels, and the timelines show it', async () => {
    const id = await s.warehouse();
    const parcels = await s.parcels(MANY, { warehouse_id: id });
    const scan = s.device('gun-1', id);
    const all = (what: string, members?: object) =>
      s.sendAll(
        'gun-1',
        parcels.map(({ number }) => scan(what, number, members)),
      );
    // The creation of an order does not wait for the list of expected parcels.
    while ((await tasks(id)).parcel_counts.expected < MANY) await new Promise((resolve) => setTimeout(resolve, 20));
    await all('receive');
    expect((await tasks(id)).parcel_counts).to.include({ expected: 0, received: MANY, misplaced: 0 });
    await all('put_away', { location: 'A-1' });
    expect(await inside(id, 'A-1')).to.have.length(MANY);
    const route_id = await s.route(parcels);
    const sorted = await all('sort', { route_id });
    expect(sorted[0].say).to.deep.equal({ color: 'green', sound: 'ok', lines: ['Bay S-1.'] });
    expect((await s.as('employee', `/wms/mobile/routes/${route_id}/sorting`)).json.sorting).to.include({
      bay: 'S-1',
      to_sort_count: 0,
    });
    const missing = parcels[0]!;
    await s.sendAll(
      'gun-1',
      parcels.slice(1).map(({ number }) => scan('load', number, { route_id })),
    );
    const outbound = async () => (await s.as('employee', `/wms/mobile/routes/${route_id}/outbound`)).json.outbound;
    expect(await outbound()).to.include({
      expected_count: MANY,
      loaded_count: MANY - 1,
      missing_count: 0,
      complete: false,
    });
    await s.sendAll('gun-1', [scan('missing', missing.number)]);
    expect(await outbound()).to.include({ loaded_count: MANY - 1, missing_count: 1, complete: true });
    expect((await tasks(id)).routes).to.deep.equal([
      {
        route_id,
        name: 'Tour',
        driver_id: t.demo.users.driver.id,
        bay: null,
        sorted_count: 0,
        expected_count: MANY,
        loaded_count: MANY - 1,
        missing_count: 1,
      },
    ]);
    const { name } = (await s.as('employee', `/wms/warehouses/${id}`)).json.warehouse;
    expect(await statusesOf(parcels[1]!)).to.have.members([
      'information_submitted',
      `received @ ${name}`,
      `out_for_delivery @ ${name}`,
    ]);
    expect((await s.read(parcels[1]!.order_id)).status).to.equal('OUT_FOR_DELIVERY');
    expect(await inside(id)).to.deep.equal([]);
  });

  it('have one effect, however often and in whatever batches scans are sent', async () => {
    const id = await s.warehouse();
    const parcels = await s.parcels(8, { warehouse_id: id });
    const scan = s.device('gun-2', id);
    const ops = parcels.flatMap(({ number }) => [
      scan('receive', number),
      scan('put_away', number, { location: 'A-1' }),
      scan('move', number, { location: 'A-2' }),
    ]);
    const pieces = [ops, ops.slice(0, 9), ops.slice(6, 20), ops, ops.slice(15)];
    await Promise.all(pieces.map((piece) => s.send('gun-2', piece)));
    const again = await s.send('gun-2', ops);
    expect(again.json.next_seq).to.equal(ops.length + 1);
    for (const one of again.json.results) expect(one).to.include({ outcome: 'duplicate', first: 'applied' });
    for (const { order_id } of parcels) {
      expect(await eventsOf(order_id, 'PackageScanned')).to.have.length(1);
      expect(await eventsOf(order_id, 'ParcelPutAway')).to.have.length(2);
    }
    expect(await inside(id, 'A-2')).to.have.length(8);
    const reused = await codeOf('gun-2', { ...ops[0], code: parcels[1]!.number });
    expect(reused).to.include({ outcome: 'rejected', code: 'OP_ID_REUSED' });
  });

  it('that fire twice count as one scan; a later scan is another', async () => {
    const id = await s.warehouse();
    const parcel = await s.parcel({ warehouse_id: id });
    const scan = s.device('gun-3', id);
    const first = scan('receive', parcel.number);
    const twice = {
      ...scan('receive', parcel.number),
      at: new Date(Date.parse(first.at as string) + 900).toISOString(),
    };
    const later = scan('receive', parcel.number);
    const [, second, third] = await s.sendAll('gun-3', [first, twice, later]);
    expect(second.say).to.deep.equal({ color: 'amber', sound: 'again', lines: ['Already scanned.'] });
    expect(third.say.color).to.equal('green');
    expect(await eventsOf(parcel.order_id, 'PackageScanned')).to.have.length(2);
  });

  it('warehouse R5: get the right warehouse for a parcel that is received at the wrong one', async () => {
    const [home, other] = [await s.warehouse(), await s.warehouse()];
    const parcel = await s.parcel({ warehouse_id: home });
    const scan = s.device('gun-4', other);
    const [received] = await s.sendAll('gun-4', [scan('receive', parcel.number)]);
    expect(received.say.color).to.equal('red');
    expect(received.say.lines[0]).to.match(/belongs to warehouse DOCK/);
    expect((await tasks(other)).parcel_counts).to.include({ received: 1, misplaced: 1 });
    const away = scan('put_away', parcel.number, { location: 'A-1' });
    expect(await codeOf('gun-4', away)).to.include({ outcome: 'conflict', code: 'BELONGS_ELSEWHERE' });
    expect(await codeOf('gun-4', away)).to.include({ outcome: 'duplicate', first: 'conflict' });
    const listed = await s.as('employee', `/wms/mobile/conflicts?warehouse_id=${other}`);
    expect(listed.json.conflicts).to.containSubset([
      { op_id: away['op_id'], do: 'put_away', location: 'A-1', order_id: parcel.order_id, code: 'BELONGS_ELSEWHERE' },
    ]);
    const settle = (decision: string) =>
      s.as('employee', `/wms/mobile/conflicts/${away['op_id'] as string}/settle`, {
        body: { device_id: 'gun-4', decision, reason: 'stays here today' },
      });
    const settled = await settle('apply');
    expect(settled.json.scan, settled.text).to.include({ outcome: 'applied', status: 'put_away' });
    expect((await settle('discard')).json.code).to.equal('SCAN_NOT_FOUND');
    expect((await s.as('employee', `/wms/mobile/conflicts?warehouse_id=${other}`)).json.total).to.equal(0);
    expect(await inside(other, 'A-1')).to.have.length(1);
  });

  it('get rejections for impossible scans, which are stored until they are settled', async () => {
    const id = await s.warehouse();
    const [parcel, held, elsewhere] = (await s.parcels(3, { warehouse_id: id })) as [Parcel, Parcel, Parcel];
    const foreign = (await s.order({}, 'other_client_admin')).tracking_numbers[0];
    const route_id = await s.route([elsewhere]);
    const undriven = await s.route([parcel], { driver_id: undefined });
    await s.as('client_admin', `/orders/${held.order_id}/hold`, { body: {} });
    const scan = s.device('gun-5', id);
    await s.sendAll('gun-5', [scan('receive', elsewhere.number), scan('sort', elsewhere.number, { route_id })]);
    const expected: [ScanOperation, string][] = [
      [scan('receive', 'NEVER-SEEN'), 'CODE_UNKNOWN'],
      [scan('receive', foreign), 'CODE_UNKNOWN'],
      [scan('unload', parcel.number), 'NOT_LOADED'],
      [scan('put_away', parcel.number), 'SCAN_INCOMPLETE'],
      [scan('put_away', parcel.number, { location: 'Z-9' }), 'LOCATION_NOT_FOUND'],
      [scan('count', parcel.number, { location: 'A-1', quantity: '1' }), 'NOT_FOR_THIS_THING'],
      [scan('load', parcel.number, { route_id: undriven }), 'ROUTE_WITHOUT_DRIVER'],
      [scan('load', held.number, { route_id }), 'ORDER_HELD'],
      [scan('load', parcel.number, { route_id }), 'ORDER_NOT_ON_ROUTE'],
      [{ ...scan('receive', parcel.number), at: new Date(Date.now() + 120_000).toISOString() }, 'TIME_IMPOSSIBLE'],
      [{ ...scan('receive', parcel.number), at: '2020-01-01T00:00:00Z' }, 'TOO_OLD'],
      [
        { ...scan('receive', parcel.number), warehouse_id: await s.warehouse('other_client_admin') },
        'WAREHOUSE_NOT_FOUND',
      ],
    ];
    const { json } = await s.send(
      'gun-5',
      expected.map(([op]) => op),
    );
    expect(json.results.map(({ code }: { code: string }) => code)).to.deep.equal(expected.map(([, code]) => code));
    const wrongRoute = json.results[8];
    expect(wrongRoute.say.color).to.equal('red');
    // The right bay is that of the parcel's own route.
    expect(wrongRoute.say.lines[1]).to.match(/^Bay /);
    const { total, conflicts } = (await s.as('employee', `/wms/mobile/conflicts?warehouse_id=${id}`)).json;
    expect(total).to.equal(expected.length - 1);
    const old = conflicts.find(({ code }: { code: string }) => code === 'TOO_OLD');
    const settled = await s.as('employee', `/wms/mobile/conflicts/${old.op_id}/settle`, {
      body: { device_id: 'gun-5', decision: 'apply', reason: 'the gun was in the drawer' },
    });
    expect(settled.json.scan, settled.text).to.include({ outcome: 'applied', status: 'received' });
  });

  it('warehouse 5: two devices that load one parcel onto two routes: one wins', async () => {
    const id = await s.warehouse();
    const [parcel, other] = (await s.parcels(2, { warehouse_id: id })) as [Parcel, Parcel];
    const routes = [await s.route([parcel]), await s.route([other])];
    const results = await Promise.all(
      routes.map((route_id, index) =>
        codeOf(`race-${index}`, s.device(`race-${index}`, id)('load', parcel.number, { route_id })),
      ),
    );
    expect(results.map(({ say }) => say.color).sort()).to.deep.equal(['green', 'red']);
    expect(await eventsOf(parcel.order_id, 'ParcelLoaded')).to.have.length(1);
  });

  it('warehouse 6: of drivers work only on their own routes', async () => {
    const id = await s.warehouse();
    const [mine, others] = (await s.parcels(2, { warehouse_id: id })) as [Parcel, Parcel];
    const route_id = await s.route([mine]);
    const scan = s.device('phone-1', id);
    const by = (op: ScanOperation) => codeOf('phone-1', op, 'driver');
    expect(await by(scan('load', others.number, { route_id }))).to.include({ code: 'CODE_UNKNOWN' });
    expect(await by(scan('put_away', mine.number, { location: 'A-1' }))).to.include({ code: 'FORBIDDEN' });
    expect(await by(scan('load', mine.number, { route_id }))).to.include({ outcome: 'applied', status: 'loaded' });
    expect(await by(scan('return', mine.number))).to.include({ outcome: 'applied', status: 'received' });
    const lookup = (code: string) => s.as('driver', `/wms/mobile/lookup?code=${code}`);
    expect((await lookup(mine.number)).json.choices).to.containSubset([{ kind: 'package', parcel: { route_id } }]);
    expect((await lookup(others.number)).status).to.equal(404);
  });

  it('count stock, too, which never goes below zero', async () => {
    const warehouse_id = await s.warehouse();
    const body = { warehouse_id, sku: 'TIN', location: 'A-1', quantity: '5', barcodes: ['4006381333931'] };
    await s.as('employee', '/wms/stock/receive', { body });
    const scan = s.device('gun-6', warehouse_id);
    await s.sendAll('gun-6', [
      scan('receive', '4006381333931', { location: 'A-1', quantity: '1.5' }),
      scan('move', 'TIN', { from_location: 'A-1', location: 'A-2', quantity: '4' }),
      scan('stock_out', ']C10104006381333931', { location: 'A-2', quantity: '1' }),
      scan('count', 'TIN', { location: 'A-1', quantity: '0' }),
    ]);
    const refused = await codeOf('gun-6', scan('stock_out', 'TIN', { location: 'A-2', quantity: '4' }));
    expect(refused).to.include({ outcome: 'conflict', code: 'NEGATIVE_STOCK', sku: 'TIN' });
    const found = await s.as('employee', `/wms/mobile/lookup?code=TIN&warehouse_id=${warehouse_id}`);
    expect(found.json.choices).to.deep.equal([
      { kind: 'sku', sku: { sku: 'TIN', name: 'TIN', unit: 'pcs', warehouse_id, on_hand: '3' } },
    ]);
    const place = await s.as('employee', `/wms/mobile/lookup?code=A-2&warehouse_id=${warehouse_id}`);
    expect(place.json.choices).to.deep.equal([{ kind: 'location', location: { warehouse_id, code: 'A-2' } }]);
  });

  it('keep a warehouse open until cancelled parcels have left it, too', async () => {
    const id = await s.warehouse();
    const parcel = await s.parcel({ warehouse_id: id });
    const scan = s.device('gun-7', id);
    await s.sendAll('gun-7', [
      scan('receive', parcel.number),
      scan('quarantine', parcel.number, { location: 'Q-1', reason: 'damaged' }),
    ]);
    await s.as('client_admin', `/orders/${parcel.order_id}/cancel`, { body: {} });
    const close = () => s.as('employee', `/wms/warehouses/${id}`, { method: 'DELETE' });
    expect((await close()).json.code).to.equal('WAREHOUSE_IN_USE');
    expect((await s.as('employee', `/wms/warehouses/${id}`)).json.warehouse.on_hand_package_count).to.equal(1);
    await s.sendAll('gun-7', [scan('stock_out', parcel.number)]);
    expect((await close()).status).to.equal(200);
  });

  it('wait for pending scans of the device', async () => {
    const id = await s.warehouse();
    const parcel = await s.parcel({ warehouse_id: id });
    const scan = s.device('gun-8', id);
    const [first, second, third] = [
      scan('receive', parcel.number),
      scan('put_away', parcel.number, { location: 'A-1' }),
      scan('move', parcel.number, { location: 'A-2' }),
    ];
    await s.sendAll('gun-8', [first]);
    const late = s.send('gun-8', [third]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await s.sendAll('gun-8', [second]);
    expect((await late).json.results[0]).to.include({ outcome: 'applied' });
    expect(await inside(id, 'A-2')).to.have.length(1);
  });

  it('change nothing if a crash lost their responses, also those without a change', async () => {
    const id = await s.warehouse();
    const { number } = await s.parcel({ warehouse_id: id });
    const scan = s.device('gun-crash', id);
    const ops = [
      scan('put_away', number, { location: 'A-1' }),
      scan('put_away', number, { location: 'A-1' }),
      scan('quarantine', number, { location: 'Q-1', reason: 'damaged' }),
    ];
    await s.sendAll('gun-crash', ops);
    await t.service.engines.pool.query(
      `update access.wms_ops set outcome = null, result = null where device_id = 'gun-crash'`,
    );
    for (const { outcome } of (await s.send('gun-crash', ops)).json.results) expect(outcome).to.equal('applied');
    expect(await inside(id, 'A-1')).to.deep.equal([]);
    expect((await inside(id, 'Q-1')).map(({ tracking_number }) => tracking_number)).to.deep.equal([number]);
  });

  it('warehouse R7: a route is complete when all its parcels for this warehouse are loaded, except pick-ups on the way', async () => {
    const id = await s.warehouse();
    const loaded = await s.parcel({ warehouse_id: id });
    const pickup = { name: 'Ada', street: 'Kai 1', city: 'Hamburg', postal_code: '20457', country: 'DE' };
    const collected = await s.parcel({ type: 'P', warehouse_id: id, pickup, delivery: undefined });
    const across = await s.parcel({ type: 'P2P', pickup });
    const route_id = await s.route([loaded, collected, across]);
    await s.sendAll('gun-mixed', [s.device('gun-mixed', id)('load', loaded.number, { route_id })]);
    const outbound = (await s.as('employee', `/wms/mobile/routes/${route_id}/outbound`)).json.outbound;
    expect(outbound).to.include({ expected_count: 1, loaded_count: 1, missing_count: 0, complete: true });
    expect(outbound.parcels).to.deep.equal([]);
    const sorting = (await s.as('employee', `/wms/mobile/routes/${route_id}/sorting`)).json.sorting;
    expect(sorting.to_sort_count).to.equal(0);
    expect(sorting.parcels.map(({ order_id }: { order_id: number }) => order_id)).to.deep.equal([loaded.order_id]);
    const mine = (await tasks(id)).routes.find((one: { route_id: number }) => one.route_id === route_id);
    expect(mine).to.include({ expected_count: 1, loaded_count: 1, missing_count: 0 });
  });

  it('put parcels at the location of their receipt', async () => {
    const id = await s.warehouse();
    const parcel = await s.parcel({ warehouse_id: id });
    await s.sendAll('gun-place', [s.device('gun-place', id)('receive', parcel.number, { location: 'A-2' })]);
    expect((await inside(id, 'A-2')).map(({ tracking_number }) => tracking_number)).to.deep.equal([parcel.number]);
  });

  it('warehouse R5: a parcel at the wrong warehouse is an exception of its receipt, and stays received', async () => {
    const [home, other] = [await s.warehouse(), await s.warehouse()];
    const parcel = await s.parcel({ warehouse_id: home });
    const scan = s.device('gun-exc', other);
    await s.sendAll('gun-exc', [scan('receive', parcel.number, { location: 'A-1' })]);
    const [misplaced] = await eventsOf(parcel.order_id, 'ParcelMisplaced');
    const [at, own] = await Promise.all(
      [other, home].map(async (id) => (await s.as('employee', `/wms/warehouses/${id}`)).json.warehouse.code),
    );
    expect(misplaced?.details).to.include({ warehouse_id: other, expected: own, found: at });
    expect(await inside(other, 'A-1')).to.have.length(1);
    expect((await tasks(other)).parcel_counts).to.include({ received: 1, missing: 0, misplaced: 1 });
  });

  it('warehouse R3: manually applied, correct an earlier recorded place', async () => {
    const [id, other] = [await s.warehouse(), await s.warehouse()];
    const [never, loaded, driven] = (await s.parcels(3, { warehouse_id: id })) as [Parcel, Parcel, Parcel];
    const route_id = await s.route([loaded]);
    const scan = s.device('gun-force', id);
    await s.sendAll('gun-force', [scan('load', loaded.number, { route_id }), scan('receive', driven.number)]);
    const transfer = { from_warehouse_id: id, to_warehouse_id: other, mode: 'ship', reason_code: 'relocation' };
    const made = await s.as('employee', '/warehouse-transfers', {
      body: { ...transfer, tracking_numbers: [driven.number] },
    });
    const step = (what: string) =>
      s.as('employee', `/warehouse-transfers/${made.json.transfer.id}/${what}`, { body: {} });
    await step('ship');
    const there = s.device('gun-there', other);
    const refused: [string, ScanOperation, string, string][] = [
      ['gun-force', scan('unload', never.number), 'NOT_LOADED', 'received'],
      ['gun-force', scan('put_away', loaded.number, { location: 'A-1' }), 'LOADED', 'put_away'],
      ['gun-there', there('receive', driven.number), 'IN_TRANSFER', 'received'],
      [
        'gun-there',
        there('quarantine', never.number, { location: 'Q-1', reason: 'other' }),
        'NOT_AT_WAREHOUSE',
        'quarantine',
      ],
    ];
    for (const [device_id, op, code, status] of refused) {
      expect(await codeOf(device_id, op)).to.include({ outcome: 'conflict', code });
      const body = { device_id, decision: 'apply', reason: 'I hold it in my hands' };
      const settled = await s.as('employee', `/wms/mobile/conflicts/${op['op_id'] as string}/settle`, { body });
      expect(settled.json.scan, settled.text).to.include({ outcome: 'applied', status });
    }
    expect((await s.read(loaded.order_id)).status).to.equal('RECEIVED');
    // The transfer does not mark parcels as missing that were received manually.
    expect((await step('complete')).json).to.include({ arrived: 0, missing: 0 });
    expect((await inside(other)).map(({ tracking_number }) => tracking_number)).to.have.members([
      driven.number,
      never.number,
    ]);
  });

  it('have the same rows after a replay', () => expectSameReplay(t, ['packages_at', 'orders', 'warehouses', 'stock']));
});
