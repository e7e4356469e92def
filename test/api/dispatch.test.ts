/** Pools, routes, drivers, scans and third parties over real HTTP. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { seedDemo } from '../../src/cli/seed-demo.js';
import { ruleFor, type ContractorRule } from '../../src/events/contractors.js';
import { orderStream, type OrderType } from '../../src/events/orders.js';
import { createDatabase } from '../../src/projections/database.js';
import { createPlanningQueries } from '../../src/projections/planning-queries.js';
import { madeOrders, type MadeOrders } from '../support/made-orders.js';
import { startTestService, type TestService } from '../support/service.js';
import { stored } from '../support/stored.js';
import { signIns, type UserName } from '../support/users.js';

describe('dispatch', function () {
  this.timeout(60_000);
  let service: TestService;
  let orders: MadeOrders;
  let tokenOf: (user: UserName) => Promise<string>;
  before(async () => {
    service = await startTestService();
    orders = madeOrders(service);
    tokenOf = signIns(service);
  });
  after(() => service.stop());

  const as = async (user: UserName, path: string, body?: unknown, method?: string) => service.api(path, { key: await tokenOf(user), body, ...(method !== undefined && { method }) });
  const id = (name: UserName) => service.demo.users[name].id;
  const assign = (order_ids: number[], broker: UserName = 'broker') => as('client_admin', '/broker-order-assignments', { order_ids, broker_id: id(broker) });
  const setRules = (rules: unknown, broker: UserName = 'broker', by: UserName = 'client_admin') => as(by, `/contractors/${id(broker)}/rules`, { rules }, 'PUT');
  const poolOf = async (user: UserName) => {
    const all: { order_id: number; reason: string; rule: unknown; assignment_id: number | null }[] = [];
    for (let page = 1, total = 1; all.length < total; page++) {
      const { status, json } = await as(user, `/planning/pool?per_page=200&page=${page}`);
      expect(status).to.equal(200);
      total = json.total;
      all.push(...json.orders);
    }
    return new Map(all.map((one) => [one.order_id, one]));
  };
  let day = 0;
  const aRoute = async (by: UserName = 'client_admin', driver?: UserName) => {
    const { status, json } = await as(by, '/routes', { name: `Tour ${++day}`, schedule_date: '2026-11-24', ...(driver && { driver_id: id(driver) }) });
    expect(status).to.equal(201);
    return json.route_id as number;
  };
  const add = (route: number, order_ids: unknown, by: UserName = 'client_admin') => as(by, `/routes/${route}/orders`, { order_ids });
  const remove = (route: number, order_ids: unknown, by: UserName = 'client_admin') => as(by, `/routes/${route}/orders/remove`, { order_ids });

  describe('pools', () => {
    it('an assigned order leaves every other pool, and comes back when it is revoked or released', async () => {
      await setRules([{ order_types: ['D'], postal_prefixes: ['10'] }]);
      await setRules([{ postal_prefixes: ['101', '102'] }], 'broker_2');
      const [order] = await orders.make(1);
      const reasons = async () => Promise.all((['client_admin', 'employee', 'broker', 'broker_2'] as const).map(async (user) => (await poolOf(user)).get(order!)?.reason));
      expect(await reasons()).to.deep.equal(['business', 'business', 'rule', 'rule']);
      await assign([order!]);
      expect(await reasons()).to.deep.equal([undefined, undefined, 'assigned', undefined]);
      expect((await poolOf('broker')).get(order!)!.assignment_id).to.be.a('number');
      await assign([order!], 'broker_2');
      expect(await reasons()).to.deep.equal([undefined, undefined, undefined, 'assigned']);
      await as('client_admin', '/broker-order-assignments/revoke', { order_ids: [order] });
      expect(await reasons()).to.deep.equal(['business', 'business', 'rule', 'rule']);
      await assign([order!]);
      await as('broker', '/broker-order-assignments/release', { order_id: order });
      expect(await reasons()).to.deep.equal(['business', 'business', 'rule', 'rule']);
      expect((await poolOf('other_client_admin')).has(order!)).to.equal(false);
      expect((await poolOf('other_broker')).has(order!)).to.equal(false);
    });

    it('holds what can be planned now, and says by which rule', async () => {
      await setRules([{ order_types: ['P'] }, { order_types: ['D'], postal_prefixes: ['10'] }]);
      const [free, held, routed, given] = await orders.make(4) as [number, number, number, number];
      const [elsewhere] = await orders.make(1, { delivery: { postal_code: '80331', city: 'München', country: 'DE' } });
      const [carriers] = await orders.make(1, { self_delivery: false });
      await orders.tell(held, { do: 'hold' });
      await add(await aRoute(), [routed]);
      await orders.tell(given, { do: 'give_to_third_party', provider: 'demo-carrier' });
      const [client, contractor] = [await poolOf('client_admin'), await poolOf('broker')];
      for (const gone of [held, routed, given, carriers!]) for (const pool of [client, contractor]) expect(pool.has(gone), String(gone)).to.equal(false);
      expect(client.get(elsewhere!)?.reason).to.equal('business');
      expect(contractor.has(elsewhere!)).to.equal(false);
      expect(contractor.get(free)).to.deep.include({ reason: 'rule', rule: { order_types: ['D'], postal_prefixes: ['10'] }, assignment_id: null });
      expect(client.get(free)).to.deep.include({ reason: 'business', rule: null });
    });

    it('the database judges a rule as the decider does', async () => {
      const { pool } = service.service.engines;
      const planning = createPlanningQueries(createDatabase(pool));
      const code = fc.option(fc.constantFrom('10115', '1 0 115', 'sw1a 1aa', 'SW1A1AA', '20095', '', '1'), { nil: null });
      const shape = fc.record({ type: fc.constantFrom<OrderType>('D', 'P', 'P2P'), pickup_postal_code: code, delivery_postal_code: code });
      const rule: fc.Arbitrary<ContractorRule> = fc.record({ order_types: fc.subarray<OrderType>(['D', 'P', 'P2P'], { minLength: 1 }), postal_prefixes: fc.uniqueArray(fc.constantFrom('1', '10', 'SW1', '2', '20095', 'X'), { minLength: 1 }) }, { requiredKeys: [] });
      const other = await orders.businessOf('other');
      const shapes = fc.sample(shape, 60);
      await Promise.all(shapes.map(({ type, pickup_postal_code, delivery_postal_code }) =>
        orders.make(1, { type, pickup: { ...(pickup_postal_code !== null && { postal_code: pickup_postal_code }) }, delivery: { ...(delivery_postal_code !== null && { postal_code: delivery_postal_code }) } }, other)));
      await fc.assert(fc.asyncProperty(fc.array(rule, { maxLength: 3 }), async (rules) => {
        const all = (await planning.pool({ business: other }, { offset: 0, limit: 1_000 })).orders;
        const found = (await planning.pool({ business: other, contractor: { id: 1_999_999_999, rules } }, { offset: 0, limit: 1_000 })).orders;
        expect(found.map((one) => one.id)).to.deep.equal(all.filter((one) => ruleFor(rules, one)).map((one) => one.id));
      }), { numRuns: 60 });
    });

    it('rules are set by client admins alone, of their own contractors, and read by who is concerned', async () => {
      const rules = [{ order_types: ['D', 'P2P'], postal_prefixes: ['sw1 ', 'EC'] }];
      const { status, json } = await setRules(rules);
      expect(status).to.equal(200);
      expect(json.rules).to.deep.equal([{ order_types: ['D', 'P2P'], postal_prefixes: ['SW1', 'EC'] }]);
      for (const user of ['client_admin', 'employee', 'broker'] as const) expect((await as(user, `/contractors/${id('broker')}/rules`)).json.rules, user).to.deep.equal(json.rules);
      for (const user of ['broker_2', 'other_client_admin', 'other_broker'] as const) expect((await as(user, `/contractors/${id('broker')}/rules`)).status, user).to.equal(404);
      for (const user of ['employee', 'broker', 'driver', 'customer', 'auditor'] as const) expect((await setRules([], 'broker', user)).status, user).to.equal(403);
      expect((await setRules([], 'broker', 'other_client_admin')).status).to.equal(404);
      expect((await setRules([], 'driver')).status).to.equal(404);
      for (const wrong of [undefined, {}, [{ order_types: [] }], [{ order_types: ['X'] }], [{ postal_prefixes: ['%'] }], [{ postal_prefixes: ['  '] }], Array.from({ length: 51 }, () => ({}))]) expect((await setRules(wrong)).status, JSON.stringify(wrong)).to.equal(400);
      expect((await as('broker', `/contractors/${id('broker')}/rules`)).json.rules).to.deep.equal(json.rules);
    });
  });

  describe('routes', () => {
    it('made, filled, read, emptied, closed', async () => {
      const made = await orders.make(3);
      const route = await aRoute('employee', 'driver');
      expect((await add(route, [...made, made[0]], 'employee')).json).to.deep.equal({ result: true, added: 3, skipped: 0, errors: [] });
      const { json } = await as('client_admin', `/routes/${route}`);
      expect(json.route).to.deep.include({ route_id: route, scheduled_date: '2026-11-24', status: 'open', driver_id: id('driver'), driver_name: 'Demo driver', broker_id: null, order_count: 3 });
      expect(json.orders.map((one: { order_id: number }) => one.order_id)).to.have.members(made);
      expect(json.orders[0]).to.deep.include({ order_type: 'D', status: 'PLANNED', order_status_id: 30 });
      expect(json.orders[0].stops).to.deep.equal([{ kind: 'delivery', address: { name: 'Ada Example', street: 'Musterweg 1', city: 'Berlin', postal_code: '10115', country: 'DE' }, time_windows: [] }]);
      expect((await remove(route, [made[0], made[0], 2_000_000_000])).json).to.deep.include({ result: true, removed: 1, skipped: 1 });
      expect((await as('client_admin', `/routes?driver_id=${id('driver')}&date=2026-11-24`)).json.routes.find((one: { route_id: number }) => one.route_id === route)).to.deep.include({ order_count: 2, driver_name: 'Demo driver' });
      expect((await as('client_admin', `/routes/${route}/driver`, { driver_id: null }, 'PUT')).status).to.equal(200);
      expect((await as('client_admin', `/routes/${route}`)).json.route).to.deep.include({ driver_id: null, driver_name: null });
      expect((await as('client_admin', `/routes/${route}/close`, {})).status).to.equal(200);
      const closed = await add(route, [made[0]]);
      expect([closed.status, closed.json.code]).to.deep.equal([409, 'ROUTE_CLOSED']);
      expect((await as('client_admin', `/routes/${route}/driver`, { driver_id: id('driver') }, 'PUT')).status).to.equal(409);
      expect((await as('client_admin', '/routes?status=closed')).json.routes.map((one: { route_id: number }) => one.route_id)).to.include(route);
      expect((await remove(route, [made[1]])).json.removed, 'what is on a closed route can leave it').to.equal(1);
    });

    it('refuses, per order, what is on another route, held, given away, not ours, assigned, foreign', async () => {
      const [routed, held, given, assigned, good] = await orders.make(5) as [number, number, number, number, number];
      const [carriers] = await orders.make(1, { self_delivery: false });
      const [foreign] = await orders.make(1, {}, await orders.businessOf('other'));
      const [route, other] = [await aRoute(), await aRoute()];
      await add(other, [routed]);
      await orders.tell(held, { do: 'hold' });
      await orders.tell(given, { do: 'give_to_third_party', provider: 'demo-carrier' });
      await assign([assigned]);
      const { status, json } = await add(route, [routed, held, given, assigned, carriers, foreign, 2_000_000_000, good]);
      expect(status).to.equal(200);
      expect(json).to.deep.include({ result: true, added: 1, skipped: 7 });
      expect(json.errors.map((error: { order_id: number }) => error.order_id)).to.have.members([routed, held, given, assigned, carriers, foreign, 2_000_000_000]);
      expect((await remove(other, [good])).json, 'on another route').to.deep.include({ result: false, removed: 0, skipped: 1 });
      expect((await assign([good])).json).to.deep.include({ assigned: 0, skipped: 1 });
    });

    it('a contractor plans its own routes with what is in its pool, and sees no others', async () => {
      await setRules([{ order_types: ['D'], postal_prefixes: ['10'] }]);
      const [byRule, mine, others] = await orders.make(3) as [number, number, number];
      const [outside] = await orders.make(1, { delivery: { postal_code: '80331', city: 'München', country: 'DE' } });
      await assign([mine, outside!]);
      await assign([others], 'broker_2');
      const [assignedOutside] = await orders.make(1, { delivery: { postal_code: '80331' } });
      const [route, clients, second] = [await aRoute('broker'), await aRoute(), await aRoute('broker_2')];
      const { json } = await add(route, [byRule, mine, outside, others, assignedOutside], 'broker');
      expect(json).to.deep.include({ added: 3, skipped: 2 });
      expect(json.errors.map((error: { order_id: number }) => error.order_id)).to.have.members([others, assignedOutside]);
      const [foreign] = await orders.make(1, {}, await orders.businessOf('other'));
      for (const plan of [add, remove]) {
        const { errors } = (await plan(route, [others, assignedOutside, foreign, 2_000_000_000], 'broker')).json as { errors: { message: string }[] };
        expect(errors.map(({ message }) => message), 'a neighbour\'s orders are not there').to.deep.equal(Array(4).fill('There is no such order.'));
      }
      expect((await as('broker', `/routes/${route}`)).json.orders.map((one: { order_id: number }) => one.order_id)).to.have.members([byRule, mine, outside]);
      for (const foreign of [clients, second]) {
        expect((await as('broker', `/routes/${foreign}`)).status).to.equal(404);
        expect((await add(foreign, [byRule], 'broker')).status).to.equal(404);
        expect((await remove(foreign, [byRule], 'broker')).status).to.equal(404);
        expect((await as('broker', `/routes/${foreign}/driver`, { driver_id: null }, 'PUT')).status).to.equal(404);
        expect((await as('broker', `/routes/${foreign}/close`, {})).status).to.equal(404);
      }
      expect((await as('broker', '/routes?per_page=200')).json.routes.every((one: { broker_id: number }) => one.broker_id === id('broker'))).to.equal(true);
      expect((await add(route, [byRule])).status, 'the client plans nothing on a contractor\'s route').to.equal(403);
      const release = await as('broker', '/broker-order-assignments/release', { order_id: mine });
      expect([release.status, release.json.code]).to.deep.equal([400, 'RELEASE_ON_ROUTE']);
      expect((await remove(route, [mine])).json.removed, 'the client takes off what it must').to.equal(1);
    });

    it('of another business are not there, and who may not is refused', async () => {
      const [order] = await orders.make(1);
      const route = await aRoute();
      expect((await as('other_client_admin', `/routes/${route}`)).status).to.equal(404);
      expect((await add(route, [order], 'other_client_admin')).status).to.equal(404);
      expect((await remove(route, [order], 'other_client_admin')).status).to.equal(404);
      expect((await as('other_client_admin', `/routes/${route}/driver`, { driver_id: null }, 'PUT')).status).to.equal(404);
      expect((await as('other_client_admin', `/routes/${route}/close`, {})).status).to.equal(404);
      expect((await as('other_client_admin', '/routes?per_page=200')).json.routes).to.deep.equal([]);
      expect((await as('other_client_admin', '/routes', { name: 'x', schedule_date: '2026-11-24', driver_id: id('driver') })).status).to.equal(422);
      for (const user of ['driver', 'customer', 'auditor', 'platform_admin'] as const) expect((await as(user, '/routes', { name: 'x', schedule_date: '2026-11-24' })).status, user).to.equal(403);
      expect((await as('customer', '/routes')).status).to.equal(403);
      expect((await as('driver', `/routes/${route}`)).status, 'another driver\'s').to.equal(404);
      for (const body of [{}, { name: 'x' }, { name: '', schedule_date: '2026-11-24' }, { name: 'x', schedule_date: '24.11.2026' }, { name: 'x', schedule_date: '2026-02-30' }, { name: 'x'.repeat(101), schedule_date: '2026-11-24' }]) expect((await as('client_admin', '/routes', body)).status, JSON.stringify(body)).to.equal(400);
      for (const ids of [undefined, []]) expect((await add(route, ids)).status).to.equal(422);
      expect((await add(99_999_999_999, [order])).status).to.equal(400);
    });
  });

  describe('drivers', () => {
    it('are listed with their capacity', async () => {
      expect((await as('client_admin', `/drivers/${id('driver')}/capacity`, { max_orders: 40, max_weight: 800.5 }, 'PUT')).json).to.deep.equal({ result: true, driver_id: id('driver'), capacity: { max_orders: 40, max_weight: 800.5 } });
      const { json } = await as('employee', '/drivers');
      expect(json.drivers).to.deep.include({ driver_id: id('driver'), name: 'Demo driver', phone: null, capacity: { max_orders: 40, max_weight: 800.5 } });
      expect((await as('other_client_admin', '/drivers')).json.drivers).to.deep.equal([]);
      expect((await as('other_client_admin', `/drivers/${id('driver')}/capacity`, { max_orders: 1 }, 'PUT')).status).to.equal(404);
      expect((await as('client_admin', `/drivers/${id('broker')}/capacity`, { max_orders: 1 }, 'PUT')).status).to.equal(404);
      expect((await as('client_admin', `/drivers/${id('driver')}/capacity`, { max_orders: 0 }, 'PUT')).status).to.equal(400);
      for (const user of ['driver', 'broker', 'customer', 'auditor'] as const) expect((await as(user, '/drivers')).status, user).to.equal(403);
    });

    it('see what they have to do on a day, and nobody else\'s', async () => {
      const [order] = await orders.make(1);
      const route = await aRoute('client_admin', 'driver');
      await add(route, [order]);
      for (const user of ['driver', 'client_admin', 'employee'] as const) {
        const { json } = await as(user, `/drivers/${id('driver')}/orders?date=2026-11-24`);
        expect(json.routes.find((one: { route_id: number }) => one.route_id === route).orders.map((one: { order_id: number }) => one.order_id)).to.deep.equal([order]);
      }
      const today = (await as('driver', `/drivers/${id('driver')}/orders`)).json;
      expect(today.date).to.equal(new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short' }).format(Date.now()));
      expect((await as('driver', `/drivers/${id('client_admin')}/orders`)).status).to.equal(404);
      expect((await as('other_client_admin', `/drivers/${id('driver')}/orders`)).status).to.equal(404);
      for (const user of ['broker', 'customer', 'auditor'] as const) expect((await as(user, `/drivers/${id('driver')}/orders`)).status, user).to.equal(403);
    });

    it('read the orders on their routes, and no others', async () => {
      const [carried, elsewhere, later] = await orders.make(3) as [number, number, number];
      const route = await aRoute('client_admin', 'driver');
      await add(route, [carried]);
      await add(await aRoute('client_admin'), [elsewhere]);
      expect((await as('driver', `/orders/${carried}`)).json.order).to.deep.include({ order_id: carried, route_id: route, note: null });
      for (const order of [elsewhere, later]) expect((await as('driver', `/orders/${order}`)).status).to.equal(404);
      const ids = (await as('driver', '/orders?per_page=200')).json.orders.map((one: { order_id: number }) => one.order_id);
      expect(ids).to.include(carried);
      expect(ids).to.not.include.members([elsewhere]).and.not.include.members([later]);
      for (const [order, times] of [[carried, 1], [elsewhere, 0]] as const) expect((await as('driver', `/orders/find?query=made-${order}`)).json.orders.filter((one: { order: { order_id: number } }) => one.order.order_id === order), `made-${order}`).to.have.length(times);
    });

    it('scan what they carry; offices what the business has', async () => {
      const [carried, elsewhere] = await orders.make(2) as [number, number];
      await add(await aRoute('client_admin', 'driver'), [carried]);
      const scan = (user: UserName, order: number, more: object = {}) => as(user, '/driver/scan', { tracking_number: `made-${order}`, status_code: 'out_for_delivery', occurred_at: '2026-11-20T09:00:00+01:00', ...more });
      const { status, json } = await scan('driver', carried, { gps: { latitude: 52.52, longitude: 13.4 }, photos: ['https://photos.example/1.jpg'], note: 'at the gate' });
      expect(status).to.equal(200);
      expect(json).to.deep.equal({ result: true, order_id: carried, status: 'OUT_FOR_DELIVERY', order_status_id: 80 });
      expect((await scan('driver', elsewhere)).status, 'on no route of the driver').to.equal(404);
      expect((await scan('employee', elsewhere, { status_code: 'arrival_scan' })).json.status).to.equal('RECEIVED');
      expect((await scan('other_client_admin', carried)).status).to.equal(404);
      for (const user of ['broker', 'customer', 'auditor'] as const) expect((await scan(user, carried)).status, user).to.equal(403);
      for (const [more, field] of [
        [{ status_code: 'information_submitted' }, 'status_code'], [{ occurred_at: 'yesterday' }, 'occurred_at'], [{ occurred_at: '2999-01-01T00:00:00Z' }, 'occurred_at'], [{ gps: { latitude: 91, longitude: 0 } }, 'latitude'],
        [{ photos: ['ftp://x.example/1'] }, '0'], [{ photos: ['javascript:alert(1)'] }, '0'], [{ note: 'n'.repeat(501) }, 'note'], [{ reason_code: 'nope' }, 'reason_code'], [{ tracking_number: '' }, 'tracking_number'],
      ] as const) {
        const answer = await scan('driver', carried, more);
        expect([answer.status, answer.json.errors?.[0]?.field], JSON.stringify(more).slice(0, 60)).to.deep.equal([400, field]);
      }
      expect((await scan('driver', carried, { status_code: 'delivered', occurred_at: '2026-11-20T09:30:00+01:00' })).json.status).to.equal('DELIVERED');
      expect((await scan('driver', carried, { status_code: 'delivered', occurred_at: '2026-11-20T09:31:00+01:00' })).json.code).to.equal('ALREADY_DELIVERED');
      const timeline = await service.api(`/otep/trackings/MADE${carried}`);
      expect(timeline.text).to.include('delivered').and.not.include('at the gate').and.not.include('photos.example');
    });
  });

  it('a third-party carrier takes an order over and gives it back; meanwhile it is not assigned', async () => {
    const [order] = await orders.make(1);
    const give = (provider: string, by: UserName = 'client_admin') => as(by, `/orders/${order}/third-party`, { provider });
    expect((await give('nobody')).json).to.deep.include({ status: 422, code: 'UNKNOWN_PROVIDER' });
    expect((await give('demo-carrier', 'other_client_admin')).status).to.equal(404);
    for (const user of ['broker', 'driver', 'customer', 'auditor'] as const) expect((await give('demo-carrier', user)).status, user).to.equal(403);
    expect((await give('demo-carrier', 'employee')).status).to.equal(200);
    expect((await assign([order!])).json).to.deep.include({ assigned: 0, skipped: 1 });
    expect((await add(await aRoute(), [order])).json).to.deep.include({ added: 0, skipped: 1 });
    expect((await as('client_admin', `/orders/${order}/third-party/take`, { provider: 'demo-courier' })).json).to.deep.include({ status: 409, code: 'NOT_WITH_THIRD_PARTY' });
    expect((await as('client_admin', `/orders/${order}/third-party/take`, { provider: 'demo-carrier' })).status).to.equal(200);
    expect((await assign([order!])).json.assigned).to.equal(1);
    expect((await give('demo-carrier')).json).to.deep.include({ status: 409, code: 'ASSIGNED_TO_CONTRACTOR' });
  });

  it('a hold stops dispatch until the release; the log says who, when and through which interface (C4)', async () => {
    const [order] = await orders.make(1);
    const route = await aRoute();
    const business = await orders.businessOf('demo');
    const { commands, engines } = service.service;
    const by = id('employee');
    const cause = { correlationId: randomUUID(), actor: { kind: 'user', id: String(by), role: 'employee' }, channel: 'mcp', business: String(business) } as const;
    const tell = (verb: 'hold' | 'release') => commands.orders(orderStream(order!), { do: verb, commandId: randomUUID(), orderId: order!, business, by }, cause);
    const before = Date.now();
    await tell('hold');
    expect((await assign([order!])).json).to.deep.include({ assigned: 0, skipped: 1 });
    expect((await add(route, [order])).json).to.deep.include({ added: 0, skipped: 1 });
    expect((await as('client_admin', `/orders/${order}/third-party`, { provider: 'demo-carrier' })).json).to.deep.include({ status: 409, code: 'ORDER_HELD' });
    await tell('release');
    expect((await assign([order!])).json.assigned).to.equal(1);
    await as('client_admin', '/broker-order-assignments/revoke', { order_ids: [order] });
    expect((await add(route, [order])).json.added).to.equal(1);
    const events = [];
    for await (const event of engines.log.read(orderStream(order!))) events.push(event);
    expect(events.map(({ type }) => type)).to.deep.equal(['OrderCreated', 'OrderHeld', 'OrderReleased', 'OrderAssigned', 'AssignmentRevoked', 'OrderPutOnRoute']);
    expect(events[1]!.metadata['actor']).to.deep.equal({ kind: 'user', id: String(by), role: 'employee', channel: 'mcp' });
    expect(events[3]!.metadata['actor']).to.deep.include({ kind: 'user', id: String(id('client_admin')), role: 'client_admin', channel: 'rest' });
    for (const { metadata } of events) expect(Date.parse(metadata['recorded_at'] as string)).to.be.within(before - 60_000, Date.now());
  });
});

describe('the seeded orders', () => {
  let service: TestService;
  before(async () => (service = await startTestService()));
  after(() => service.stop());

  it('are what demo.json says they are, and seeding again makes no others', async () => {
    const tokenOf = signIns(service);
    const { orders } = service.demo;
    expect(orders.assignable).to.have.length.of.at.least(10);
    const assigned = await service.api('/broker-order-assignments', { key: await tokenOf('client_admin'), body: { order_ids: [...orders.assignable, ...orders.on_route, ...orders.third_party], broker_id: service.demo.users.broker.id } });
    expect(assigned.json.assigned).to.equal(orders.assignable.length);
    expect(assigned.json.errors.map((error: { order_id: number }) => error.order_id)).to.have.members([...orders.on_route, ...orders.third_party]);
    const dataDir = await mkdtemp(join(tmpdir(), 'seed-again-'));
    const before = await service.service.engines.log.head();
    const again = await seedDemo(service.service, dataDir);
    await rm(dataDir, { recursive: true });
    expect(again.orders).to.deep.equal(orders);
    const made = await stored(service.service.engines.log, before);
    expect(made.filter(({ stream }) => /^(order|route|contractor|driver)-/.test(stream))).to.deep.equal([]);
  });
});
