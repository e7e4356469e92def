/** The feed of the board: over REST and GraphQL, over cut connections, and per role. */
import { expect } from 'chai';
import { openStream, type Stream } from '../../support/clients/sse.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import {
  HOUR,
  MINUTE,
  openDispatchBoard,
  TODAY,
  type DispatchBoardFixture,
} from '../../support/worlds/dispatch-board.js';
import { createOrderFactory } from '../../support/worlds/order-factory.js';
import { startTestService } from '../../support/worlds/service.js';
import type { UserName } from '../../support/worlds/users.js';

describe('feed of the board', () => {
  let d: DispatchBoardFixture;
  const open: Stream[] = [];
  before(async () => {
    d = await openDispatchBoard();
  });
  afterEach(() => open.splice(0).forEach((stream) => stream.close()));
  after(() => d.stop());

  async function follow(user: UserName = 'employee', query = '', headers: Record<string, string> = {}) {
    const stream = await openStream(`${d.service.url}/api/v1/dispatch/events${query}`, {
      authorization: `Bearer ${await d.tokenOf(user)}`,
      ...headers,
    });
    open.push(stream);
    expect(stream.status).to.equal(200);
    const hello = await stream.next();
    expect(hello).to.include({ event: 'hello' });
    return { stream, cursor: hello!.data.cursor as string };
  }
  /** The next message that fits. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function until(stream: Stream, fits: (data: any) => boolean): Promise<any> {
    for (;;) {
      const message = await stream.next();
      if (!message) throw new Error('The stream has ended.');
      if (fits(message.data)) return message.data;
    }
  }

  it('dispatch 1: sends a new item, who takes it, the decision, and its solution', async () => {
    const order = await d.orders.createOne({ schedule_date: TODAY });
    const { stream } = await follow();
    await d.scan(order, 'delivery_failed');
    const came = await until(stream, ({ order_id, items }) => order_id === order && items[0]?.kind === 'failed_stop');
    const item = `failed_stop:${order}`;
    expect(came.items[0].version).to.equal((await d.item(item)).version);
    await d.as('client_admin', `/dispatch/items/${item}/take`, {});
    await d.decide(item, 'acknowledge', { take_over: true, note: 'Nobody else may read this' });
    const taken = await until(stream, ({ type }) => type === 'DispatchItemTaken');
    expect(taken).to.include({ item_id: item, changed_by: d.id('client_admin') });
    const decided = await until(stream, ({ type }) => type === 'DispatchDecisionRecorded');
    expect(decided).to.include({ item_id: item, changed_by: d.id('employee'), took_over_from: d.id('client_admin') });
    expect(JSON.stringify(decided)).to.not.include('Nobody');
    await d.route({ driver_id: d.id('driver') }, [order]);
    const gone = await until(stream, ({ type, order_id }) => type === 'OrderPutOnRoute' && order_id === order);
    expect(gone.items).to.deep.equal([]);
    const read = await d.as('employee', `/dispatch/items/${item}`);
    expect([read.status, read.json.solved_by.type]).to.deep.equal([404, 'OrderPutOnRoute']);
  });

  it('sends changes that are caused by time, without an event', async () => {
    const order = await d.orders.createOne({
      schedule_date: TODAY,
      time_windows: [{ stop: 'delivery', from: '08:00', to: '11:30' }],
    });
    const { stream } = await follow();
    const before = await d.service.service.engines.log.head();
    d.advance(2 * HOUR);
    const receivedEvent = await until(stream, ({ order_id }) => order_id === order);
    expect(receivedEvent).to.include({ type: 'clock', tick: true });
    expect(receivedEvent.items.map(({ kind }: { kind: string }) => kind)).to.include('window_passed');
    expect(await d.service.service.engines.log.head()).to.equal(before);
    d.advance(-2 * HOUR);
  });

  it('sends changes that are caused by time to all readers, also to reconnected readers', async () => {
    const before = await follow();
    const order = await d.orders.createOne({
      schedule_date: TODAY,
      time_windows: [{ stop: 'delivery', from: '08:00', to: '10:01' }],
    });
    await until(before.stream, ({ order_id }) => order_id === order);
    d.advance(2 * MINUTE);
    const back = await follow('client_admin', `?after=${before.cursor}`);
    const again = await until(back.stream, ({ order_id }) => order_id === order);
    expect(again.items.map(({ kind }: { kind: string }) => kind)).to.include('window_passed');
    const receivedEvent = await until(before.stream, ({ order_id, tick }) => order_id === order && tick);
    expect(receivedEvent.items).to.deep.equal(again.items);
    d.advance(-2 * MINUTE);
  });

  it('live 1: sends each of 200 changes once and in order over 20 cut connections, of two processes', async () => {
    const other = await startTestService({ databaseUrl: d.service.databaseUrl, seed: false, now: d.service.now });
    const theirs = createOrderFactory(other);
    const orders = await d.orders.create(200, { schedule_date: TODAY });
    let { stream, cursor } = await follow();
    const writing = Promise.all(
      orders.map((order, index) => (index % 2 ? theirs : d.orders).sendCommand(order, { do: 'hold' })),
    );
    const receivedOrders: number[] = [];
    const cursors: string[] = [];
    while (receivedOrders.length < orders.length) {
      const message = (await stream.next())!;
      cursor = message.id!;
      if (message.data.type !== 'OrderHeld') continue;
      receivedOrders.push(message.data.order_id as number);
      cursors.push(cursor);
      if (receivedOrders.length % 10 > 0) continue;
      stream.close();
      ({ stream } = await follow('employee', '', { 'last-event-id': cursor }));
    }
    await writing;
    expect([...receivedOrders].sort((a, b) => a - b)).to.deep.equal([...orders].sort((a, b) => a - b));
    expect(cursors).to.deep.equal([...cursors].sort());
    await other.stop();
  });

  it('restarts if too much was missed, and rejects an invalid cursor', async () => {
    const { stream, cursor } = await follow();
    stream.close();
    d.advance(-1_000 * HOUR);
    await d.route();
    d.advance(1_000 * HOUR);
    const again = await follow('employee', `?after=${cursor}`);
    expect(await again.stream.next()).to.include({ event: 'reset' });
    expect(await again.stream.next()).to.equal(undefined);
    const wrong = await d.as('employee', '/dispatch/events?after=x', undefined, {
      headers: { accept: 'text/event-stream' },
    });
    expect([wrong.status, wrong.json.code]).to.deep.equal([400, 'INVALID_POSITION']);
    const json = await d.as('employee', '/dispatch/events', undefined, { headers: { accept: 'application/json' } });
    expect(json.status).to.equal(406);
  });

  it('dispatch 6: sends contractors only their items, and others nothing', async () => {
    const [own, neighbours] = (await d.orders.create(2, { schedule_date: TODAY })) as [number, number];
    await d.as('client_admin', '/broker-order-assignments', { order_ids: [own], broker_id: d.id('broker') });
    const { stream } = await follow('broker');
    await d.scan(neighbours, 'delivery_failed');
    await d.scan(own, 'delivery_failed');
    const first = (await stream.next())!.data;
    expect(first.order_id).to.equal(own);
    await d.decide(`failed_stop:${own}`, 'acknowledge');
    await d.decide(`failed_stop:${own}`, 'contacted', { contacted: 'recipient' }, 'broker');
    const decided = await until(stream, ({ item_id }) => item_id !== undefined);
    expect(decided.changed_by).to.equal(d.id('broker'));
    for (const [user, status] of [
      ['customer', 403],
      ['platform_admin', 403],
    ] as const) {
      const refused = await d.as(user, '/dispatch/events', undefined, { headers: { accept: 'text/event-stream' } });
      expect(refused.status, user).to.equal(status);
    }
    const anonymous = await openStream(`${d.service.url}/api/v1/dispatch/events`);
    expect(anonymous.status).to.equal(401);
    const others = await follow('other_client_admin');
    await d.scan(neighbours, 'delivery_failed');
    await d.as('other_client_admin', '/routes', { name: 'Theirs', schedule_date: TODAY });
    expect((await others.stream.next())!.data.route_id).to.be.a('number');
  });

  it('live 2: ends when its token is revoked, and sends nothing after that', async () => {
    const { email, password } = d.service.demo.users.employee;
    const { json } = await d.service.api('/user/login', { body: { email, password } });
    const stream = await openStream(`${d.service.url}/api/v1/dispatch/events`, {
      authorization: `Bearer ${json.access_token}`,
    });
    await stream.next();
    const out = await d.service.api('/user/logout', { key: json.access_token, method: 'POST' });
    expect(out.status, out.text).to.equal(200);
    expect(await stream.next()).to.deep.equal({ event: 'end', data: { reason: 'forbidden' } });
    await d.route();
    expect(await stream.next()).to.equal(undefined);
  });

  it('is the same over GraphQL', async () => {
    const stream = await openStream(
      `${d.service.url}/api/graphql`,
      { authorization: `Bearer ${await d.tokenOf('employee')}` },
      { query: 'subscription { dispatchEvents { cursor type routeId items { id kind severity version } } }' },
    );
    open.push(stream);
    const rest = await follow();
    const route = await d.route();
    const [restEvent, same] = [await until(rest.stream, () => true), (await stream.next())!.data.data.dispatchEvents];
    expect(restEvent.route_id).to.equal(route);
    expect(same).to.deep.equal({
      cursor: restEvent.cursor,
      type: 'RouteCreated',
      routeId: route,
      items: [{ ...restEvent.items[0] }],
    });
  });

  it('also exists for parcels, at the address of their events', async () => {
    const number = newNumber();
    const pushed = await d.service.push(timelineOf(number, [event('information_submitted', 0)]));
    const { json } = await d.service.read(number, pushed);
    expect(json).to.be.an('object');
    const path = `${d.service.url}/api/v1/otep/trackings/${number}/events`;
    const stream = await openStream(path);
    open.push(stream);
    const { cursor } = (await stream.next())!.data as { cursor: string };
    await d.service.push(timelineOf(number, [event('picked_up', 1)]));
    const receivedEvent = (await stream.next())!;
    expect(receivedEvent).to.deep.include({ event: 'recorded', id: String(receivedEvent.data.revision) });
    const again = await openStream(path, { 'last-event-id': cursor });
    open.push(again);
    await again.next();
    expect(await again.next()).to.deep.equal(receivedEvent);
    expect((await d.service.api(`/otep/trackings/${number}/events`)).json.revision).to.equal(
      receivedEvent.data.revision,
    );
  });

  it('ends with the service', async () => {
    const other = await startTestService({ databaseUrl: d.service.databaseUrl, seed: false, now: d.service.now });
    const stream = await openStream(`${other.url}/api/v1/dispatch/events`, {
      authorization: `Bearer ${await d.tokenOf('employee')}`,
    });
    await stream.next();
    const stopped = other.stop();
    expect(await stream.next()).to.deep.equal({ event: 'end', data: { reason: 'restart' } });
    await stopped;
  });
});
