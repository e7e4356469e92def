/** Items of the board from other areas: routes and riders, documents of drivers, parcels in warehouses. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { routeStream } from '../../../src/events/routes/events.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { WAIT_LIMIT_MS, eventually } from '../../support/eventually.js';
import {
  HOUR,
  MINUTE,
  openDispatchBoard,
  TODAY,
  YESTERDAY,
  type DispatchBoardFixture,
} from '../../support/worlds/dispatch-board.js';

const DOOR = { name: 'Person', street: 'Deliver 2', city: 'Berlin', postal_code: '10115', country: 'DE' };
const PLACE = { latitude: 52.52, longitude: 13.405 };

describe('items of the dispatch board', () => {
  let d: DispatchBoardFixture;
  let fleet: number;
  before(async () => {
    d = await openDispatchBoard();
    fleet = (await d.as('client_admin', '/fleets', { name: 'Posted' })).json.fleet.id;
    await d.as('client_admin', `/fleets/${fleet}/drivers`, { driver_ids: [d.id('driver')] }, { method: 'PUT' });
  });
  after(() => d.stop());

  const until = (what: () => Promise<boolean>) => eventually(what, String(what));
  const stands = async (item: string) => (await d.items()).includes(item);
  const post = async (route: number, members: object = {}) => {
    const times = { start_at: d.at(HOUR), end_at: d.at(5 * HOUR) };
    const body = { fleet_ids: [fleet], ...times, ...members };
    const posted = await d.as('client_admin', `/route-board/${route}`, body, { method: 'PUT' });
    expect(posted.status, posted.text).to.equal(200);
  };
  const drive = (route: number) =>
    d.as('client_admin', `/routes/${route}/driver`, { driver_id: d.id('driver') }, { method: 'PUT' });

  it('lists an unclaimed posted route, soon before its start or when it is closed, on any day', async () => {
    const [soon, late, tomorrow] = [await d.route(), await d.route(), await d.route({ schedule_date: '2026-11-25' })];
    await post(soon);
    await post(late, { start_at: d.at(3 * HOUR) });
    await post(tomorrow, { start_at: d.at(24 * HOUR), end_at: d.at(30 * HOUR), closes_at: d.at(MINUTE) });
    expect(await d.items()).to.include(`unclaimed:${soon}`);
    expect(await d.items()).to.not.include.members([`unclaimed:${late}`, `unclaimed:${tomorrow}`]);
    d.advance(2 * MINUTE);
    expect(await stands(`unclaimed:${tomorrow}`)).to.equal(true);
    // The timer removes it from the board of drivers; it stays on the board of dispatchers.
    await until(async () => {
      const found = await d.service.service.engines.pool.query('select from board.board where id = $1 and expired', [
        tomorrow,
      ]);
      return found.rowCount === 1;
    });
    const item = await d.item(`unclaimed:${tomorrow}`);
    expect(item).to.include({ title: 'A route was posted, but no driver has claimed it.', driver_id: null });
    expect(item.choices).to.include.members(['assign_driver', 'post_route']);
    expect((await drive(tomorrow)).status).to.equal(200);
    expect(await stands(`unclaimed:${tomorrow}`)).to.equal(false);
    await d.as('employee', `/route-board/${late}`, undefined, { method: 'DELETE' });
    d.advance(2 * HOUR);
    expect(await stands(`unclaimed:${late}`), 'the office took it down').to.equal(false);
    d.advance(-2 * HOUR - 2 * MINUTE);
  });

  it('a decision posts a route', async () => {
    const route = await d.route();
    const decided = await d.decide(`no_driver:${route}`, 'post_route', {
      arguments: { fleet_ids: [fleet], start_at: d.at(4 * HOUR), end_at: d.at(5 * HOUR) },
    });
    expect(decided.json, decided.text).to.deep.include({ result: true, outcome: { status: 'done' } });
    const { board_routes: routes } = (await d.as('employee', '/route-board?per_page=200')).json;
    expect(routes.map(({ id }: { id: number }) => id)).to.include(route);
  });

  it('lists a route that did not start on time, then a driver without a signal', async () => {
    const [order] = await d.orders.create(1, { schedule_date: TODAY });
    const route = await d.route({}, [order!]);
    await post(route);
    await drive(route);
    const [late, silent] = [`not_started:${route}`, `driver_silent:${route}`];
    d.advance(HOUR + 14 * MINUTE);
    expect(await stands(late)).to.equal(false);
    d.advance(2 * MINUTE);
    expect((await d.item(late)).facts.planned_at).to.equal(d.at(-16 * MINUTE));
    const started = await d.as('driver', `/routes/${route}/start`, {});
    expect(started.status, started.text).to.equal(200);
    expect(await stands(late)).to.equal(false);
    d.advance(31 * MINUTE);
    expect(await stands(silent)).to.equal(true);
    const points = [{ at: d.at(), ...PLACE }];
    expect((await d.as('driver', '/instant-rider/locations', { points })).json.position).to.not.equal(null);
    expect(await stands(silent), 'a place is a sign, too').to.equal(false);
    d.advance(31 * MINUTE);
    expect((await d.item(silent)).since.slice(0, 19)).to.equal(d.at(-31 * MINUTE).slice(0, 19));
    await d.scan(order!, 'delivered', d.id('driver'));
    expect(await stands(silent)).to.equal(false);
    d.advance(-2 * HOUR - 18 * MINUTE);
  });

  it('dispatch 4: planned values equal those of the plan', async () => {
    const [order] = await d.orders.create(1, { schedule_date: TODAY });
    const route = await d.route({ driver_id: d.id('driver') }, [order!]);
    const begins = Date.parse(d.at(-HOUR)) / 1_000;
    const business = await d.orders.businessOf('demo');
    const stops = [{ kind: 1, order_id: order!, arrive: begins + 600, start: begins + 600, leave: begins + 700 }];
    const command = {
      do: 'sequence',
      commandId: randomUUID(),
      routeId: route,
      business,
      planned: { start: begins, end: begins + 3_600, distance_m: 1_000, stops },
    };
    const { commands, progress } = d.service.service;
    const cause = {
      correlationId: command.commandId,
      actor: { kind: 'system', id: 'test' },
      channel: 'system',
    } as const;
    const { position } = await commands.routes(routeStream(route), command as never, cause);
    await progress.waitFor('routes', position!, WAIT_LIMIT_MS);
    const { planned_start_at } = (await d.as('employee', `/routes/${route}`)).json.route;
    const { facts } = await d.item(`not_started:${route}`);
    expect([facts.planned_at, facts.planned_at]).to.deep.equal([planned_start_at, d.at(-HOUR)]);
  });

  it('lists a driver of today without a required document, until there is one', async () => {
    const required = (kinds: string[]) =>
      d.as('client_admin', '/planning-settings', { required_documents: kinds }, { method: 'PATCH' });
    const { id } = d.service.demo.users.driver;
    const verified = async (valid_until: string) => {
      const body = { kind: 'van_licence', valid_until };
      const { json, text } = await d.as('driver', `/drivers/${id}/documents`, body);
      expect(json.result, text).to.equal(true);
      const path = `/drivers/${id}/documents/${json.document.id}/decision`;
      expect((await d.as('client_admin', path, { decision: 'verify' })).status).to.equal(200);
    };
    const route = await d.route({ driver_id: id });
    const item = `paper_expired:${route}`;
    await required(['van_licence', 'other']);
    expect(await stands(item), 'there never was one').to.equal(false);
    await verified(YESTERDAY);
    expect((await d.item(item)).facts).to.deep.include({ kinds: ['van_licence'], valid_until: YESTERDAY });
    await verified(TODAY);
    expect(await stands(item)).to.equal(false);
    await required([]);
  });

  it('lists an order without a rider, and a decision searches again', async () => {
    const body = {
      type: 'P2P',
      pickup: { ...DOOR, street: 'Collect 1', position: PLACE },
      delivery: DOOR,
      packages: [{ weight_kg: 2 }],
      schedule_date: TODAY,
    };
    const { order_id } = (await d.as('client_admin', '/client/orderCreate', body)).json;
    const item = `offer_exhausted:${order_id}`;
    await d.as('client_admin', `/orders/${order_id}/instant-delivery`, { offer_s: 10, max_rounds: 1 });
    expect(await stands(item)).to.equal(false);
    d.advance(MINUTE);
    await until(() => stands(item));
    expect((await d.item(item)).facts).to.deep.include({ rounds: 1, offers: 0 });
    const again = await d.decide(item, 'instant', { arguments: { offer_s: 120 } });
    expect(again.json, again.text).to.deep.include({ result: true, outcome: { status: 'done' } });
    expect(await stands(item)).to.equal(false);
    await d.as('client_admin', `/orders/${order_id}/instant-delivery/cancel`, {});
    d.advance(-MINUTE);
  });

  it('lists a parcel that was received at another warehouse, until a transfer corrects that', async () => {
    const warehouse = async (code: string): Promise<number> => {
      const body = { code, name: code, address: DOOR, timezone: 'UTC' };
      const made = await d.as('client_admin', '/wms/warehouses', body);
      expect(made.status, made.text).to.be.below(300);
      return made.json.warehouse.id;
    };
    const [home, other] = [await warehouse('ITEM1'), await warehouse('ITEM2')];
    const body = { type: 'D', delivery: DOOR, packages: [{ weight_kg: 2 }, { weight_kg: 1 }], warehouse_id: home };
    const made = (await d.as('client_admin', '/client/orderCreate', { ...body, schedule_date: TODAY })).json;
    const [first, second] = made.tracking_numbers as [string, string];
    const scan = (seq: number, code: string, warehouse_id: number) => ({
      op_id: randomUUID(),
      seq,
      at: d.at(),
      do: 'receive',
      code,
      warehouse_id,
    });
    const ops = [scan(1, first, home), scan(2, second, other)];
    const sent = await d.as('employee', '/wms/mobile/ops', { device_id: 'gun', ops });
    expect(sent.status, sent.text).to.equal(200);
    const item = `mis_received:${made.order_id}:2`;
    expect((await d.items()).filter((one) => one.startsWith('mis_received'))).to.deep.equal([item]);
    expect((await d.item(item)).facts).to.deep.include({
      tracking_number: second,
      warehouse_id: other,
      own_warehouse_id: home,
    });
    const transfer = { from_warehouse_id: other, to_warehouse_id: home, tracking_numbers: [second] };
    const put = await d.as('employee', '/warehouse-transfers', { ...transfer, reason_code: 'mis_received' });
    expect(put.json, put.text).to.include({ moved: 1 });
    expect(await stands(item)).to.equal(false);
  });

  it('lists rejected scans that are not settled, and losses of a transfer until they are found', async () => {
    const warehouse = async (code: string): Promise<number> => {
      const body = { code, name: code, address: DOOR, timezone: 'UTC' };
      return (await d.as('client_admin', '/wms/warehouses', body)).json.warehouse.id;
    };
    const [from, to] = [await warehouse('ITEM3'), await warehouse('ITEM4')];
    const body = { type: 'D', delivery: DOOR, packages: [{ weight_kg: 2 }], warehouse_id: from, schedule_date: TODAY };
    const made = (await d.as('client_admin', '/client/orderCreate', body)).json;
    const [number] = made.tracking_numbers as [string];
    let seq = 0;
    const scan = (what: string, warehouse_id: number) => {
      const op = { op_id: randomUUID(), seq: (seq += 1), at: d.at(), do: what, code: number, warehouse_id };
      return d.as('employee', '/wms/mobile/ops', { device_id: 'gun-items', ops: [op] });
    };
    const refused = (await scan('unload', from)).json.results[0];
    expect(refused.outcome).to.equal('conflict');
    const item = `scan_conflict:${made.order_id}`;
    // The database has its own clock.
    const received = (at: string) =>
      d.service.service.engines.pool.query('update access.wms_ops set received_at = $2 where op_id = $1', [
        refused.op_id,
        at,
      ]);
    await received(d.at(-14 * MINUTE));
    expect(await stands(item)).to.equal(false);
    await received(d.at(-16 * MINUTE));
    expect((await d.item(item)).facts.scans).to.containSubset([
      { op_id: refused.op_id, device_id: 'gun-items', do: 'unload', code: 'NOT_LOADED', tracking_number: number },
    ]);
    const settle = { device_id: 'gun-items', decision: 'discard', reason: 'wrong button' };
    expect((await d.as('employee', `/wms/mobile/conflicts/${refused.op_id}/settle`, settle)).status).to.equal(200);
    expect(await stands(item)).to.equal(false);

    await scan('receive', from);
    const transfer = { from_warehouse_id: from, to_warehouse_id: to, tracking_numbers: [number], mode: 'ship' };
    const driven = { ...transfer, reason_code: 'relocation' };
    const { id: transfer_id } = (await d.as('employee', '/warehouse-transfers', driven)).json.transfer;
    for (const step of ['ship', 'complete']) {
      const done = await d.as('employee', `/warehouse-transfers/${transfer_id}/${step}`, {});
      expect(done.status, done.text).to.equal(200);
    }
    const lost = `transfer_missing:${made.order_id}:1`;
    expect((await d.item(lost)).facts).to.deep.include({ tracking_number: number, transfer_id });
    expect((await scan('receive', to)).json.results[0].outcome).to.equal('applied');
    expect(await stands(lost)).to.equal(false);
  });

  it('read the same after a rebuild', () =>
    expectSameReplay(d.service, ['routes', 'board', 'instants', 'packages_at', 'planning', 'driver_documents']));
});
