/**
 * One address for all kinds or for some of them, next to addresses of single kinds (webhook-events.md, acceptance 2).
 */
import { expect } from 'chai';
import { WEBHOOK_KINDS } from '../../../src/events/webhooks/events.js';
import { graphql } from '../../support/clients/graphql.js';
import { callTool } from '../../support/clients/mcp.js';
import { startReceiver, verify, type Receiver } from '../../support/fakes/webhook-receiver.js';
import { dayIn } from '../../support/worlds/days.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { ALLOWED, openBusiness, SECRET, type WebhookFixture } from '../../support/worlds/webhooks.js';

describe('default address of webhooks', () => {
  let test: TestService;
  let fixture: WebhookFixture;
  let shared: Receiver;
  let own: Receiver;
  let businesses = 0;
  before(async () => void (test = await startTestService({ env: ALLOWED })));
  after(() => test.stop());
  beforeEach(async () => {
    fixture = await openBusiness(test, businesses++);
    [shared, own] = await Promise.all([startReceiver(), startReceiver()]);
    await fixture.set({ webhook_secret: SECRET });
  });
  afterEach(() => Promise.all([shared.close(), own.close()]));

  interface Shown {
    readonly event_type: string;
    readonly status: string;
    readonly via: string | null;
    readonly paused_reason: string | null;
  }
  const endpoints = async () => (await fixture.call('/webhook-settings')).json.webhook_settings.endpoints as Shown[];
  const endpoint = async (kind: string) => (await endpoints()).find(({ event_type }) => event_type === kind)!;
  const scan = async () => fixture.scan(await fixture.open(), 'picked_up');
  /** Triggers an event of another kind than a scan. */
  const post = async () => {
    const body = { name: `Tour ${Math.random()}`, schedule_date: dayIn(1) };
    const { json, text } = await fixture.call('/routes', { body });
    expect(json.result, text).to.equal(true);
    expect((await fixture.call(`/routes/${json.route.id}/close`, { body: {} })).status).to.equal(200);
  };
  const types = ({ received }: Receiver) => received.map(({ json }) => json.type as string);

  it('receives the chosen kinds once it has both: a list and an address', async () => {
    await fixture.set({ webhook_event_types: ['tracking.event', 'tracking.event'] });
    expect((await endpoints()).map(({ status }) => status)).to.not.include('on');
    const { json } = await fixture.set({ default_webhook_url: `${shared.url}/all` });
    expect(json.webhook_settings).to.deep.include({
      default_webhook_url: `${shared.url}/all`,
      webhook_event_types: ['tracking.event'],
    });
    expect(json.webhook_settings.tracking_event_webhook_url, 'it has none of its own').to.equal('');
    expect(await endpoint('tracking.event')).to.include({ status: 'on', via: 'default' });
    expect(await endpoint('route.closed')).to.include({ status: 'off', via: null });
    await post();
    await scan();
    const [one] = await shared.waitFor(1);
    verify(one!, SECRET);
    expect([one!.path, types(shared)]).to.deep.equal(['/all', ['tracking.event']]);
  });

  it('webhook-events 2: receives everything with *, except kinds with a separate address', async () => {
    await fixture.set({ default_webhook_url: shared.url, webhook_event_types: ['*'] });
    expect((await endpoints()).map(({ via }) => via)).to.deep.equal(WEBHOOK_KINDS.map(() => 'default'));
    await fixture.set({ tracking_event_webhook_url: own.url });
    expect(await endpoint('tracking.event')).to.include({ status: 'on', via: 'own' });
    await scan();
    await post();
    await Promise.all([own.waitFor(1), shared.waitFor(1)]);
    await fixture.set({ tracking_event_webhook_url: '' });
    expect(await endpoint('tracking.event')).to.include({ status: 'on', via: 'default' });
    await scan();
    await shared.waitFor(2);
    await fixture.waitForState('delivered');
    expect([types(own), types(shared)]).to.deep.equal([['tracking.event'], ['route.closed', 'tracking.event']]);
    // A test is sent to the address of its kind.
    await fixture.call('/webhook-deliveries/test', { body: { event_type: 'instant.changed' } });
    expect(shared.received.at(-1)!.json).to.include({ type: 'instant.changed', test: true });
  });

  it('receives nothing from earlier, nor kinds that were not chosen then', async () => {
    await scan();
    await fixture.set({ default_webhook_url: shared.url, webhook_event_types: ['route.closed'] });
    await scan();
    await post();
    await fixture.set({ webhook_event_types: ['*'] });
    await scan();
    await shared.waitFor(2);
    await fixture.waitForState('delivered');
    expect(types(shared)).to.have.members(['route.closed', 'tracking.event']);
    await fixture.set({ webhook_event_types: [] });
    await scan();
    await fixture.set({ tracking_event_webhook_url: own.url });
    await scan();
    await own.waitFor(1);
    await fixture.waitForState('delivered');
    expect([types(shared).length, own.received.length]).to.deep.equal([2, 1]);
  });

  it('is paused alone, together with its kinds', async () => {
    await fixture.set({
      default_webhook_url: shared.url,
      webhook_event_types: ['*'],
      tracking_event_webhook_url: own.url,
    });
    shared.answer(410);
    await post();
    await shared.waitFor(1);
    await eventually(async () => (await endpoint('route.closed')).status === 'paused', 'a paused endpoint');
    const shown = await endpoints();
    expect(shown.filter(({ status }) => status === 'on').map(({ event_type }) => event_type)).to.deep.equal([
      'tracking.event',
    ]);
    expect(await endpoint('instant.changed')).to.include({ status: 'paused', via: 'default', paused_reason: 'gone' });
    await scan();
    await own.waitFor(1);
    await post();
    await fixture.waitForState('skipped', '&event_type=route.closed');
    // A paused kind is sent again once its own address or the default address is set again.
    await fixture.set({ route_closed_webhook_url: own.url });
    await post();
    await own.waitFor(2);
    shared.answer(204);
    await fixture.set({ default_webhook_url: shared.url, route_closed_webhook_url: '' });
    await post();
    await shared.waitFor(2);
    expect(types(own)).to.deep.equal(['tracking.event', 'route.closed']);
  });

  it('passes waiting webhooks to a new address of their kind', async () => {
    shared.answer('hang');
    await fixture.set({ default_webhook_url: shared.url, webhook_event_types: ['*'] });
    // More than an endpoint gets at a time.
    for (let n = 0; n < 10; n++) await scan();
    await shared.waitFor(8);
    await fixture.set({ tracking_event_webhook_url: own.url });
    await own.waitFor(10);
    expect(new Set(own.received.map(({ headers }) => headers['webhook-id']))).to.have.property('size', 10);
  });

  it('gets eight at a time, of any kinds', async () => {
    let [now, maxConcurrent] = [0, 0];
    shared.answer((response) => {
      maxConcurrent = Math.max(maxConcurrent, ++now);
      setTimeout(() => {
        now--;
        response.end();
      }, 500);
    });
    await fixture.set({ default_webhook_url: shared.url, webhook_event_types: ['*'] });
    await Promise.all(Array.from({ length: 8 }, () => Promise.all([scan(), post()])));
    await shared.waitFor(16);
    expect([maxConcurrent, new Set(types(shared)).size]).to.deep.equal([8, 2]);
  });

  const BAD: readonly (readonly [body: object, path: string, code: string])[] = [
    [{ webhook_event_types: ['order_deleted'] }, '/webhook_event_types/0', 'INVALID_VALUE'],
    [{ webhook_event_types: ['order_created'] }, '/webhook_event_types/0', 'INVALID_VALUE'],
    [{ webhook_event_types: '*' }, '/webhook_event_types', 'INVALID_TYPE'],
    [{ default_webhook_url: 'nonsense' }, '/default_webhook_url', 'WEBHOOK_URL_REFUSED'],
  ];
  for (const [body, path, code] of BAD)
    it(`rejects ${JSON.stringify(body)}`, async () => {
      const { status, json } = await fixture.call('/webhook-settings', { method: 'PUT', body });
      expect([status, json.errors[0].path, json.errors[0].code]).to.deep.equal([400, path, code]);
    });

  it('can be set over GraphQL and MCP, too', async () => {
    const query = `mutation { webhookSettingsUpdate(defaultWebhookUrl: "${shared.url}", webhookEventTypes: ["tracking.event"]) { webhookSettings { webhookEventTypes endpoints { eventType via since } } } }`;
    const { data, errors } = await graphql(test.url, query, { key: fixture.key });
    expect(data?.webhookSettingsUpdate.webhookSettings.webhookEventTypes, JSON.stringify(errors)).to.deep.equal([
      'tracking.event',
    ]);
    expect(data.webhookSettingsUpdate.webhookSettings.endpoints).to.deep.include({
      eventType: 'tracking.event',
      via: 'default',
      since: '0.1.0',
    });
    const tool = async (name: string, args: object = {}) => {
      const { structuredContent, isError } = await callTool(test, name, args, {
        token: fixture.key,
        path: '/mcp/developer',
      });
      expect(isError, JSON.stringify(structuredContent)).to.not.equal(true);
      return structuredContent;
    };
    await tool('update_webhook_settings', { webhook_event_types: ['*'], tracking_event_webhook_url: own.url });
    const settings = (await tool('get_webhook_settings'))['webhook_settings'] as Record<string, unknown>;
    expect(settings).to.include({ default_webhook_url: shared.url, tracking_event_webhook_url: own.url });
    expect(settings['webhook_event_types']).to.deep.equal(['*']);
    expect(await tool('test_webhook_delivery', { event_type: 'route.closed' })).to.include({ delivered: true });
    expect(types(shared)).to.deep.equal(['route.closed']);
  });
});
