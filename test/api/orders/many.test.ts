/** Many orders at once, and asynchronous batches, with their numbers, labels and timelines: over real HTTP. */
import { expect } from 'chai';
import { orderStream } from '../../../src/events/orders/events.js';
import { instantOf } from '../../../src/events/otep/time.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import type { OrderCommand } from '../../../src/commands/orders/decider.js';
import { WAIT_LIMIT_MS, eventually } from '../../support/eventually.js';
import { query } from '../../support/worlds/database.js';
import { ORDER, openOrderFixture, STOP, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { CAUSE } from '../../support/worlds/test-core.js';

describe('batches, summaries and labels of orders', () => {
  let service: TestService;
  let fixture: OrderFixture;
  // 22:30 on the 1st in UTC is the 2nd in Berlin, where the demo business is. The time is in the future because tokens
  // end by the clock of the database.
  const NOW = Date.parse('2036-07-01T22:30:00Z');
  before(async () => {
    service = await startTestService({ now: () => NOW });
    fixture = openOrderFixture(service);
  });
  after(() => service.stop());

  let commands = 0;
  /** An action of a route, a driver or a carrier, whose operations are in other areas. */
  async function apply(id: number, members: object): Promise<void> {
    const { json } = await fixture.as('client_admin', '/me');
    const command = {
      commandId: derivedId('test', ++commands),
      orderId: id,
      business: json.user.business_id,
      ...members,
    } as OrderCommand;
    const { position } = await service.service.commands.orders(orderStream(id), command, CAUSE);
    await Promise.all(
      ['orders', 'timeline'].map((name) => service.service.progress.waitFor(name, position!, WAIT_LIMIT_MS)),
    );
  }
  const scan = (id: number, tracking_number: string, status_code: string, more: object = {}) => {
    const occurred_at = '2036-07-02T00:30:00+02:00';
    return apply(id, {
      do: 'scan',
      tracking_number,
      status_code,
      occurred_at,
      instant: instantOf(occurred_at),
      ...more,
    });
  };
  const until = async <T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> => {
    let answer!: T;
    await eventually(async () => fits((answer = await ask())), String(fits));
    return answer;
  };

  it('bulk: an invalid order is reported in the requested language, the others are created', async () => {
    const body = { orders: [ORDER, { ...ORDER, type: 'X' }, { type: 'P2P', pickup: STOP }, ORDER] };
    const { status, json } = await fixture.as('client_admin', '/orders/batch', {
      body,
      headers: { 'accept-language': 'de' },
    });
    expect(status).to.equal(200);
    expect(json).to.include({ result: true, created: 2, failed: 2, skipped: 0 });
    expect(json.results.map(({ result }: { result: boolean }) => result)).to.deep.equal([true, false, false, true]);
    expect(json.results[2].errors).to.deep.equal([
      { field: 'delivery', path: '/delivery', code: 'REQUIRED', message: 'Dieses Feld ist erforderlich.' },
    ]);
    expect((await fixture.read(json.results[3].order_id)).packages[0].tracking_number).to.equal(
      json.results[3].tracking_numbers[0],
    );
  });

  it('bulk: stops at the first error on request', async () => {
    const { json } = await fixture.as('client_admin', '/orders/batch', {
      body: { orders: [ORDER, {}, ORDER], stop_on_error: true },
    });
    expect(json).to.include({ created: 1, failed: 1, skipped: 1 });
    for (const orders of [[], Array.from({ length: 101 }, () => ({}))])
      expect((await fixture.as('client_admin', '/orders/batch', { body: { orders } })).status).to.equal(400);
    expect((await fixture.as('customer', '/orders/batch', { body: { orders: [ORDER] } })).status).to.equal(403);
  });

  it('async: queued, processed, reported per order; then the stored input is deleted', async () => {
    const orders = [...Array.from({ length: 25 }, () => ({ ...ORDER, order_ref: 'ASYNC' })), { type: 'D' }];
    const queued = await fixture.as('client_admin', '/client/batchOrderCreateAsync', {
      body: { orders },
      headers: { 'idempotency-key': 'batch-1' },
    });
    expect(queued.status).to.equal(202);
    expect(queued.json).to.include({ result: true, status: 'queued', total: 26 });
    const again = await fixture.as('client_admin', '/client/batchOrderCreateAsync', {
      body: { orders },
      headers: { 'idempotency-key': 'batch-1' },
    });
    expect(again.json.async_id).to.equal(queued.json.async_id);
    const path = `/client/async/${queued.json.async_id}`;
    const { json } = await until(
      () => fixture.as('client_admin', path),
      ({ json }) => json.status === 'done',
    );
    expect(json).to.include({ created: 25, failed: 1, skipped: 0 });
    expect(json.results[25]).to.deep.include({ index: 25, result: false, code: 'INVALID_INPUT' });
    expect(
      (
        await until(
          () => fixture.as('client_admin', '/orders?order_ref=ASYNC'),
          ({ json }) => json.total >= 25,
        )
      ).json.total,
    ).to.equal(25);
    expect((await fixture.as('other_client_admin', path)).status).to.equal(404);
    expect(await query(service.databaseUrl, 'select work from access.order_batches')).to.deep.equal([{ work: null }]);
  });

  it('async: the batch of a dead worker is finished by another, and creates nothing twice', async () => {
    const orders = Array.from({ length: 3 }, () => ({ ...ORDER, order_ref: 'DIED' }));
    // The state after a worker that created the orders and died before it recorded that.
    const {
      json: { async_id },
    } = await fixture.as('client_admin', '/client/batchOrderCreateAsync', {
      body: { orders },
      headers: { 'idempotency-key': 'batch-2' },
    });
    const path = `/client/async/${async_id}`;
    const first = await until(
      () => fixture.as('client_admin', path),
      ({ json }) => json.status === 'done',
    );
    const ids = first.json.results.map(({ order_id }: { order_id: number }) => order_id);
    await requeue(async_id, orders, ids);
    const { json } = await until(
      () => fixture.as('client_admin', path),
      ({ json }) => json.status === 'done',
    );
    expect(json.results).to.deep.equal(first.json.results);
    expect(
      (
        await until(
          () => fixture.as('client_admin', '/orders?order_ref=DIED'),
          ({ json }) => json.total >= 3,
        )
      ).json.total,
    ).to.equal(3);
  });

  async function requeue(id: string, orders: readonly object[], ids: readonly number[]): Promise<void> {
    const { json } = await fixture.as('client_admin', '/me');
    const placer = { business: json.user.business_id, userId: json.user.id, isCustomer: false };
    const work = service.service.engines.batchVault.seal(
      Buffer.from(
        JSON.stringify({
          placer,
          cause: CAUSE,
          stopOnError: false,
          orders: orders.map((order, index) => ({ id: ids[index], order })),
        }),
      ),
      id,
    );
    await query(
      service.databaseUrl,
      `update access.order_batches set work = $2, results = '[]', finished_at = null, busy_until = now() - interval '1 second' where id = $1`,
      [id, work],
    );
  }

  it('a day of the business is counted in its timezone', async () => {
    const today = '2036-07-02';
    const before = (await fixture.as('employee', '/analytics/digest')).json.digest;
    expect(before.schedule_date).to.equal(today);
    const failed = await fixture.order({ schedule_date: today });
    await fixture.order({ schedule_date: today, type: 'P', pickup: STOP });
    await fixture.order({ schedule_date: '2036-07-01', allow_past_date: true });
    await scan(failed.order_id, failed.tracking_numbers[0], 'delivery_failed', { reason_code: 'recipient_absent' });
    const { json } = await fixture.as('employee', '/analytics/digest');
    expect(json.digest).to.include({
      total: before.total + 2,
      exception_count: before.exception_count + 1,
      pending_pickup_count: before.pending_pickup_count + 1,
    });
    const exceptions = await fixture.as('auditor', '/orders/exceptions');
    expect(exceptions.json).to.include({ schedule_date: today });
    expect(exceptions.json.orders.map(({ id }: { id: number }) => id)).to.deep.equal([failed.order_id]);
    expect((await fixture.as('employee', '/orders/exceptions?schedule_date=2036-07-01')).json.total).to.equal(0);
    const summary = async (period: string) =>
      (await fixture.as('employee', `/analytics/summary?period=${period}`)).json.summary;
    expect(await summary('today')).to.include({ created_from: today, created_to: today });
    expect(await summary('week')).to.include({ created_from: '2036-06-30', created_to: today });
    expect(await summary('month')).to.include({ created_from: '2036-07-01', created_to: today });
    // Created at 22:30 UTC: already today in Berlin.
    expect((await summary('today')).total).to.be.greaterThan(0);
    expect((await fixture.as('employee', '/orders?created_to=2036-07-01')).json.total).to.equal(0);
    expect((await fixture.as('employee', `/orders?created_from=${today}`)).json.total).to.be.greaterThan(0);
    expect((await fixture.as('employee', '/analytics/summary?period=year')).status).to.equal(400);
    expect((await fixture.as('customer', '/analytics/digest')).status).to.equal(403);
  });

  it('the public sees the place of a package, and no persons; the office sees the actors', async () => {
    const {
      order_id,
      tracking_numbers: [number],
    } = await fixture.order();
    await scan(order_id, number, 'delivered', {
      driverId: 77,
      gps: { latitude: 43.651234, longitude: -79.381234 },
      photos: ['https://photos.example/1.jpg'],
      note: 'left with Grace',
    });
    const seen = await service.api(`/tracking/${number.toLowerCase()}`);
    expect(seen.json).to.deep.include({ result: true, tracking_number: number, status: 'delivered', delivered: true });
    expect(seen.json.events.at(-2) ?? seen.json.events[0]).to.include.keys('timestamp', 'description');
    expect(seen.json.events.find(({ status }: { status: string }) => status === 'delivered')).to.deep.equal({
      timestamp: '2036-07-02T00:30:00+02:00',
      status: 'delivered',
      description: 'Delivered',
      location: 'Toronto, ON, CA',
    });
    expect(seen.text).not.to.match(/Ada|Analytical|Grace|photos|43\.65/);
    expect((await service.api('/tracking/NOSUCHNUMBER')).status).to.equal(404);

    const { json } = await fixture.as('auditor', '/tracking/operationevents', { body: { tracking_number: number } });
    expect(json.events.map(({ type }: { type: string }) => type)).to.deep.equal([
      'OrderCreated',
      'PackageScanned',
      'OrderStatusChanged',
    ]);
    expect(json.events[0].actor).to.include({
      kind: 'user',
      role: 'client_admin',
      channel: 'rest',
      id: String(service.demo.users.client_admin.id),
    });
    expect(json.events[1]).to.deep.include({
      status_code: 'delivered',
      position: { latitude: 43.651234, longitude: -79.381234 },
      photos: ['https://photos.example/1.jpg'],
    });
    expect(json.events[2]).to.include({ status: 'DELIVERED' });
    expect((await fixture.as('auditor', '/tracking/operationevents', { body: {} })).status).to.equal(400);
    expect((await fixture.as('customer', '/tracking/operationevents', { body: { order_id } })).status).to.equal(403);

    const snapshot = (await fixture.as('employee', `/orders/${order_id}/snapshot`)).json;
    expect(snapshot.order.status).to.equal('DELIVERED');
    expect(snapshot.tracking[0].status).to.equal('delivered');
    expect(snapshot.events).to.deep.equal(json.events);
    expect((await fixture.as('employee', `/orders/0/snapshot?tracking_number=${number}`)).json).to.deep.equal(snapshot);
    expect((await fixture.as('client_admin', `/orders/${order_id}/cancel`, { body: {} })).json).to.include({
      status: 409,
      code: 'ALREADY_DELIVERED',
    });
  });

  it('a carrier with the order writes to its timeline, and its scans change the order', async () => {
    const {
      order_id,
      tracking_numbers: [number],
    } = await fixture.order();
    const key = service.demo.strict_provider.key;
    const push = (status_code: string, occurred_at = '2036-07-01T22:30:00Z') =>
      service.push(
        {
          otep_version: '0.1',
          profile: 'parcel',
          subject: { tracking_number: number },
          events: [{ occurred_at, status_code }],
        },
        { key },
      );
    expect((await push('picked_up')).status).to.equal(422);
    await apply(order_id, { do: 'give_to_third_party', provider: service.demo.strict_provider.id });
    expect((await push('picked_up')).json).to.include({ accepted: 1 });
    await until(
      () => fixture.read(order_id),
      ({ status }) => status === 'PICKED_UP',
    );
    expect((await fixture.read(order_id)).third_party).to.equal(service.demo.strict_provider.id);
    await apply(order_id, { do: 'take_from_third_party', provider: service.demo.strict_provider.id });
    // It may still report what happened before, but nothing later.
    expect((await push('in_transit')).json).to.include({ accepted: 1 });
    expect((await push('delivered', new Date(NOW + 60_000).toISOString())).status).to.equal(422);
  });

  it('labels are PDF, one page per package, as a document or in JSON', async () => {
    const { order_id, tracking_numbers } = await fixture.order({
      packages: [{}, { weight_kg: 2.5 }],
      delivery: { ...STOP, name: 'Łukasz 王' },
    });
    const { json } = await fixture.as('employee', `/orders/${order_id}/label`);
    expect(json.order_label).to.deep.include({
      tracking_numbers,
      label_code: tracking_numbers[0],
      media_type: 'application/pdf',
    });
    const pdf = Buffer.from(json.order_label.pdf_base64, 'base64').toString('latin1');
    expect(pdf)
      .to.match(/^%PDF-1\.\d/)
      .and.match(/%%EOF\s*$/);
    expect(pdf.match(/\/MediaBox \[0 0 288 432\]/g)).to.have.length(2);
    const document = await fixture.as('employee', `/orders/${order_id}/label?format=pdf`);
    expect(document.headers.get('content-type')).to.equal('application/pdf');
    expect(document.text).to.match(/^%PDF/);
    expect((await fixture.as('auditor', `/orders/${order_id}/label`)).status).to.equal(403);
  });

  it('erased data is missing in reads and in the search, and its text is gone', async () => {
    const {
      order_id,
      tracking_numbers: [number],
    } = await fixture.order({
      delivery: { ...STOP, name: 'Zenobia Vanishing', street: '5 Oblivion Row' },
      note: 'secret',
    });
    const find = async (text: string) =>
      (await fixture.as('employee', `/orders/search?query=${encodeURIComponent(text)}`)).json.orders;
    expect(await find('Zenobia')).to.have.length(1);
    await service.service.engines.keyRing.destroy([orderStream(order_id)]);
    expect(await find('Zenobia')).to.deep.equal([]);
    expect(
      await query(service.databaseUrl, 'select person, phone, address from order_search.texts where order_id = $1', [
        order_id,
      ]),
    ).to.deep.equal([{ person: [], phone: [], address: [] }]);
    const order = await fixture.read(order_id);
    expect(order.delivery).to.deep.equal({ city: 'Toronto', region: 'ON', postal_code: 'M5V 2T6', country: 'CA' });
    expect(order).to.include({ note: null });
    expect((await find(number))[0].id).to.equal(order_id);
    expect((await fixture.as('employee', '/addresses/search?query=Oblivion')).json.addresses).to.deep.equal([]);
  });
});
