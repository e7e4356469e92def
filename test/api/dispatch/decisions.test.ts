/** Who has taken an item, which decision is made, and its effect. */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { EventLog } from '../../../src/events/core/log.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import {
  HOUR,
  MINUTE,
  openDispatchBoard,
  TODAY,
  type DispatchBoardFixture,
} from '../../support/worlds/dispatch-board.js';

describe('decisions on items of the board', () => {
  let d: DispatchBoardFixture;
  before(async () => {
    d = await openDispatchBoard();
  });
  after(() => d.stop());

  const failed = async (): Promise<{ order: number; item: string }> => {
    const order = await d.orders.createOne({ schedule_date: TODAY });
    await d.scan(order, 'delivery_failed');
    return { order, item: `failed_stop:${order}` };
  };
  const eventTypes = async (stream: string): Promise<string[]> => {
    const types: string[] = [];
    for await (const { type } of d.service.service.engines.log.read(stream)) types.push(type);
    return types;
  };
  const decided = (order: number) =>
    d.as('auditor', `/dispatch/decisions?order_id=${order}`).then(({ json }) => json.decisions);

  it('a noted item is hidden until its time has passed or the item changes', async () => {
    const { order, item } = await failed();
    expect((await d.decide(item, 'acknowledge', { note: 'Neighbour was called' })).json).to.include({
      result: true,
      status: 'decided',
    });
    expect(await d.items()).to.not.include(item);
    expect(await d.items('employee', 'status=decided')).to.include(item);
    expect((await d.board()).board.counts.failed_stop.decided).to.equal(1);
    await d.scan(order, 'delivery_failed');
    d.advance(MINUTE);
    await d.scan(order, 'delivery_failed');
    expect(await d.items(), 'another scan, other facts').to.include(item);
    await d.decide(item, 'snooze', { expires_at: new Date(Date.parse(`${TODAY}T10:00:00Z`)).toISOString() });
    expect(await d.items()).to.not.include(item);
    d.advance(HOUR);
    expect(await d.items()).to.include(item);
    const [last] = await decided(order);
    expect(last.facts.status).to.equal('DELIVERY_FAILED');
    await d.decide(item, 'leave', { note: 'Recipient is away' });
    expect((await d.as('employee', `/dispatch/items/${item}/reopen`, { note: 'Came back' })).status).to.equal(200);
    expect(await d.items()).to.include(item);
    const { json } = await d.as('auditor', `/dispatch/items/${item}`);
    expect(
      json.item.decisions.map(({ decision, note }: Record<string, string>) => [decision, note ?? null]),
    ).to.deep.equal([
      ['reopened', 'Came back'],
      ['leave', 'Recipient is away'],
      ['snooze', null],
      ['acknowledge', 'Neighbour was called'],
    ]);
  });

  it('require the fields of the decision', async () => {
    const { item } = await failed();
    for (const [decision, more, field] of [
      ['snooze', {}, 'expires_at'],
      ['snooze', { expires_at: '2026-12-24T10:00:00Z' }, 'expires_at'],
      ['leave', {}, 'note'],
      ['contacted', {}, 'contacted'],
      ['acknowledge', { contacted: 'driver' }, 'contacted'],
      ['acknowledge', { arguments: { reason: 'x' } }, 'arguments'],
      ['put_on_route', {}, 'route_id'],
      ['put_on_route', { arguments: { route_id: 'x' } }, 'route_id'],
      ['assign_driver', { arguments: { driver_id: 1 } }, 'decision'],
    ] as const) {
      const { status, json, text } = await d.decide(item, decision, more);
      expect([status, json.errors?.[0]?.field], `${decision}: ${text}`).to.deep.equal([400, field]);
    }
    expect((await d.as('employee', '/dispatch/items/nothing:1/take', {})).json.code).to.equal('ITEM_GONE');
  });

  it('run through the operation, with its permissions and errors', async () => {
    const { order, item } = await failed();
    const closed = await d.route();
    await d.as('employee', `/routes/${closed}/close`, {});
    const refused = await d.decide(item, 'put_on_route', { arguments: { route_id: closed } });
    expect(refused.json).to.deep.include({
      result: false,
      status: 'open',
      outcome: { status: 'refused', code: 'ROUTE_CLOSED' },
    });
    expect(await d.items()).to.include(item);
    const assign = { arguments: { broker_id: d.id('broker') } };
    expect((await d.decide(item, 'assign_contractor', assign)).json.code).to.equal('FORBIDDEN');
    const done = await d.decide(item, 'put_on_route', { arguments: { route_id: await d.route() } });
    expect(done.json).to.deep.include({ result: true, status: 'decided', outcome: { status: 'done' } });
    expect(await d.items()).to.not.include(item);
    const [first, second] = await decided(order);
    expect([first.operation, first.outcome.status, second.outcome.code]).to.deep.equal([
      'routeAddOrders',
      'done',
      'ROUTE_CLOSED',
    ]);
    const route = await d.route();
    expect(
      (await d.decide(`no_driver:${route}`, 'assign_driver', { arguments: { driver_id: d.id('driver') } })).json.result,
    ).to.equal(true);
    expect(await d.items()).to.not.include(`no_driver:${route}`);
  });

  it("return the decider's error per order", async () => {
    const { order, item } = await failed();
    await d.as('client_admin', '/broker-order-assignments', { order_ids: [order], broker_id: d.id('broker') });
    const again = await d.decide(
      item,
      'assign_contractor',
      { arguments: { broker_id: d.id('broker') } },
      'client_admin',
    );
    expect(again.json.outcome).to.deep.equal({ status: 'refused', code: 'ALREADY_ASSIGNED' });
  });

  it('belong to the user who took the item first, for a while; another user must confirm', async () => {
    const { item } = await failed();
    expect((await d.as('employee', `/dispatch/items/${item}/take`, {})).json.item.status).to.equal('taken');
    const other = await d.as('client_admin', `/dispatch/items/${item}/take`, {});
    expect([other.status, other.json.code, other.json.taken_by]).to.deep.equal([409, 'ITEM_TAKEN', d.id('employee')]);
    expect((await d.as('client_admin', `/dispatch/items/${item}/return`, {})).status).to.equal(409);
    expect(await d.items('employee', 'mine=true')).to.deep.equal([item]);
    expect((await d.decide(item, 'acknowledge', {}, 'client_admin')).json.code).to.equal('ITEM_TAKEN');
    expect((await d.decide(item, 'cancel', {}, 'client_admin')).json.code).to.equal('ITEM_TAKEN');
    d.advance(21 * MINUTE);
    expect((await d.as('client_admin', `/dispatch/items/${item}/take`, {})).status).to.equal(200);
    expect((await d.as('client_admin', `/dispatch/items/${item}/return`, {})).json.item.status).to.equal('open');
    await d.as('employee', `/dispatch/items/${item}/take`, {});
    expect((await d.decide(item, 'acknowledge', { take_over: true }, 'client_admin')).json.status).to.equal('decided');
    const { decisions } = (await d.as('employee', `/dispatch/items/${item}`)).json.item;
    expect(decisions[0].took_over_from).to.equal(d.id('employee'));
  });

  it('separate the desk of a contractor from that of the business', async () => {
    const { order, item } = await failed();
    await d.as('client_admin', '/broker-order-assignments', { order_ids: [order], broker_id: d.id('broker') });
    await d.decide(item, 'leave', { note: 'Not to be told' });
    expect(await d.items('broker')).to.include(item);
    const { json, text } = await d.as('broker', `/dispatch/items/${item}`);
    expect(json.item.decisions).to.deep.equal([]);
    expect(text).to.not.include('Not to be told');
    expect((await d.as('broker', '/dispatch/decisions')).json.decisions).to.deep.equal([]);
    await d.decide(item, 'contacted', { contacted: 'recipient' }, 'broker');
    expect(await d.items('broker')).to.not.include(item);
    expect((await decided(order)).map(({ desk }: { desk?: number }) => desk)).to.deep.equal([
      d.id('broker'),
      undefined,
    ]);
    expect((await d.decide(item, 'cancel', {}, 'broker')).json.code).to.equal('FORBIDDEN');
  });

  it('dispatch 2: one of two concurrent decisions is executed; the other gets a conflict', async () => {
    for (let round = 0; round < 5; round++) {
      const { order, item } = await failed();
      const { version } = await d.item(item);
      const ask = (user: 'employee' | 'client_admin', body: object) =>
        d.as(user, `/dispatch/items/${item}/decisions`, { version, ...body });
      const answers = await Promise.all([
        ask('employee', { decision: 'cancel' }),
        ask('client_admin', { decision: 'reschedule', arguments: { schedule_date: '2026-11-25' } }),
      ]);
      const results = answers.map(({ status, json }) => json.code ?? status).sort();
      expect(results[0], JSON.stringify(results)).to.equal(200);
      expect(results[1]).to.be.oneOf(['ITEM_CHANGED', 'ITEM_GONE']);
      const outcomes = (await eventTypes(`order-${order}`)).filter((type) => /Cancelled|TimeWindow/.test(type));
      expect(outcomes).to.have.length(1);
      expect(await decided(order)).to.have.length(1);
    }
  });

  it('return the current item and do nothing if it was seen in another version', async () => {
    const { order, item } = await failed();
    const { version } = await d.item(item);
    d.advance(MINUTE);
    await d.scan(order, 'delivery_failed');
    const { status, json } = await d.as('employee', `/dispatch/items/${item}/decisions`, {
      version,
      decision: 'cancel',
    });
    expect([status, json.code]).to.deep.equal([409, 'ITEM_CHANGED']);
    expect(json.item.version).to.not.equal(version);
    expect(await decided(order)).to.deep.equal([]);
    expect(await eventTypes(`order-${order}`)).to.not.include('OrderCancelled');
  });

  it('dispatch 3: execute nothing twice after a crash between the operation and the record', async () => {
    const { order, item } = await failed();
    const log = d.service.service.engines.log as { append: EventLog['append'] };
    const append = log.append.bind(log);
    log.append = (appends) =>
      appends.some(({ stream }) => stream.startsWith('dispatch-'))
        ? Promise.reject(new Error('The process died here.'))
        : append(appends);
    const { version } = await d.item(item);
    const ask = () =>
      d.as(
        'employee',
        `/dispatch/items/${item}/decisions`,
        { version, decision: 'cancel', note: 'Called' },
        { headers: { 'idempotency-key': key } },
      );
    const key = randomUUID();
    expect((await ask()).status).to.equal(500);
    log.append = append;
    expect(await decided(order)).to.deep.equal([]);
    const { status, json, text } = await ask();
    expect(status, text).to.equal(200);
    expect(json).to.deep.include({ result: true, outcome: { status: 'done' } });
    expect((await ask()).json).to.deep.equal(json);
    expect((await eventTypes(`order-${order}`)).filter((type) => type === 'OrderCancelled')).to.have.length(1);
    const decisions = await decided(order);
    expect(decisions).to.have.length(1);
    expect(decisions[0]).to.include({ decision: 'cancel', note: 'Called' });
  });

  it('are listed page by page and as a table, and notes are erased with their order', async () => {
    const { order, item } = await failed();
    await d.decide(item, 'acknowledge', { note: '=HYPERLINK("x"), Frau Geheim' });
    const { rows } = await d.service.service.engines.pool.query('select * from dispatch_decisions.happenings');
    expect(JSON.stringify(rows)).to.not.include('Geheim');
    const page = await d.as('employee', '/dispatch/decisions?limit=2');
    expect(page.json.decisions).to.have.length(2);
    const next = await d.as('employee', `/dispatch/decisions?limit=200&cursor=${page.json.next_cursor}`);
    const all = await d.as('employee', '/dispatch/decisions?limit=200');
    expect([...page.json.decisions, ...next.json.decisions]).to.deep.equal(all.json.decisions);
    expect(all.json.next_cursor).to.equal(null);
    const csv = await d.as('employee', '/dispatch/decisions', undefined, { headers: { accept: 'text/csv' } });
    expect(csv.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(csv.text.split('\r\n')[1]).to.match(
      new RegExp(`,acknowledge,\\d+,,,,"'=HYPERLINK\\(""x""\\), Frau Geheim",${order},,,"{.*""status""`),
    );
    const part = await d.as('employee', '/dispatch/decisions?limit=1', undefined, { headers: { accept: 'text/csv' } });
    expect(part.text.trim().split('\r\n')).to.have.length(2);
    const [, more] = /^<(\?cursor=[^>]+&limit=1)>; rel="next"$/.exec(part.headers.get('link') ?? '') ?? [];
    const rest = await d.as('employee', `/dispatch/decisions${more}`, undefined, { headers: { accept: 'text/csv' } });
    expect(rest.text.split('\r\n')[1]).to.equal(csv.text.split('\r\n')[2]);
    const erased = await d.as('client_admin', `/privacy/subjects/order-${order}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    expect((await decided(order))[0]).to.not.have.property('note');
    await expectSameReplay(d.service, ['dispatch_decisions']);
  });
});
