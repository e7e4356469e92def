/**
 * Acceptance 1 of webhook-events.md: one address for everything gets one webhook of each existing type, signed, in the
 * published form. Webhooks of nine areas come from real events; the others come from the examples of their kinds.
 */
import { expect } from 'chai';
import { WEBHOOK_TYPES, type WebhookKind } from '../../../src/events/webhooks/events.js';
import { KINDS } from '../../../src/webhooks/kinds.js';
import { callTool } from '../../support/clients/mcp.js';
import { startReceiver, verify, type Receiver } from '../../support/fakes/webhook-receiver.js';
import { openScanners, type Parcel, type Scanners } from '../../support/worlds/scanners.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { openTables } from '../../support/worlds/tables.js';
import { ALLOWED, openWebhookFixture, SECRET, type WebhookFixture } from '../../support/worlds/webhooks.js';

/** Kinds that the API calls below cause. */
const DONE: readonly WebhookKind[] = [
  'order_created',
  'order_status_changed',
  'tracking_event',
  'assignment_changed',
  'document_issued',
  'route_changed',
  'route_closed',
  'proposal_created',
  'proposal_decided',
  'job_finished',
  'dataset_records_changed',
  'inventory_changed',
  'transfer_changed',
  'receiving_exception',
  'alliance_changed',
];

describe('one address for every type of webhook', () => {
  let t: TestService;
  let s: Scanners;
  let fixture: WebhookFixture;
  let receiver: Receiver;
  before(async () => {
    t = await startTestService({ env: { ...ALLOWED, WEBHOOK_TIMEOUT_MS: '10000' } });
    s = openScanners(t);
    fixture = await openWebhookFixture(t);
    receiver = await startReceiver();
    await fixture.set({ default_webhook_url: receiver.url, webhook_event_types: ['*'], webhook_secret: SECRET });
  });
  after(async () => {
    await t.stop();
    await receiver.close();
  });

  const did = async (path: string, options: object = {}) => {
    const answer = await s.as('client_admin', path, options);
    expect(answer.status, `${path} ${answer.text}`).to.be.below(300);
    return answer.json;
  };
  /** Finds the webhook of a kind that is not an example. */
  const real = async (kind: WebhookKind) => {
    const isIt = ({ json }: Receiver['received'][number]) => json.type === KINDS[kind].type && json.test === undefined;
    const types = () => receiver.received.map(({ json }) => json.type).join();
    const one = await eventually(
      () => receiver.received.find(isIt),
      () => `nothing came of ${kind}: ${types()}`,
    );
    return one.json;
  };

  it('webhook-events 1: gets events of nine areas', async () => {
    const began = Date.now();
    // Orders, contractors, documents.
    const { order_id } = await s.order();
    await did(`/orders/${order_id}/hold`, { body: { reason: 'Secret reason' } });
    await did(`/orders/${order_id}/release`, { body: {} });
    await did('/broker-order-assignments', { body: { order_ids: [order_id], broker_id: t.demo.users.broker.id } });
    await did(`/orders/${order_id}/label`);
    // Routes.
    const { id: route_id } = (await did('/routes', { body: { name: 'Tour', schedule_date: '2046-03-02' } })).route;
    await did(`/routes/${route_id}/driver`, { method: 'PUT', body: { driver_id: t.demo.users.driver.id } });
    await did(`/routes/${route_id}/close`, { body: {} });
    // Warehouses.
    const [from, to] = [await s.warehouse(), await s.warehouse()];
    await did('/wms/stock/receive', { body: { warehouse_id: from, sku: 'TEA', location: 'A-1', quantity: '40' } });
    const [lost, moved] = (await s.parcels(2, { warehouse_id: from })) as [Parcel, Parcel];
    const scan = s.device('one', from);
    await s.sendAll('one', [scan('receive', lost.number), scan('receive', moved.number), scan('missing', lost.number)]);
    const places = { from_warehouse_id: from, to_warehouse_id: to, reason_code: 'mis_sorted' };
    await did('/warehouse-transfers', { body: { ...places, tracking_numbers: [moved.number] } });
    // Datasets and jobs.
    const tables = openTables(t);
    const dataset = await tables.make([{ code: 'name', name: 'Name', type: 'text' }]);
    await did(`/datasets/${dataset}/records/batch`, {
      method: 'POST',
      body: { records: [{ values: { name: 'by hand' } }] },
    });
    await tables.bring(dataset, await tables.upload('name\nfirst\nsecond\n'));
    // Proposals, alliances.
    const proposed = await callTool(
      t,
      'propose_write',
      { tool: 'hold_order', arguments: { order_id } },
      { token: fixture.key },
    );
    await did(`/proposals/${(proposed.structuredContent['proposal'] as { id: string }).id}/reject`, { body: {} });
    await did('/alliances', { body: { name: 'North' } });

    const webhooks = new Map<WebhookKind, { data: Record<string, unknown> }>();
    for (const kind of DONE) webhooks.set(kind, await real(kind));
    expect(webhooks.get('order_created')!.data).to.include({ order_id });
    const { occurred_at, ...inventory } = webhooks.get('inventory_changed')!.data;
    expect(Date.parse(occurred_at as string)).to.be.within(began - 1_000, Date.now() + 1_000);
    expect(inventory).to.deep.equal({
      id: 'TEA',
      actor: { kind: 'user' },
      warehouse_id: from,
      sku: 'TEA',
      change: 'received',
      location: 'A-1',
      quantity: '40',
      on_hand: '40',
      available: '40',
    });
    expect(webhooks.get('receiving_exception')!.data).to.include({ tracking_number: lost.number, warehouse_id: from });
    expect(webhooks.get('job_finished')!.data).to.include({ kind: 'dataset_import', state: 'succeeded' });
    const records = receiver.received.filter(({ json }) => json.type === 'dataset.records_changed');
    expect(
      records.map(({ json }) => json.data.change),
      'what an import put is not told one by one',
    ).to.deep.equal(['put']);
    expect(receiver.received.map(({ text }) => text).join())
      .to.not.contain('Secret')
      .and.not.contain('Lovelace');
  });

  it('webhook-events 1: gets an example of each on request', async () => {
    for (const event_type of WEBHOOK_TYPES) {
      const { json, text } = await fixture.call('/webhook-deliveries/test', { body: { event_type } });
      expect(json.delivered, text).to.equal(true);
    }
    expect(new Set(receiver.received.map(({ json }) => json.type))).to.deep.equal(
      new Set(Object.values(KINDS).map(({ type }) => type)),
    );
  });

  it('webhook-events 1: got all of them signed, and in the published form', () => {
    const shapes = new Map(Object.values(KINDS).map(({ type, shape }) => [type, shape]));
    for (const one of receiver.received) {
      verify(one, SECRET);
      const { error } = shapes.get(one.json.type)!.strict().safeParse(one.json.data);
      expect(error?.issues ?? [], one.text).to.deep.equal([]);
    }
  });
});
