/** Webhooks from an event to its endpoint (acceptance D7). */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { OrderCommand } from '../../../src/commands/orders/decider.js';
import type { JsonObject } from '../../../src/events/core/log.js';
import { orderStream } from '../../../src/events/orders/events.js';
import { WEBHOOK_KINDS, WEBHOOK_TYPES } from '../../../src/events/webhooks/events.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { startReceiver, verify, type Receiver } from '../../support/fakes/webhook-receiver.js';
import { ALLOWED, openWebhookFixture, SECRET, type WebhookFixture } from '../../support/worlds/webhooks.js';

/** Times of the service may come from the database, and be cut to seconds. */
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

describe('webhooks', () => {
  let test: TestService;
  let fixture: WebhookFixture;
  let receiver: Receiver;

  before(async () => {
    test = await startTestService({ env: ALLOWED });
    fixture = await openWebhookFixture(test);
  });
  after(() => test.stop());
  beforeEach(async () => {
    receiver = await startReceiver();
    await fixture.set({
      webhooks_enabled: true,
      include_personal_data: false,
      only_terminal_tracking_events: false,
      tracking_event_webhook_url: `${receiver.url}/hook`,
      webhook_secret: SECRET,
      webhook_secret_overlap_hours: 0,
    });
  });
  afterEach(async () => {
    await fixture.set({ tracking_event_webhook_url: '' });
    await receiver.close();
  });

  it("send a scan of the business's parcel, signed, without personal data", async () => {
    const number = await fixture.open();
    await fixture.scan(number, 'delivery_failed', 1, {
      description: 'Mrs. Secret was out',
      location: { city: 'Hamburg', country: 'DE', latitude: 53.551086, longitude: 9.993682 },
    });
    const [one] = await receiver.waitFor(1);
    expect(one!.path).to.equal('/hook');
    expect(one!.headers['content-type']).to.equal('application/json');
    verify(one!, SECRET);
    expect(() => verify(one!, 'another-secret-of-16')).to.throw();
    expect(one!.json.type).to.equal('tracking.event');
    expect(one!.json.timestamp).to.match(/^\d{4}-.*Z$/);
    expect(one!.json.data.subject.tracking_number).to.equal(number);
    expect(one!.json.data.event).to.include({ status_code: 'delivery_failed', phase: 'exception' });
    expect(one!.json.data.event.location).to.deep.equal({
      city: 'Hamburg',
      country: 'DE',
      latitude: 53.55,
      longitude: 9.99,
    });
    expect(one!.text).to.not.contain('Secret');
    const delivery = await fixture.waitForState('delivered');
    expect(delivery).to.include({
      id: one!.headers['webhook-id'],
      event_type: 'tracking.event',
      test: false,
      attempts_made: 1,
      error: null,
    });
    expect(delivery.attempts[0]).to.include({ target_url: `${receiver.url}/hook`, http_status: 204, error: null });
  });

  it('contain personal data only if the business enables it, and none after an erasure', async () => {
    await fixture.set({ include_personal_data: true });
    receiver.answer({
      choose:
        (_index, { text }) =>
        (response) =>
          response.end(text),
    });
    const number = await fixture.open();
    await fixture.scan(number, 'picked_up', 1, { description: 'Mrs. Secret' });
    const [one] = await receiver.waitFor(1);
    expect(one!.json.data.event.description).to.equal('Mrs. Secret');
    const delivery = await fixture.waitForState('delivered');
    expect(delivery.attempts[0].response_text, 'an answer that may repeat it is not kept').to.equal(null);
    const { rows } = await test.service.engines.pool.query<{ id: string }>(
      'select id from timeline.trackings where number = $1',
      [number],
    );
    await test.service.engines.keyRing.destroy([rows[0]!.id]);
    expect(
      (await fixture.call(`/webhook-deliveries/${delivery.id}/replay`, { method: 'POST', body: {} })).status,
    ).to.equal(202);
    const [, again] = await receiver.waitFor(2);
    expect(again!.text).to.not.contain('Secret');
    expect(again!.headers['webhook-id']).to.equal(one!.headers['webhook-id']);
  });

  it('are retried with the same id until the endpoint accepts them: three failures, then a success', async () => {
    receiver.answer({ choose: (index) => (index < 3 ? 500 : 200) });
    await fixture.scan(await fixture.open(), 'picked_up');
    const all = await receiver.waitFor(4);
    for (const one of all) verify(one, SECRET);
    expect(new Set(all.map(({ headers }) => headers['webhook-id'])).size).to.equal(1);
    expect(new Set(all.map(({ text }) => text)).size).to.equal(1);
    const delivery = await fixture.waitForState('delivered');
    expect(delivery.attempts.map((one: { http_status: number }) => one.http_status)).to.deep.equal([
      500, 500, 500, 200,
    ]);
    expect(delivery.attempts[0]).to.include({ error: 'status', response_text: 'answer 500' });
  });

  it('follow no redirect, and accept no endless response', async () => {
    const other = await startReceiver();
    const endless = (response: ServerResponse) => {
      const more = (): void => void (response.destroyed || response.write('x'.repeat(65_536), more));
      response.writeHead(200);
      more();
    };
    receiver.answer({
      choose: (index) =>
        index === 0 ? (response) => void response.writeHead(302, { location: other.url }).end() : endless,
    });
    await fixture.scan(await fixture.open(), 'picked_up');
    await receiver.waitFor(2);
    const delivery = await fixture.waitForState('delivered');
    expect(delivery.attempts[0]).to.include({ http_status: 302, error: 'redirect_not_followed' });
    expect(delivery.attempts[1].response_text).to.have.length(1_024);
    expect(other.received).to.deep.equal([]);
    await other.close();
  });

  it('have two signatures while a secret is rotated', async () => {
    const next = 'the-next-secret-of-the-business';
    const before = Date.now();
    const answer = await fixture.set({ webhook_secret: next });
    expect(answer.text).to.not.contain(next).and.not.contain(SECRET);
    const until = Date.parse(answer.json.webhook_settings.previous_webhook_secret_until);
    expect(until).to.be.within(before + DAY_MS - SECOND_MS, Date.now() + DAY_MS + SECOND_MS);
    await fixture.scan(await fixture.open(), 'picked_up');
    const [one] = await receiver.waitFor(1);
    verify(one!, SECRET);
    verify(one!, next);
    await fixture.set({ webhook_secret: 'a-third-secret-that-ends-it', webhook_secret_overlap_hours: 0 });
    await fixture.scan(await fixture.open(), 'picked_up');
    const two = (await receiver.waitFor(2))[1]!;
    verify(two, 'a-third-secret-that-ends-it');
    for (const old of [SECRET, next]) expect(() => verify(two, old)).to.throw();
  });

  it('wait as long as Retry-After says (field-tracking F8)', async () => {
    receiver.answer((response) => void response.writeHead(429, { 'retry-after': '60' }).end());
    await fixture.scan(await fixture.open(), 'picked_up');
    await receiver.waitFor(1);
    const delivery = await eventually(
      async () => (await fixture.deliveries()).find(({ attempts }) => attempts.length > 0),
      'a logged attempt',
    );
    const [{ attempted_at, http_status }] = delivery.attempts;
    expect([delivery.status, http_status]).to.deep.equal(['pending', 429]);
    // Without the header, the next attempt would be 25 ms later at most.
    const requested = Date.parse(attempted_at) + 60_000 - SECOND_MS;
    expect(delivery.next_attempt_at > new Date(requested).toISOString(), delivery.next_attempt_at).to.equal(true);
  });

  it('obey the flags, and exclude other parcels and earlier events', async () => {
    await fixture.set({ tracking_event_webhook_url: '' });
    const number = await fixture.open();
    await fixture.scan(number, 'picked_up', 1);
    await fixture.set({ tracking_event_webhook_url: receiver.url, only_terminal_tracking_events: true });
    await test.push({
      otep_version: '0.1',
      subject: { tracking_number: 'NOTYOURS1' },
      events: [{ occurred_at: '2026-01-05T08:00:00Z', status_code: 'delivered' }],
    });
    await fixture.scan(number, 'out_for_delivery', 2);
    await fixture.scan(number, 'delivered', 3);
    await receiver.waitFor(1);
    await fixture.waitForState('delivered');
    expect(receiver.received.map(({ json }) => json.data.event.status_code)).to.deep.equal(['delivered']);
  });

  it('can be sent again on request, to the current address and with a valid signature', async () => {
    await fixture.scan(await fixture.open(), 'picked_up');
    await receiver.waitFor(1);
    const { id: delivery_id } = await fixture.waitForState('delivered');
    const moved = await startReceiver();
    await fixture.set({ tracking_event_webhook_url: moved.url });
    const answer = await fixture.call(`/webhook-deliveries/${delivery_id}/replay`, { method: 'POST', body: {} });
    expect(answer.status).to.equal(202);
    expect(answer.json.webhook_delivery).to.include({ id: delivery_id, status: 'pending' });
    const [one] = await moved.waitFor(1);
    verify(one!, SECRET);
    expect(one!.headers['webhook-id']).to.equal(delivery_id);
    await fixture.waitForState('delivered', `&delivery_id=${delivery_id}`);
    await moved.close();
  });

  it('can be tested: with a given address or the current one', async () => {
    for (const event_type of WEBHOOK_TYPES) {
      const { status, json } = await fixture.call('/webhook-deliveries/test', {
        body: { event_type, url: `${receiver.url}/try` },
      });
      expect([status, json.delivered, json.webhook_delivery.attempts[0].http_status]).to.deep.equal([200, true, 204]);
      const one = receiver.received.at(-1)!;
      verify(one, SECRET);
      expect(one.json).to.include({ test: true });
      expect(one.json.type).to.equal(event_type);
      expect(one.json.data).to.be.an('object').that.is.not.empty;
      expect(one.headers['webhook-id']).to.equal(json.webhook_delivery.id);
    }
    receiver.answer(503);
    const { json } = await fixture.call('/webhook-deliveries/test', { body: {} });
    expect([
      json.delivered,
      json.webhook_delivery.attempts[0].http_status,
      json.webhook_delivery.attempts[0].target_url,
    ]).to.deep.equal([false, 503, `${receiver.url}/hook`]);
    expect((await fixture.deliveries(`&delivery_id=${json.webhook_delivery.id}`))[0]).to.include({
      test: true,
      status: 'failed',
    });
    expect(
      (await fixture.call('/webhook-deliveries/test', { body: { event_type: 'order.created' } })).json.code,
    ).to.equal('WEBHOOK_NOT_SET');
  });

  it('pause an endpoint that is gone, report it, and continue when it is set again', async () => {
    receiver.answer(410);
    await fixture.scan(await fixture.open(), 'picked_up');
    await fixture.waitForState('failed');
    await eventually(
      async () => endpoint(await fixture.call('/webhook-settings')).status === 'paused',
      'a paused endpoint',
    );
    expect(endpoint(await fixture.call('/webhook-settings'))).to.include({ status: 'paused', paused_reason: 'gone' });
    await fixture.scan(await fixture.open(), 'picked_up');
    const skipped = await fixture.waitForState('skipped');
    expect(skipped).to.include({ error: 'paused', attempts_made: 0 });
    expect(receiver.received).to.have.length(1);
    receiver.answer(204);
    expect(
      (await fixture.call(`/webhook-deliveries/${skipped.id}/replay`, { method: 'POST', body: {} })).status,
    ).to.equal(202);
    await receiver.waitFor(2);
    await fixture.set({ tracking_event_webhook_url: receiver.url });
    await fixture.scan(await fixture.open(), 'picked_up');
    await receiver.waitFor(3);
    expect(endpoint(await fixture.call('/webhook-settings')).status).to.equal('on');
  });

  it('send changes of an order and of a proposal, without persons', async () => {
    const began = Date.now();
    const urls = Object.fromEntries(WEBHOOK_KINDS.map((kind) => [`${kind}_webhook_url`, `${receiver.url}/${kind}`]));
    await fixture.set(urls);
    const {
      rows: [admin],
    } = await test.service.engines.pool.query<{ business: number }>(
      'select business from accounts.accounts where id = $1',
      [test.demo.users.client_admin.id],
    );
    const { business } = admin!;
    const order = { orderId: 4_711, business, by: test.demo.users.client_admin.id };
    const cause = {
      correlationId: randomUUID(),
      actor: { kind: 'user', id: '1' },
      channel: 'rest',
      business: String(business),
    } as const;
    const does = (command: object) =>
      test.service.commands.orders(
        orderStream(order.orderId),
        { commandId: randomUUID(), ...order, ...command } as OrderCommand,
        cause,
      );
    await does({
      do: 'create',
      order: {
        type: 'D',
        order_ref: 'REF-1',
        self_delivery: true,
        delivery: { name: 'Mrs. Secret', street: 'Secret Street 1', city: 'Hamburg', country: 'DE' },
        packages: [{ tracking_number: 'WEBHOOKORDER1' }],
        time_windows: [],
        note: 'Secret note',
      },
    });
    await does({ do: 'assign', assignmentId: 9, brokerId: test.demo.users.broker.id, note: 'Secret note' });
    await does({ do: 'revoke_assignment', reason: 'Secret reason' });
    await does({ do: 'hold', reason: 'Secret reason' });
    const proposal = randomUUID();
    const reject = (id: string, at: number) => {
      const fact = (type: string, data: JsonObject) => ({
        id: randomUUID(),
        type,
        version: 1,
        json: JSON.stringify(data),
        metadata: { recorded_at: new Date(at).toISOString() },
      });
      return {
        stream: `proposal-${id}`,
        expected: 'no-stream',
        events: [
          fact('WriteProposed', {
            proposal_id: id,
            business_id: business,
            tool: 'hold_order',
            operation: 'orderHold',
            risk: 'medium',
            required_scopes: ['orders:write'],
            arguments_hash: '00',
            source: 'header',
            proposed_by: 4,
            token: 'x',
            channel: 'mcp',
            targets: [],
            expires_at: '2099-01-01T00:00:00.000Z',
          }),
          fact('ProposalRejected', { rejected_by: 5, token: 'y', channel: 'rest' }),
        ],
      } as const;
    };
    // Recorded before the endpoint was set and read only now, so no webhook is sent.
    await test.service.engines.log.append([reject(randomUUID(), Date.now() - 3_600_000)]);
    await test.service.engines.log.append([reject(proposal, Date.now())]);
    // One of them reports the timeline, which follows the order, and one the creation of the proposal.
    const all = await receiver.waitFor(7);
    for (const one of all) verify(one, SECRET);
    expect(all.map(({ text }) => text).join()).to.not.contain('Secret');
    const data = (kind: string) =>
      all
        .filter(({ path }) => path === `/${kind}`)
        .map(
          ({
            json: {
              data: { occurred_at, ...rest },
            },
          }) => {
            expect(Date.parse(occurred_at)).to.be.within(began - SECOND_MS, Date.now() + SECOND_MS);
            return rest;
          },
        );
    expect(data('order_created')).to.have.length(1);
    expect(data('order_created')[0]).to.deep.include({
      order_id: 4_711,
      order_ref: 'REF-1',
      type: 'D',
      tracking_numbers: ['WEBHOOKORDER1'],
      delivery: { city: 'Hamburg', country: 'DE' },
    });
    expect(data('order_status_changed')).to.deep.equal([
      {
        id: 4_711,
        order_id: 4_711,
        order_ref: 'REF-1',
        tracking_numbers: ['WEBHOOKORDER1'],
        status: 'HOLD',
        order_status_id: 20,
        actor: { kind: 'user' },
      },
    ]);
    expect(data('assignment_changed').map(({ change }) => change)).to.have.members(['assigned', 'revoked']);
    expect(data('proposal_decided')).to.deep.equal([
      {
        id: proposal,
        previous_status: 'pending',
        actor: { kind: 'system' },
        proposal_id: proposal,
        tool: 'hold_order',
        operation: 'orderHold',
        risk: 'medium',
        proposed_by: 4,
        status: 'rejected',
        decided_by: 5,
      },
    ]);
    await fixture.set(Object.fromEntries(WEBHOOK_KINDS.map((kind) => [`${kind}_webhook_url`, ''])));
  });

  it('are counted', async () => {
    const metrics = await fetch(`${test.url}/metrics`).then((response) => response.text());
    expect(metrics)
      .to.match(/webhook_deliveries_total\{outcome="delivered"\} [1-9]/)
      .and.match(/webhook_deliveries_total\{outcome="retried"\} [1-9]/);
    expect(metrics)
      .to.match(/webhook_backlog_deliveries \d/)
      .and.match(/webhook_backlog_seconds \d/);
  });
});

