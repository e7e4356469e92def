/** The board of routes over real HTTP. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openStream } from '../../support/clients/sse.js';
import { eventually } from '../../support/eventually.js';
import { openBoard, type BoardWorld } from '../../support/worlds/board.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const MINUTE_MS = 60_000;

describe('board of routes', () => {
  let t: TestService;
  let board: BoardWorld;
  const clock = { ahead: 0 };
  before(async () => {
    t = await startTestService({
      now: () => Date.now() + clock.ahead,
      env: { RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' },
    });
    board = await openBoard(t, 8);
  });
  after(() => t.stop());

  const claim = (driver: number, route: number) => board.drive(driver, `/route-board/${route}/claim`);
  const standby = (driver: number, route: number) => board.drive(driver, `/route-board/${route}/standby`);
  const withdraw = (driver: number, route: number, body = {}) =>
    board.drive(driver, `/route-board/${route}/withdraw`, body);
  const confirm = (driver: number, route: number) => board.drive(driver, `/route-board/${route}/confirm`);
  const eventsOf = async (route: number): Promise<string[]> => {
    const found: string[] = [];
    for await (const { type, data } of t.service.engines.log.read(`route-${route}`))
      found.push(
        [type, data['driver_id'] === undefined ? '' : board.drivers.findIndex(({ id }) => id === data['driver_id'])]
          .join(' ')
          .trim(),
      );
    return found;
  };
  const until = (what: () => Promise<boolean>) => eventually(what, String(what));

  it('shows postings without names and addresses, and the reason why a route cannot be claimed', async () => {
    const route = await board.post(1, 8, 16, { reward: { amount: '80.00', currency: 'EUR' } });
    const shown = await board.shown(route, 0);
    expect(shown).to.deep.include({
      status: 'posted',
      claimable: true,
      why_not: null,
      reward: { amount: '80.00', currency: 'EUR' },
    });
    const one = (id: number) => t.api(`/route-board/${id}`, { key: board.drivers[0]!.key });
    expect((await one(route)).json.board_route).to.deep.equal(shown);
    expect(shown.my).to.deep.equal({ status: 'none', queue_position: null, hold_until: null });
    const later = await board.post(1, 17, 20, { opens_at: '2083-02-28T00:00:00Z' });
    expect((await board.shown(later, 0)).why_not).to.equal('NOT_OPEN');
    const early = await claim(0, later);
    expect([early.status, early.json.why_not]).to.deep.equal([409, 'NOT_OPEN']);
    const other = (await board.as('client_admin', '/fleets', { name: 'Other' })).json.fleet.id;
    const hidden = await board.post(1, 8, 16, { fleet_ids: [other] });
    expect(await board.shown(hidden, 0)).to.equal(undefined);
    expect((await claim(0, hidden)).status).to.equal(404);
    expect((await one(hidden)).status).to.equal(404);
    expect((await board.as('client_admin', `/route-board/${later}`, undefined, 'DELETE')).status).to.equal(200);
    expect((await claim(0, later)).status).to.equal(404);
  });

  it("drivers-and-fleets R1, R2, R4, R5: the first claim wins, the driver's time is reserved, the others queue in order", async () => {
    const route = await board.post(2, 8, 16);
    const overlapping = await board.post(2, 15, 20);
    expect((await claim(0, route)).status).to.equal(200);
    expect((await claim(0, route)).status, 'a retry of the winner').to.equal(200);
    const lost = await claim(1, route);
    expect([lost.status, lost.json.code, lost.json.standby_open]).to.deep.equal([409, 'ROUTE_CLAIMED', true]);
    const taken = await claim(0, overlapping);
    expect([taken.status, taken.json.code]).to.deep.equal([409, 'TIME_TAKEN']);
    expect((await board.shown(overlapping)).status).to.equal('posted');
    expect((await standby(1, route)).json.board_route.my.queue_position).to.equal(1);
    expect((await standby(2, route)).json.board_route.my.queue_position).to.equal(2);
    expect((await standby(1, route)).json.board_route.my.queue_position, 'joining twice is once').to.equal(1);
    expect((await standby(1, overlapping)).json.code).to.equal('ROUTE_FREE');
    expect((await withdraw(0, route, { reason: 'ill' })).status).to.equal(200);
    expect((await board.shown(route, 1)).my.status).to.equal('held');
    expect((await confirm(2, route)).json.code).to.equal('STANDBY_HOLD_OVER');
    expect((await confirm(1, route)).status).to.equal(200);
    expect((await board.as('client_admin', `/routes/${route}`)).json.route.driver_id).to.equal(board.drivers[1]!.id);
    // The time of the driver who withdrew is free again.
    expect((await claim(0, overlapping)).status).to.equal(200);
    expect((await board.shown(route)).late_withdrawal_count).to.equal(0);
    expect((await board.drive(1, `/routes/${route}/start`)).status).to.equal(200);
    const late = await withdraw(1, route);
    expect([late.status, late.json.code]).to.deep.equal([409, 'ROUTE_STARTED']);
    expect((await board.drive(1, `/routes/${route}/finish`)).status).to.equal(200);
  });

  it('drivers-and-fleets R3: skills, the vehicle and the daily cap exclude a driver', async () => {
    const route = await board.post(4, 6, 8);
    const order = {
      type: 'D',
      delivery: { name: 'Person', street: 'Street 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
      packages: [{ weight_kg: 400 }],
    };
    const { order_id } = (await board.as('client_admin', '/client/orderCreate', order)).json;
    await board.as('client_admin', `/routes/${route}/orders`, { order_ids: [order_id] });
    await board.as('client_admin', `/drivers/${board.drivers[0]!.id}/capacity`, { max_weight_kg: 300 }, 'PUT');
    expect((await claim(0, route)).json.why_not).to.equal('VEHICLE_TOO_SMALL');
    expect((await board.shown(route, 0)).why_not).to.equal('VEHICLE_TOO_SMALL');
    expect((await claim(1, route)).status).to.equal(200);
    for (const [from, to] of [
      [9, 10],
      [11, 12],
    ] as const) {
      const next = await board.post(4, from, to);
      const answer = await claim(1, next);
      expect([answer.status, answer.json.why_not]).to.deep.equal(from === 9 ? [200, undefined] : [409, 'CAP_REACHED']);
    }
    await board.as('client_admin', `/fleets/${board.fleet}`, { board_rules: { claims_per_day: 3 } }, 'PATCH');
    expect((await claim(1, await board.post(4, 13, 14))).status).to.equal(200);
  });

  it('drivers-and-fleets R6: removal by the office passes the route to the queue; an assignment ends the queue', async () => {
    const route = await board.post(5, 8, 16);
    for (const driver of [2, 3, 4]) await (driver === 2 ? claim : standby)(driver, route);
    const give = (driver_id: number | null) =>
      board.as('client_admin', `/routes/${route}/driver`, { driver_id }, 'PUT');
    expect((await give(null)).status).to.equal(200);
    expect((await board.shown(route, 3)).my.status).to.equal('held');
    expect((await give(board.drivers[5]!.id)).status).to.equal(200);
    expect(await eventsOf(route)).to.deep.equal([
      'RouteCreated',
      'RoutePosted',
      'RouteClaimed 2',
      'RouteDriverAssigned 2',
      'StandbyJoined 3',
      'StandbyJoined 4',
      'RouteDriverAssigned',
      'StandbyPromoted 3',
      'RouteDriverAssigned 5',
      'StandbyLeft 3',
      'StandbyLeft 4',
      'RouteUnposted',
    ]);
  });

  it('drivers-and-fleets 3: withdrawn with three standbys, of whom the first does not respond, it is reserved for the second', async () => {
    const route = await board.post(6, 8, 16);
    await claim(2, route);
    for (const driver of [3, 4, 5]) await standby(driver, route);
    const key = board.drivers[4]!.key;
    const stream = await openStream(`${t.url}/api/v1/route-board/events`, { authorization: `Bearer ${key}` });
    expect((await stream.next())!.event).to.equal('hello');
    await withdraw(2, route);
    expect((await board.shown(route, 3)).my.status).to.equal('held');
    clock.ahead += 11 * MINUTE_MS;
    expect((await confirm(3, route)).json.code, 'by the clock, whether the timer ran or not').to.equal(
      'STANDBY_HOLD_OVER',
    );
    await until(async () => (await board.shown(route, 4)).my.status === 'held');
    expect((await confirm(4, route)).status).to.equal(200);
    expect((await eventsOf(route)).slice(-7)).to.deep.equal([
      'RouteClaimWithdrawn 2',
      'RouteDriverAssigned',
      'StandbyPromoted 3',
      'StandbyHoldLapsed 3',
      'StandbyPromoted 4',
      'RouteClaimed 4',
      'RouteDriverAssigned 4',
    ]);
    const boardEvents: string[] = [];
    while (boardEvents.at(-1) !== 'RouteClaimed claimed') {
      const { data } = (await stream.next())!;
      if (data.route_id === route) boardEvents.push(`${data.type} ${data.my.status}`);
    }
    stream.close();
    expect(boardEvents).to.include.members(['StandbyPromoted held', 'RouteClaimed claimed']);
  });

  it('expires without a claim in time; a withdrawal near the start is late', async () => {
    const now = () => Date.now() + clock.ahead;
    const iso = (millis: number) => new Date(millis).toISOString();
    const soon = { start_at: iso(now() + 30 * MINUTE_MS), end_at: iso(now() + 90 * MINUTE_MS) };
    const late = await board.post(7, 8, 9, soon);
    await claim(6, late);
    await standby(7, late);
    const before = now();
    await withdraw(6, late);
    expect((await board.shown(late)).late_withdrawal_count).to.equal(1);
    const { hold_until } = (await board.shown(late, 7)).my;
    const after = now();
    expect(Date.parse(hold_until)).to.be.within(before + 2 * MINUTE_MS - 1_000, after + 2 * MINUTE_MS);
    const unclaimedRoute = await board.post(7, 8, 9, { ...soon, closes_at: iso(now() + MINUTE_MS) });
    clock.ahead += 2 * MINUTE_MS;
    const { status, json } = await claim(6, unclaimedRoute);
    // The timer may already have removed it from the board.
    if (status !== 404) expect(json.why_not).to.equal('CLOSED');
    await until(async () => (await eventsOf(unclaimedRoute)).at(-1) === 'RouteUnposted');
  });

  it('notifies phones: a posting goes to each driver of the fleet, a reservation to its driver', async () => {
    const driver = board.drivers[3]!.id;
    const notifications = async (type: string, route: number) =>
      (await board.as('client_admin', '/developer/outbox?per_page=200')).json.messages.filter(
        (one: { type: string; data: { route_id: string } }) => one.type === type && one.data.route_id === String(route),
      ) as { to: number; data: { hold_until?: string } }[];
    const route = await board.post(9, 8, 16);
    await until(async () => (await notifications('board_posted', route)).length === board.drivers.length);
    await claim(2, route);
    await standby(3, route);
    await withdraw(2, route);
    await until(async () => (await notifications('board_held', route)).length > 0);
    const [held, ...more] = await notifications('board_held', route);
    expect([held!.to, more.length]).to.deep.equal([driver, 0]);
    expect(Date.parse(held!.data.hold_until!)).to.be.greaterThan(Date.now());
  });

  it('ends the claim of a driver who loses a skill or leaves the fleet; the next one is asked', async () => {
    await board.as('client_admin', '/skills/crane', {}, 'PUT');
    const skilled = (driver: number, skills: object[]) =>
      board.as('client_admin', `/drivers/${board.drivers[driver]!.id}/skills`, { skills }, 'PUT');
    for (const driver of [4, 5, 6]) await skilled(driver, [{ code: 'crane' }]);
    const route = await board.post(12, 8, 16);
    const order = {
      type: 'D',
      delivery: { name: 'Person', street: 'Street 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
      packages: [{ weight_kg: 4 }],
    };
    const { order_id } = (await board.as('client_admin', '/client/orderCreate', order)).json;
    await board.as('client_admin', `/orders/${order_id}`, { planning: { required_skills: ['crane'] } }, 'PATCH');
    await board.as('client_admin', `/routes/${route}/orders`, { order_ids: [order_id] });
    expect((await claim(4, route)).status).to.equal(200);
    for (const driver of [5, 6]) await standby(driver, route);
    await skilled(4, []);
    await until(async () => (await board.shown(route, 5)).my.status === 'held');
    expect((await confirm(5, route)).status).to.equal(200);
    const rest = board.drivers.filter((_, driver) => driver !== 5).map(({ id }) => id);
    await board.as('client_admin', `/fleets/${board.fleet}/drivers`, { driver_ids: rest }, 'PUT');
    await until(async () => (await board.shown(route, 6)).my.status === 'held');
    expect((await confirm(6, route)).status).to.equal(200);
    expect((await eventsOf(route)).filter((one) => /Lost|Claimed /.test(one))).to.deep.equal([
      'RouteClaimed 4',
      'RouteClaimLost 4',
      'RouteClaimed 5',
      'RouteClaimLost 5',
      'RouteClaimed 6',
    ]);
    // The time of the driver who lost the route is free.
    expect((await claim(4, await board.post(12, 8, 16))).status).to.equal(200);
  });

  it('drivers-and-fleets 7: claims of an erased driver keep the id, and lose the reason', async () => {
    const route = await board.post(10, 8, 16);
    const { id } = board.drivers[7]!;
    await claim(7, route);
    await withdraw(7, route, { reason: 'My hand is broken' });
    const auditEvents = async () => {
      const { json } = await board.as(
        'client_admin',
        `/audit/events?stream=route-${route}&include_personal=true&limit=50`,
      );
      return JSON.stringify(json);
    };
    // The index of the audit follows some seconds later.
    await until(async () => (await auditEvents()).includes('My hand is broken'));
    const erased = await board.as('client_admin', `/privacy/subjects/account-${id}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    expect(await auditEvents()).not.to.include('My hand is broken');
    expect((await eventsOf(route)).slice(2, 5)).to.deep.equal([
      'RouteClaimed 7',
      'RouteDriverAssigned 7',
      'RouteClaimWithdrawn 7',
    ]);
  });

  it("drivers-and-fleets R2: an assigned route reserves the driver's time, and a conflict is reported", async () => {
    const [claimed, given, later] = [
      await board.post(26, 10, 12),
      await board.post(26, 11, 13),
      await board.post(26, 14, 15),
    ];
    const give = (route: number, driver_id: number | null) =>
      board.as('client_admin', `/routes/${route}/driver`, { driver_id }, 'PUT');
    const [first, second] = [board.drivers[0]!.id, board.drivers[1]!.id];
    expect((await board.drive(0, `/route-board/${claimed}/claim`)).status).to.equal(200);
    const refused = await give(given, first);
    expect([refused.status, refused.json.code, refused.json.what]).to.deep.equal([
      409,
      'TIME_TAKEN',
      `route:${claimed}`,
    ]);
    expect((await give(later, first)).status).to.equal(200);
    expect((await give(given, second)).status).to.equal(200);
    const own = await board.drive(1, `/route-board/${await board.post(26, 12, 14)}/claim`);
    expect([own.status, own.json.code, own.json.what]).to.deep.equal([409, 'TIME_TAKEN', `route:${given}`]);
    // Routes that the office assigned do not count for the cap, so two claims of the day are left.
    for (const [from, to] of [
      [16, 17],
      [18, 19],
    ] as const)
      expect((await board.drive(1, `/route-board/${await board.post(26, from, to)}/claim`)).status).to.equal(200);
    expect((await give(given, null)).status).to.equal(200);
    expect((await give(claimed, second)).status, 'the time is free again').to.equal(200);
  });

  it('a closed route leaves the board; its driver keeps it and may withdraw', async () => {
    const free = await board.post(28, 8, 10);
    const had = await board.post(29, 8, 10);
    expect((await board.drive(0, `/route-board/${had}/claim`)).status).to.equal(200);
    expect((await board.drive(1, `/route-board/${had}/standby`)).status).to.equal(200);
    for (const route of [free, had])
      expect((await board.as('client_admin', `/routes/${route}/close`, {})).status).to.equal(200);

    expect(await board.shown(free, 0)).to.equal(undefined);
    expect(await board.shown(had, 1)).to.include({ status: 'claimed', standby_count: 0 });
    for (const what of ['claim', 'standby', 'confirm']) {
      const { status, json } = await board.drive(0, `/route-board/${free}/${what}`);
      expect([status, json.code], what).to.deep.equal([409, 'ROUTE_CLOSED']);
    }
    expect((await board.drive(0, `/route-board/${had}/withdraw`)).status).to.equal(200);
    expect(await board.shown(had, 0)).to.equal(undefined);
    expect((await board.drive(1, `/route-board/${had}/claim`)).json.code).to.equal('ROUTE_CLOSED');
  });

  it('reads the same after a rebuild', () => expectSameReplay(t, ['board', 'driver_times', 'timers']));
});
