/** Items that disappear and appear again: earlier decisions do not apply to them. */
import { expect } from 'chai';
import {
  HOUR,
  MINUTE,
  openDispatchBoard,
  TODAY,
  type DispatchBoardFixture,
} from '../../support/worlds/dispatch-board.js';

const PLACE = { latitude: 52.52, longitude: 13.405 };

describe('recurring items of the dispatch board', () => {
  let d: DispatchBoardFixture;
  let fleet: number;
  before(async () => {
    d = await openDispatchBoard();
    fleet = (await d.as('client_admin', '/fleets', { name: 'Posted' })).json.fleet.id;
    await d.as('client_admin', `/fleets/${fleet}/drivers`, { driver_ids: [d.id('driver')] }, { method: 'PUT' });
  });
  after(() => d.stop());

  /** Executes a request, then advances the clock by one minute. */
  const done = async (user: 'employee' | 'driver', path: string, body: object = {}, method = 'POST') => {
    const { status, text } = await d.as(user, path, body, { method });
    expect(status, text).to.be.below(300);
    d.advance(MINUTE);
  };
  const decided = async (item: string, decision: string, more: object = {}) => {
    expect(await d.items(), 'stands').to.include(item);
    const { json, text } = await d.decide(item, decision, more);
    expect(json.status, text).to.equal('decided');
    expect(await d.items(), 'decided').to.not.include(item);
    d.advance(MINUTE);
  };
  const expectListedAgain = async (item: string) => expect(await d.items()).to.include(item);

  it('a route whose driver is removed again', async () => {
    const route = await d.route();
    await decided(`no_driver:${route}`, 'assign_driver', { arguments: { driver_id: d.id('driver') } });
    await done('employee', `/routes/${route}/driver`, { driver_id: null }, 'PUT');
    await expectListedAgain(`no_driver:${route}`);
    expect((await d.item(`no_driver:${route}`)).since).to.equal(d.at(-MINUTE));
  });

  it('an order that is removed from its route, or returned by its contractor', async () => {
    const [order, given] = (await d.orders.create(2, { schedule_date: TODAY })) as [number, number];
    const route = await d.route();
    await decided(`unplanned:${order}`, 'put_on_route', { arguments: { route_id: route } });
    await done('employee', `/routes/${route}/orders/remove`, { order_ids: [order] });
    await expectListedAgain(`unplanned:${order}`);
    await decided(`unplanned:${given}`, 'acknowledge');
    const assigned = { order_ids: [given], broker_id: d.id('broker') };
    expect((await d.as('client_admin', '/broker-order-assignments', assigned)).status).to.be.below(300);
    d.advance(MINUTE);
    const revoked = await d.as('client_admin', '/broker-order-assignments/revoke', { order_ids: [given] });
    expect(revoked.status, revoked.text).to.equal(200);
    await expectListedAgain(`unplanned:${given}`);
  });

  it('a posted route whose driver withdraws', async () => {
    const route = await d.route();
    const times = { start_at: d.at(HOUR), end_at: d.at(2 * HOUR) };
    await done('employee', `/route-board/${route}`, { fleet_ids: [fleet], ...times }, 'PUT');
    await decided(`unclaimed:${route}`, 'acknowledge');
    await done('driver', `/route-board/${route}/claim`);
    expect(await d.items()).to.not.include(`unclaimed:${route}`);
    await done('driver', `/route-board/${route}/withdraw`);
    await expectListedAgain(`unclaimed:${route}`);
  });

  it('a driver who is silent, was heard, and is silent again; not one whose route is finished', async () => {
    const [order] = await d.orders.create(1, { schedule_date: TODAY });
    const route = await d.route({ driver_id: d.id('driver') }, [order!]);
    const item = `driver_silent:${route}`;
    await done('driver', `/routes/${route}/start`);
    expect((await d.board()).board.observed.driver_counts).to.deep.equal({ on_duty: 1, silent: 0 });
    const { route_counts: routes } = (await d.board()).board.observed;
    d.advance(31 * MINUTE);
    expect((await d.board()).board.observed.driver_counts).to.deep.equal({ on_duty: 1, silent: 1 });
    await decided(item, 'acknowledge');
    await done('driver', '/instant-rider/locations', { points: [{ at: d.at(), ...PLACE }] });
    d.advance(31 * MINUTE);
    await expectListedAgain(item);
    await d.scan(order!, 'out_for_delivery', d.id('driver'));
    d.advance(31 * MINUTE);
    await expectListedAgain(item);
    await done('driver', `/routes/${route}/finish`);
    expect(await d.items()).to.not.include(item);
    const { observed } = (await d.board()).board;
    expect(observed.driver_counts).to.deep.equal({ on_duty: 0, silent: 0 });
    expect(observed.route_counts).to.include({ under_way: routes.under_way - 1, finished: routes.finished + 1 });
  });
});