describe('a permanently failing endpoint', () => {
  it('is paused when three deliveries in a row have used up all attempts', async () => {
    const test = await startTestService({ env: { ...ALLOWED, WEBHOOK_RETRY_MS: '1' } });
    const receiver = await startReceiver();
    receiver.answer(500);
    try {
      const fixture = await openWebhookFixture(test);
      await fixture.set({ tracking_event_webhook_url: receiver.url, webhook_secret: SECRET });
      for (let n = 0; n < 3; n++) await fixture.scan(await fixture.open(), 'picked_up');
      await eventually(
        async () => endpoint(await fixture.call('/webhook-settings')).status === 'paused',
        'a paused endpoint',
      );
      expect(endpoint(await fixture.call('/webhook-settings'))).to.include({ paused_reason: 'failing' });
      expect((await fixture.deliveries()).map(({ status, attempts_made }) => [status, attempts_made])).to.deep.equal(
        Array(3).fill(['failed', 6]),
      );
      expect(receiver.received).to.have.length(18);
      await fixture.scan(await fixture.open(), 'picked_up');
      expect(await fixture.waitForState('skipped')).to.include({ error: 'paused' });
      expect(receiver.received).to.have.length(18);
    } finally {
      await test.stop();
      await receiver.close();
    }
  });
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const endpoint = ({ json }: { readonly json: any }) =>
  json.webhook_settings.endpoints.find((one: { event_type: string }) => one.event_type === 'tracking.event');
