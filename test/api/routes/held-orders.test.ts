/** Orders that cannot be dispatched, over real HTTP: with a third party, on hold, or already placed in the demo. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { seedDemo } from '../../../src/compose/demo/demo.js';
import { orderStream } from '../../../src/events/orders/events.js';
import { openDispatchFixture, type DispatchFixture } from '../../support/worlds/dispatch.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { storedEvents } from '../../support/checks/stored-events.js';
import { signIns, type UserName } from '../../support/worlds/users.js';

describe('dispatch', () => {
  let fixture: DispatchFixture;
  before(async () => void (fixture = await openDispatchFixture()));
  after(() => fixture.stop());

  it('a third-party carrier takes and returns an order; in the meantime it is not assignable', async () => {
    const [order] = await fixture.orders.create(1);
    const give = (provider: string, by: UserName = 'client_admin') =>
      fixture.as(by, `/orders/${order}/third-party`, { provider });
    expect((await give('nobody')).json).to.deep.include({ status: 422, code: 'UNKNOWN_PROVIDER' });
    expect((await give('demo-carrier', 'other_client_admin')).status).to.equal(404);
    for (const user of ['broker', 'driver', 'customer', 'auditor'] as const)
      expect((await give('demo-carrier', user)).status, user).to.equal(403);
    expect((await give('demo-carrier', 'employee')).status).to.equal(200);
    expect((await fixture.assign([order!])).json).to.deep.include({ assigned: 0, skipped: 1 });
    expect((await fixture.add(await fixture.route(), [order])).json).to.deep.include({ added: 0, skipped: 1 });
    expect(
      (await fixture.as('client_admin', `/orders/${order}/third-party/take`, { provider: 'demo-courier' })).json,
    ).to.deep.include({ status: 409, code: 'NOT_WITH_THIRD_PARTY' });
    expect(
      (await fixture.as('client_admin', `/orders/${order}/third-party/take`, { provider: 'demo-carrier' })).status,
    ).to.equal(200);
    expect((await fixture.assign([order!])).json.assigned).to.equal(1);
    expect((await give('demo-carrier')).json).to.deep.include({ status: 409, code: 'ASSIGNED_TO_CONTRACTOR' });
  });

  it('a hold blocks dispatch until the release; the log has the actor, time and interface (C4)', async () => {
    const [order] = await fixture.orders.create(1);
    const route = await fixture.route();
    const business = await fixture.orders.businessOf('demo');
    const { commands, engines } = fixture.service.service;
    const by = fixture.id('employee');
    const cause = {
      correlationId: randomUUID(),
      actor: { kind: 'user', id: String(by), role: 'employee' },
      channel: 'mcp',
      business: String(business),
    } as const;
    const setHold = (verb: 'hold' | 'release') =>
      commands.orders(orderStream(order!), { do: verb, commandId: randomUUID(), orderId: order!, business, by }, cause);
    const before = Date.now();
    await setHold('hold');
    expect((await fixture.assign([order!])).json).to.deep.include({ assigned: 0, skipped: 1 });
    expect((await fixture.add(route, [order])).json).to.deep.include({ added: 0, skipped: 1 });
    expect(
      (await fixture.as('client_admin', `/orders/${order}/third-party`, { provider: 'demo-carrier' })).json,
    ).to.deep.include({ status: 409, code: 'ORDER_HELD' });
    await setHold('release');
    expect((await fixture.assign([order!])).json.assigned).to.equal(1);
    await fixture.as('client_admin', '/broker-order-assignments/revoke', { order_ids: [order] });
    expect((await fixture.add(route, [order])).json.added).to.equal(1);
    const events = [];
    for await (const event of engines.log.read(orderStream(order!))) events.push(event);
    expect(events.map(({ type }) => type)).to.deep.equal([
      'OrderCreated',
      'OrderHeld',
      'OrderReleased',
      'OrderAssigned',
      'AssignmentRevoked',
      'OrderPutOnRoute',
    ]);
    expect(events[1]!.metadata['actor']).to.deep.equal({
      kind: 'user',
      id: String(by),
      role: 'employee',
      channel: 'mcp',
    });
    expect(events[3]!.metadata['actor']).to.deep.include({
      kind: 'user',
      id: String(fixture.id('client_admin')),
      role: 'client_admin',
      channel: 'rest',
    });
    for (const { metadata } of events)
      expect(Date.parse(metadata['recorded_at'] as string)).to.be.within(before - 60_000, Date.now());
  });
});

describe('seeded orders', () => {
  let service: TestService;
  before(async () => (service = await startTestService()));
  after(() => service.stop());

  it('equal those in demo.json, and seeding again creates no others', async () => {
    const tokenOf = signIns(service);
    const { orders } = service.demo;
    expect(orders.assignable).to.have.length.of.at.least(10);
    const assigned = await service.api('/broker-order-assignments', {
      key: await tokenOf('client_admin'),
      body: {
        order_ids: [...orders.assignable, ...orders.on_route, ...orders.third_party],
        broker_id: service.demo.users.broker.id,
      },
    });
    expect(assigned.json.assigned).to.equal(orders.assignable.length);
    expect(assigned.json.errors.map((error: { order_id: number }) => error.order_id)).to.have.members([
      ...orders.on_route,
      ...orders.third_party,
    ]);
    const dataDir = await mkdtemp(join(tmpdir(), 'seed-again-'));
    const before = await service.service.engines.log.head();
    const again = await seedDemo(service.service, dataDir, { day: false });
    await rm(dataDir, { recursive: true });
    expect(again.orders).to.deep.equal(orders);
    const made = await storedEvents(service.service.engines.log, before);
    expect(made.filter(({ stream }) => /^(order|route|contractor|driver)-/.test(stream))).to.deep.equal([]);
  });
});
