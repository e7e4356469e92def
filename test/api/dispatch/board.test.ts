/** Items on the board: observed events, and the clock. */
import { expect } from 'chai';
import { EVENT_TYPES, PROJECTIONS } from '../../../src/areas/index.js';
import { rebuild } from '../../../src/projections/rebuild/rebuild.js';
import { KINDS } from '../../../src/projections/dispatch/sources/index.js';
import { call } from '../../support/clients/http.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import {
  HOUR,
  MINUTE,
  openDispatchBoard,
  TODAY,
  YESTERDAY,
  type DispatchBoardFixture,
} from '../../support/worlds/dispatch-board.js';

describe('the dispatch board', () => {
  let d: DispatchBoardFixture;
  before(async () => {
    d = await openDispatchBoard();
  });
  after(() => d.stop());

  it('lists due unassigned orders, and what solved them', async () => {
    const [due, later, own] = await Promise.all([
      d.orders.createOne({ schedule_date: YESTERDAY }),
      d.orders.createOne({ schedule_date: '2026-11-25' }),
      d.orders.createOne({ schedule_date: TODAY, self_delivery: false }),
    ]);
    const items = await d.items();
    expect(items).to.include(`unplanned:${due}`);
    expect(items).to.not.include.members([`unplanned:${later}`, `unplanned:${own}`]);
    const item = await d.item(`unplanned:${due}`);
    expect(item).to.include({
      kind: 'unplanned',
      status: 'open',
      title: 'The order is due, but it is on no route and has no contractor or carrier.',
      order_ref: `REF-${due}`,
    });
    expect(item.choices).to.include.members(['acknowledge', 'hold', 'cancel', 'put_on_route', 'reroute']);
    expect(item.choices).to.not.include.members(['release', 'take_off_route', 'revoke_contractor', 'assign_driver']);
    await d.route({}, [due]);
    const gone = await d.as('employee', `/dispatch/items/unplanned:${due}`);
    expect(gone.status, gone.text).to.equal(404);
    expect(gone.json).to.include({ code: 'ITEM_GONE' });
    expect(gone.json.solved_by.type).to.equal('OrderPutOnRoute');
  });

  it('lists a failed stop with its reason, and removes it when it is planned again', async () => {
    const order = await d.orders.createOne({ schedule_date: TODAY });
    const route = await d.route({ driver_id: d.id('driver') }, [order]);
    await d.scan(order, 'out_for_delivery', d.id('driver'));
    await d.scan(order, 'delivery_failed', d.id('driver'));
    const item = await d.item(`failed_stop:${order}`);
    expect(item.facts).to.deep.include({ status: 'DELIVERY_FAILED', route_id: route });
    expect(item.facts.last_scan).to.deep.include({ status_code: 'delivery_failed', driver_id: d.id('driver') });
    await d.as('employee', `/routes/${route}/orders/remove`, { order_ids: [order] });
    expect(await d.items()).to.include(`failed_stop:${order}`);
    await d.as('employee', `/routes/${await d.route()}/orders`, { order_ids: [order] });
    expect(await d.items()).to.not.include(`failed_stop:${order}`);
  });

  it('dispatch 5: lists new items from the clock alone', async () => {
    const settings = {
      held_days: 1,
      idle_minutes: 120,
      silent_hours: 24,
      silent_minutes: 30,
      start_grace_minutes: 15,
      version: -1,
    };
    expect((await d.as('employee', '/dispatch-settings')).json).to.deep.equal({
      result: true,
      dispatch_settings: settings,
    });
    const [window, held, idle, given, driven] = (await d.orders.create(5, { schedule_date: TODAY })) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const time_windows = [
      { stop: 'delivery', from: '08:00', to: '09:00' },
      { stop: 'delivery', from: '10:00', to: '11:00' },
    ];
    await d.as('employee', `/orders/${window}`, { time_windows }, { method: 'PATCH' });
    await d.as('employee', `/orders/${held}/hold`, {});
    await d.as('client_admin', '/broker-order-assignments', { order_ids: [idle], broker_id: d.id('broker') });
    await d.as('employee', `/orders/${given}/third-party`, { provider: d.service.demo.provider.id });
    const route = await d.route({ driver_id: d.id('driver') }, [driven]);
    await d.scan(driven, 'out_for_delivery', d.id('driver'));
    const soon = await d.items();
    expect(soon).to.include(`window_passed:${window}:1`);
    const later = [`window_passed:${window}:2`, `contractor_idle:${idle}`, `driver_silent:${route}`];
    const tomorrow = [`held:${held}`, `third_party_silent:${given}`, `not_finished:${route}`];
    for (const item of [...later, ...tomorrow]) expect(soon, item).to.not.include(item);
    const before = await d.service.service.engines.log.head();
    d.advance(3 * HOUR);
    const afternoon = await d.items();
    expect(afternoon).to.include.members(later);
    expect((await d.item(`driver_silent:${route}`)).driver_name).to.be.a('string');
    for (const item of tomorrow) expect(afternoon, item).to.not.include(item);
    d.advance(24 * HOUR);
    expect(await d.items()).to.include.members(tomorrow);
    expect(await d.service.service.engines.log.head()).to.equal(before);
    d.advance(-27 * HOUR);
  });

  it('lists routes without a driver, and the times of the counts', async () => {
    const route = await d.route();
    const item = await d.item(`no_driver:${route}`);
    expect(item.choices).to.deep.equal(['acknowledge', 'snooze', 'leave', 'contacted', 'assign_driver', 'post_route']);
    const settings = { held_days: 0, idle_minutes: 120, silent_hours: 24, silent_minutes: 30 };
    expect((await d.as('client_admin', '/dispatch-settings', settings, { method: 'PATCH' })).status).to.equal(200);
    const held = await d.orders.createOne({ schedule_date: TODAY });
    await d.as('employee', `/orders/${held}/hold`, {});
    d.advance(MINUTE);
    expect(await d.items()).to.include(`held:${held}`);
  });

  it('dispatch 6: shows contractors and captains only their items', async () => {
    const order = await d.orders.createOne({ schedule_date: TODAY });
    await d.as('client_admin', '/broker-order-assignments', { order_ids: [order], broker_id: d.id('broker') });
    await d.scan(order, 'delivery_failed');
    expect(await d.items('broker')).to.include(`failed_stop:${order}`);
    expect(await d.items('broker_2')).to.not.include(`failed_stop:${order}`);
    expect((await d.as('broker_2', `/dispatch/items/failed_stop:${order}`)).json).to.not.have.property('solved_by');
    const fleet = (await d.as('client_admin', '/fleets', { name: 'Vans' })).json.fleet.id as number;
    await d.as('client_admin', `/fleets/${fleet}/captains`, { user_ids: [d.id('driver')] }, { method: 'PUT' });
    expect(await d.items('driver')).to.deep.equal([]);
    for (const [user, id] of [
      ['employee', 99_999],
      ['broker', fleet],
    ] as const) {
      const none = await d.as(user, `/dispatch/board?fleet_id=${id}`);
      expect([none.status, none.json.code], user).to.deep.equal([404, 'FLEET_NOT_FOUND']);
    }
    await d.as('client_admin', `/fleets/${fleet}/drivers`, { driver_ids: [d.id('driver')] }, { method: 'PUT' });
    const times = { start_at: d.at(HOUR), end_at: d.at(2 * HOUR) };
    const [posted, others] = [await d.route(), await d.route()];
    await d.as('client_admin', `/route-board/${posted}`, { fleet_ids: [fleet], ...times }, { method: 'PUT' });
    const offered = [`no_driver:${posted}`, `unclaimed:${posted}`];
    expect(await d.items('driver')).to.have.members(offered);
    expect(await d.items('employee', `fleet_id=${fleet}`)).to.have.members(offered);
    expect(await d.items()).to.include(`no_driver:${others}`);
    await d.as('client_admin', `/route-board/${posted}`, undefined, { method: 'DELETE' });
    expect(await d.items('driver')).to.deep.equal([]);
    const [driven] = (await d.orders.create(1, { schedule_date: TODAY })) as [number];
    const route = await d.route({ driver_id: d.id('driver') }, [driven]);
    await d.scan(driven, 'delivery_failed', d.id('driver'));
    expect(await d.items('driver', `route_id=${route}`)).to.deep.equal([`failed_stop:${driven}`]);
    expect((await d.items('driver')).every((item) => !item.endsWith(`:${order}`))).to.equal(true);
    expect((await d.item(`failed_stop:${driven}`, 'driver')).choices).to.deep.equal([]);
    expect(await d.items('employee', `fleet_id=${fleet}&kinds=failed_stop`)).to.include(`failed_stop:${driven}`);
  });

  it('dispatch 4: no response of the area has a predicting member', async () => {
    const { json } = await call(`${d.service.url}/api/openapi.json`);
    const names = new Set<string>();
    const looked = new Set<string>();
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const visit = (schema: any): void => {
      if (schema === null || typeof schema !== 'object') return;
      const name = (schema.$ref as string | undefined)?.split('/').at(-1);
      if (name !== undefined && !looked.has(name)) {
        looked.add(name);
        visit(json.components.schemas[name]);
      }
      const { properties = {}, ...others } = schema;
      for (const [member, inside] of Object.entries<{ readonly description?: string }>(properties)) {
        // Objects that `expand` adds are resources of other areas.
        if (inside.description?.startsWith('Only with `expand=')) continue;
        names.add(member);
        visit(inside);
      }
      for (const inside of Object.values(others)) visit(inside);
    };
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const operations = Object.values(json.paths).flatMap((path) => Object.values(path as Record<string, any>));
    const own = operations.filter(({ tags }) => tags?.includes('Dispatch'));
    expect(own.length).to.be.greaterThan(8);
    for (const { responses } of own) visit(responses['200']);
    expect([...names]).to.include.members(['items', 'facts', 'since', 'last_decision']);
    expect([...names].filter((name) => /^eta|arriv|late_by|expected|forecast/.test(name))).to.deep.equal([]);
  });

  it('dispatch 4, 5: predicts nothing, and is the same after a rebuild of all read models', async () => {
    const before = await d.board();
    const names: string[] = [];
    JSON.stringify(before, (name, value: unknown) => (names.push(name), value));
    expect(names.filter((name) => /eta|arriv|late|expected/.test(name))).to.deep.equal([]);
    expect(new Set(before.items.map(({ kind }: { kind: string }) => kind)).size).to.be.greaterThan(3);
    expect(KINDS).to.include.members(Object.keys(before.board.counts));
    expect(before.board.observed.route_counts.under_way).to.be.greaterThan(0);
    const { log, projectionPool: pool } = d.service.service.engines;
    for (const projection of PROJECTIONS)
      await rebuild(projection, { log, pool, types: EVENT_TYPES, switchOver: true });
    expect(await d.board()).to.deep.equal(before);
    await expectSameReplay(d.service, ['orders', 'planning']);
  });
});
