/** Warehouses and their stock over real HTTP. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { callTool, tokenOf } from '../../support/clients/mcp.js';
import { STOP } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, signIns, type AsUsers } from '../../support/worlds/users.js';

describe('warehouses', () => {
  let t: TestService;
  let keyOf: ReturnType<typeof signIns>;
  let as: AsUsers;
  before(async () => {
    t = await startTestService();
    keyOf = signIns(t);
    as = asUsers(t);
  });
  after(() => t.stop());

  const SITE = { name: 'Hub North', address: STOP, timezone: 'Europe/Berlin', contact: 'Pat Gate' };
  let opened = 0;
  async function open(
    locations: readonly object[] = [
      { code: 'A-1', sequence: 2 },
      { code: 'A-2', sequence: 1 },
    ],
  ) {
    const { status, json, text } = await as('employee', '/wms/warehouses', { code: `HUB${(opened += 1)}`, ...SITE });
    expect(status, text).to.equal(201);
    const id = json.warehouse.id as number;
    expect((await as('employee', `/wms/warehouses/${id}/locations/batch`, { locations }, 'POST')).status).to.equal(200);
    return id;
  }
  const stock = (what: string, body: object) => as('employee', `/wms/stock/${what}`, body);
  const inventory = async (filter: object) => (await as('auditor', '/wms/inventory', filter)).json.inventory;

  it('are opened, read, changed and closed; a code is unique', async () => {
    const id = await open();
    expect((await as('driver', `/wms/warehouses/${id}`)).json).to.deep.equal({
      result: true,
      warehouse: {
        id,
        code: 'HUB1',
        ...SITE,
        opening_hours: [],
        dock_minutes: 0,
        status: 'open',
        is_default: false,
        location_count: 2,
        on_hand_package_count: 0,
        version: 1,
        locations: [
          { code: 'A-2', zone: '-', kind: 'storage', sequence: 1 },
          { code: 'A-1', zone: '-', kind: 'storage', sequence: 2 },
        ],
      },
    });
    expect((await as('employee', '/wms/warehouses', { code: 'HUB1', ...SITE })).json.code).to.equal(
      'WAREHOUSE_CODE_TAKEN',
    );
    expect((await as('other_client_admin', '/wms/warehouses', { code: 'HUB1', ...SITE })).status).to.equal(201);
    expect((await as('employee', `/wms/warehouses/${id}`, { name: 'Hub South' }, 'PATCH')).status).to.equal(200);
    const { json } = await as('auditor', '/wms/warehouses');
    expect(json.warehouses.map(({ name }: { name: string }) => name)).to.deep.equal(['Hub South']);
    expect((await as('employee', `/wms/warehouses/${id}`, undefined, 'DELETE')).status).to.equal(200);
    expect((await as('employee', `/wms/warehouses/${id}`, { name: 'x' }, 'PATCH')).json.code).to.equal(
      'WAREHOUSE_NOT_FOUND',
    );
    expect((await as('employee', '/wms/warehouses', { code: 'HUB1', ...SITE })).status).to.equal(201);
  });

  it('reject invalid input', async () => {
    for (const body of [
      { code: 'a b', ...SITE },
      { code: 'OK', ...SITE, timezone: 'Mars/Olympus' },
      { code: 'OK', ...SITE, opening_hours: [{ day: 8, from: '08:00', to: '17:00' }] },
      { code: 'OK', ...SITE, dock_minutes: -1 },
    ])
      expect((await as('employee', '/wms/warehouses', body)).status, JSON.stringify(body)).to.equal(400);
    for (const quantity of ['0', '-1', '1.00001', '1e3', 1])
      expect(
        (await stock('receive', { warehouse_id: 1, sku: 'X', location: 'A-1', quantity })).status,
        String(quantity),
      ).to.equal(400);
  });

  it('hold stock by location, exactly, and never below zero', async () => {
    const warehouse_id = await open();
    const one = { warehouse_id, sku: 'BOLT-8' };
    const received = await stock('receive', {
      ...one,
      location: 'A-1',
      quantity: '0.3',
      name: 'Bolts',
      unit: 'kg',
      barcodes: ['4006381333931'],
    });
    expect(received.status, received.text).to.equal(200);
    for (let time = 0; time < 3; time++) await stock('receive', { ...one, location: 'A-1', quantity: '0.1' });
    await stock('move', { ...one, from: 'A-1', to: 'A-2', quantity: '0.4' });
    await stock('reserve', { ...one, for: 'order 7', quantity: '0.25' });
    expect(await inventory({ barcode: '4006381333931' })).to.containSubset([
      { sku: 'BOLT-8', name: 'Bolts', unit: 'kg', warehouse_id, on_hand: '0.6', reserved: '0.25', available: '0.35' },
    ]);
    expect(
      (await inventory({ ...one, group_by: 'location' })).map(
        ({ location, on_hand }: { location: string; on_hand: string }) => [location, on_hand],
      ),
    ).to.deep.equal([
      ['A-1', '0.2'],
      ['A-2', '0.4'],
    ]);
    const refused = async (what: string, body: object) => (await stock(what, { ...one, ...body })).json.code;
    expect(await refused('move', { from: 'A-1', to: 'A-2', quantity: '0.2001' })).to.equal('NEGATIVE_STOCK');
    expect(await refused('pick', { location: 'A-2', quantity: '0.36' })).to.equal('STOCK_RESERVED');
    expect(await refused('reserve', { for: 'order 8', quantity: '0.36' })).to.equal('STOCK_RESERVED');
    expect(await refused('reserve', { for: 'order 7', quantity: '1', release: true })).to.equal('NEGATIVE_STOCK');
    expect(await refused('receive', { location: 'Z-9', quantity: '1' })).to.equal('LOCATION_NOT_FOUND');
    expect((await stock('pick', { ...one, sku: 'NEVER', location: 'A-1', quantity: '1' })).json.code).to.equal(
      'SKU_NOT_FOUND',
    );
    await stock('count', { ...one, location: 'A-1', counted: '5' });
    await stock('adjust', { ...one, location: 'A-1', quantity: '1', reason: 'loss' });
    await stock('adjust', { ...one, location: 'A-2', quantity: '-0.1', reason: 'correction' });
    expect((await inventory(one))[0]).to.include({ on_hand: '4.3', available: '4.05' });
    expect(await inventory({ ...one, below_quantity: '4' })).to.deep.equal([]);
    expect(await inventory({ ...one, below_quantity: '4.1' })).to.have.length(1);
  });

  it('put nothing at a blocked location, and keep locations in use', async () => {
    const warehouse_id = await open();
    const path = `/wms/warehouses/${warehouse_id}`;
    const one = { warehouse_id, sku: 'CRATE', quantity: '2' };
    await as('employee', `${path}/locations/A-2`, { blocked: true, reason: 'wet floor' }, 'PATCH');
    expect((await stock('receive', { ...one, location: 'A-2' })).json.code).to.equal('LOCATION_BLOCKED');
    expect((await as('employee', path)).json.warehouse.locations[0]).to.include({ code: 'A-2', blocked: 'wet floor' });
    await as('employee', `${path}/locations/A-2`, { blocked: false }, 'PATCH');
    expect((await stock('receive', { ...one, location: 'A-2' })).status).to.equal(200);
    expect((await as('employee', path, undefined, 'DELETE')).json.code).to.equal('WAREHOUSE_IN_USE');
    expect((await as('employee', `${path}/locations/remove`, { codes: ['A-2'] })).json.code).to.equal(
      'LOCATION_IN_USE',
    );
    expect((await as('employee', `${path}/locations/remove`, { codes: ['A-1'] })).status).to.equal(200);
    await stock('pick', { ...one, location: 'A-2' });
    expect((await as('employee', path, undefined, 'DELETE')).status).to.equal(200);
  });

  it('return the stock of one location, not of the whole warehouse', async () => {
    const id = await open();
    const which = { warehouse_id: id, sku: 'PEG' };
    await stock('receive', { ...which, location: 'A-1', quantity: '3' });
    const { json } = await stock('receive', { ...which, location: 'A-2', quantity: '4' });
    expect(json.inventory).to.have.length(1);
    expect(json.inventory[0], 'what is there now').to.include({ location: 'A-2', on_hand: '4' });
    const [row, ...others] = await inventory({ ...which, location: 'A-1' });
    expect(others).to.deep.equal([]);
    expect(row).to.include({ sku: 'PEG', location: 'A-1', on_hand: '3' });
    // Stock is reserved in a warehouse, not at a location.
    expect(row).to.not.have.any.keys('reserved', 'available');
    expect(await inventory({ ...which, location: 'A-1', below_quantity: '4' })).to.have.length(1);
    expect(await inventory({ ...which, location: 'A-2', below_quantity: '4' })).to.deep.equal([]);
  });

  it('keep sums constant under concurrent moves, and count each request once', async () => {
    const warehouse_id = await open();
    const one = { warehouse_id, sku: 'RACE' };
    await stock('receive', { ...one, location: 'A-1', quantity: '10' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => stock('move', { ...one, from: 'A-1', to: 'A-2', quantity: '1' })),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(10);
    expect(await inventory({ ...one, group_by: 'location' })).to.containSubset([{ location: 'A-2', on_hand: '10' }]);
    const key = await keyOf('employee');
    for (let time = 0; time < 3; time++)
      await t.api('/wms/stock/receive', {
        key,
        body: { ...one, location: 'A-1', quantity: '1' },
        headers: { 'idempotency-key': 'once' },
      });
    expect((await inventory(one))[0].on_hand).to.equal('11');
  });

  it('are available to agents by get_warehouses and get_inventory', async () => {
    const token = await tokenOf(t, 'client_admin');
    const { structuredContent: all } = await callTool(t, 'get_warehouses', {}, { token });
    expect((all['warehouses'] as unknown[]).length).to.be.above(2);
    const { structuredContent: found } = await callTool(t, 'get_inventory', { sku: 'BOLT-8' }, { token });
    expect((found['inventory'] as { on_hand: string }[])[0]).to.include({ on_hand: '4.3' });
  });

  it('erase the contact at the gate, and read the same after a rebuild', async () => {
    const id = await open();
    const erased = await as('client_admin', `/privacy/subjects/warehouse-${id}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    const { warehouse } = (await as('employee', `/wms/warehouses/${id}`)).json;
    expect(warehouse).to.not.have.property('contact');
    expect(warehouse.address).to.not.have.property('street');
    expect(warehouse).to.include({ name: 'Hub North', timezone: 'Europe/Berlin' });
    await expectSameReplay(t, ['warehouses', 'stock']);
  });
});
