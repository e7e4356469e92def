/** Settings of webhooks and the log of deliveries: partial update, permissions, bad input, other businesses. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { WEBHOOK_KINDS } from '../../../src/events/webhooks/events.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { storedEvents } from '../../support/checks/stored-events.js';
import { startReceiver, type Receiver } from '../../support/fakes/webhook-receiver.js';
import { ALLOWED, openWebhookFixture, SECRET, type WebhookFixture } from '../../support/worlds/webhooks.js';

const URL_FIELDS = [...WEBHOOK_KINDS, 'default'].map((kind) => `${kind}_webhook_url`);

describe('webhook settings', () => {
  let test: TestService;
  let admin: WebhookFixture;
  before(async () => {
    test = await startTestService({ env: { RATE_LIMIT_WRITE: '100000' } });
    admin = await openWebhookFixture(test);
  });
  after(() => test.stop());

  const put = (body: unknown, fixture = admin) => fixture.call('/webhook-settings', { method: 'PUT', body });
  const get = async (fixture = admin) => (await fixture.call('/webhook-settings')).json.webhook_settings;

  it('are all disabled by default', async () => {
    const settings = await get(await openWebhookFixture(test, 'other_client_admin'));
    for (const field of URL_FIELDS) expect(settings[field]).to.equal('');
    expect(settings).to.include({
      webhooks_enabled: true,
      include_personal_data: false,
      only_terminal_tracking_events: false,
      webhook_secret_set: false,
      webhook_secret_set_at: null,
      webhook_secret_key: null,
    });
    expect(settings.webhook_event_types).to.deep.equal([]);
  });

  it('return the key type of signatures, and accept half an hour of overlap', async () => {
    const coded = `whsec_${Buffer.from('0123456789abcdefghijklmn').toString('base64')}`;
    expect(
      (await put({ webhook_secret: coded, webhook_secret_overlap_hours: 0.5 })).json.webhook_settings
        .webhook_secret_key,
    ).to.equal('base64');
    expect((await put({ webhook_secret: 'whsec_not/base64?' })).status).to.equal(400);
    // A secret from before secrets were decoded is still used as text for signatures.
    const { pool } = test.service.engines;
    await pool.query('update access.webhook_secrets set as_text = true');
    expect((await get()).webhook_secret_key).to.equal('text');
    expect((await put({ webhook_secret: SECRET })).json.webhook_settings.webhook_secret_key).to.equal('text');
  });

  it('change partially: absent fields stay', async () => {
    expect((await put({ order_created_webhook_url: 'https://example.com/a', webhook_secret: SECRET })).status).to.equal(
      200,
    );
    expect((await put({ tracking_event_webhook_url: 'https://example.com/b?token=x' })).status).to.equal(200);
    const { json } = await put({ include_personal_data: true });
    expect(json.webhook_settings).to.include({
      order_created_webhook_url: 'https://example.com/a',
      tracking_event_webhook_url: 'https://example.com/b?token=x',
      include_personal_data: true,
      webhook_secret_set: true,
    });
    expect((await put({ order_created_webhook_url: '' })).json.webhook_settings).to.include({
      order_created_webhook_url: '',
      tracking_event_webhook_url: 'https://example.com/b?token=x',
    });
    expect(await get()).to.deep.equal((await put({})).json.webhook_settings);
  });

  it('keep addresses and secrets out of the event log and the plaintext of the database', async () => {
    const { rows } = await test.service.engines.pool.query<{ text: string }>(
      'select to_json(t)::text as text from webhook_settings.settings t union all select to_json(t)::text from access.webhook_secrets t',
    );
    const events = (await storedEvents(test.service.engines.log)).filter(({ stream }) =>
      stream.startsWith('webhooks-'),
    );
    const all = JSON.stringify([rows, events]);
    expect(events.length).to.be.above(3);
    expect(rows.length + events.length).to.be.above(5);
    for (const hidden of ['example.com', SECRET, Buffer.from(SECRET).toString('hex')])
      expect(all).to.not.contain(hidden);
  });

  it('never show the secret', async () => {
    for (const { text } of [
      await put({ webhook_secret: 'yet-another-secret-1' }),
      await admin.call('/webhook-settings'),
    ])
      expect(text).to.not.contain('yet-another');
  });

  it('require a secret before the first address, because webhooks are always signed', async () => {
    const other = await openWebhookFixture(test, 'other_client_admin');
    const { status, json } = await put({ order_created_webhook_url: 'https://example.com/' }, other);
    expect([status, json.errors[0].field, json.errors[0].code]).to.deep.equal([400, 'webhook_secret', 'REQUIRED']);
    expect((await get(other)).order_created_webhook_url).to.equal('');
  });

  const BAD: readonly (readonly [body: unknown, field: string, code: string])[] = [
    [{ webhook_secret: 'fifteen-letters' }, 'webhook_secret', 'TOO_SHORT'],
    [{ webhook_secret: 'x'.repeat(257) }, 'webhook_secret', 'TOO_LONG'],
    [{ webhook_secret: 'with spaces in between' }, 'webhook_secret', 'INVALID_FORM'],
    [{ webhook_secret: 'ungewöhnlich-und-lang' }, 'webhook_secret', 'INVALID_FORM'],
    [{ webhook_secret: null }, 'webhook_secret', 'INVALID_TYPE'],
    [{ webhook_secret: SECRET, webhook_secret_overlap_hours: 1_000 }, 'webhook_secret_overlap_hours', 'TOO_BIG'],
    [{ webhooks_enabled: 'yes' }, 'webhooks_enabled', 'INVALID_TYPE'],
    [{ order_created_webhook_url: 7 }, 'order_created_webhook_url', 'INVALID_TYPE'],
    [
      { order_created_webhook_url: `https://example.com/${'x'.repeat(2_048)}` },
      'order_created_webhook_url',
      'TOO_LONG',
    ],
    [{ order_deleted_webhook_url: 'https://example.com/' }, 'order_deleted_webhook_url', 'UNKNOWN_FIELD'],
    ...[
      'http://example.com/',
      'ftp://example.com/',
      'nonsense',
      'https://user:pw@example.com/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0177.1/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/',
      'https://localhost/',
    ].map((url) => [{ tracking_event_webhook_url: url }, 'tracking_event_webhook_url', 'WEBHOOK_URL_REFUSED'] as const),
  ];
  for (const [body, field, code] of BAD) {
    it(`reject ${JSON.stringify(body).slice(0, 70)} and change nothing`, async () => {
      const before = await get();
      const { status, json, text } = await put(body);
      expect(status).to.equal(400);
      expect(json.errors.map((error: { field: string; code: string }) => [error.field, error.code])).to.deep.include([
        field,
        code,
      ]);
      expect(text).to.not.contain('user:pw').and.not.contain('169.254');
      expect(await get()).to.deep.equal(before);
    });
  }

  it('reject the same for a test', async () => {
    const { status, json } = await admin.call('/webhook-deliveries/test', { body: { url: 'https://10.0.0.1/' } });
    expect([status, json.code]).to.deep.equal([400, 'WEBHOOK_URL_REFUSED']);
  });

  it('are changed by the admin and read by the office', async () => {
    const employee = await openWebhookFixture(test, 'employee');
    expect((await employee.call('/webhook-settings')).status).to.equal(200);
    expect((await put({ webhooks_enabled: false }, employee)).status).to.equal(403);
    expect((await employee.call('/webhook-deliveries/test', { body: {} })).status).to.equal(403);
    for (const user of ['broker', 'driver', 'customer', 'auditor', 'platform_admin'] as const) {
      const fixture = await openWebhookFixture(test, user);
      expect((await fixture.call('/webhook-settings')).status, user).to.equal(403);
      expect((await fixture.call('/webhook-deliveries')).status, user).to.equal(403);
      expect((await put({}, fixture)).status, user).to.equal(403);
    }
    expect((await test.api('/webhook-settings')).status).to.equal(401);
    expect((await test.api('/webhook-settings', { key: test.demo.provider.key })).status).to.equal(403);
  });

  it('return the same response for a retry with the same key, and rotate once', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { webhook_secret: 'rotated-exactly-once-1' };
    const first = await admin.call('/webhook-settings', { method: 'PUT', body, headers });
    const again = await admin.call('/webhook-settings', { method: 'PUT', body, headers });
    expect(again.json).to.deep.equal(first.json);
  });
});

describe('webhook deliveries', () => {
  let test: TestService;
  let admin: WebhookFixture;
  let receiver: Receiver;
  before(async () => {
    test = await startTestService({ env: ALLOWED });
    admin = await openWebhookFixture(test);
    receiver = await startReceiver();
    await admin.set({ tracking_event_webhook_url: receiver.url, webhook_secret: SECRET });
    for (const status of ['picked_up', 'in_transit', 'delivered']) await admin.scan(await admin.open(), status);
    await receiver.waitFor(3);
    await admin.waitForState('delivered');
  });
  after(async () => {
    await test.stop();
    await receiver.close();
  });

  it('are listed by page, kind, state, id and time', async () => {
    const { json } = await admin.call('/webhook-deliveries?per_page=2&page=2');
    expect([json.total, json.page, json.per_page, json.webhook_deliveries.length]).to.deep.equal([3, 2, 2, 1]);
    const [one] = json.webhook_deliveries;
    const count = async (query: string) => (await admin.call(`/webhook-deliveries?${query}`)).json.total;
    expect(await count('event_type=tracking.event')).to.equal(3);
    expect(await count('event_type=order.created')).to.equal(0);
    expect(await count('status=failed')).to.equal(0);
    expect(await count(`delivery_id=${one.id}`)).to.equal(1);
    expect(await count(`created_from=${encodeURIComponent(new Date(Date.now() + 60_000).toISOString())}`)).to.equal(0);
    for (const bad of [
      'event_type=x',
      'event_type=order_created',
      'status=x',
      'delivery_id=1',
      'created_from=yesterday',
      'per_page=201',
      'page=0',
    ])
      expect((await admin.call(`/webhook-deliveries?${bad}`)).status, bad).to.equal(400);
  });

  it('of one business do not exist for another', async () => {
    const other = await openWebhookFixture(test, 'other_client_admin');
    expect(await other.deliveries()).to.deep.equal([]);
    const [{ id: delivery_id }] = await admin.deliveries();
    for (const id of [delivery_id, randomUUID()]) {
      const { status, json } = await other.call(`/webhook-deliveries/${id}/replay`, { method: 'POST', body: {} });
      expect([status, json.code]).to.deep.equal([404, 'NOT_FOUND']);
    }
    expect(receiver.received).to.have.length(3);
  });

  it('are not sent again while pending, nor to a disabled endpoint', async () => {
    receiver.answer('hang');
    const [{ id: delivery_id }] = await admin.deliveries();
    const replay = () => admin.call(`/webhook-deliveries/${delivery_id}/replay`, { method: 'POST', body: {} });
    expect((await replay()).status).to.equal(202);
    expect((await replay()).json.code).to.equal('WEBHOOK_PENDING');
    receiver.answer(204);
    await admin.waitForState('delivered', `&delivery_id=${delivery_id}`);
    await admin.set({ tracking_event_webhook_url: '' });
    expect((await replay()).json.code).to.equal('WEBHOOK_NOT_SET');
  });
});
