/** Tracking of labels: messages of carriers, polls, the states of label orders, and questions about accepted voids. */
import { expect } from 'chai';
import { carrierProvider } from '../../../src/commands/labels/following.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { libraryFor } from '../../support/easypost/library.js';
import { newDetail } from '../../support/easypost/objects.js';
import { eventually, eventuallyPasses } from '../../support/eventually.js';
import {
  addTracked,
  buyLabel,
  hourOf,
  JOURNEY,
  makeDue,
  messageAbout,
  pollsOf,
  sendMessage,
  stateOf,
  WEBHOOK_SECRET,
  type BoughtLabel,
  type TrackedAccount,
} from '../../support/labels/tracked.js';
import { openLabelWorld, shipmentOf, type LabelWorld } from '../../support/labels/world.js';

const KEY = 'EZTKtracked';

describe('tracking of labels', () => {
  let w: LabelWorld;
  let account: TrackedAccount;
  let other: TrackedAccount;
  before(async () => {
    w = await openLabelWorld();
    account = await addTracked(w, KEY);
    other = await addTracked(w, 'EZTKother');
  });
  after(() => w?.stop());

  const untilState = (order: number, state: string) =>
    eventually(async () => (await stateOf(w, order)) === state, `the state ${state}`);
  const timelineOf = async (number: string) => {
    const { json } = await w.t.read(number);
    return json.events as readonly Readonly<Record<string, unknown>>[];
  };
  const carrierScans = async (number: string) =>
    (await timelineOf(number)).filter(({ source }) => (source as { readonly type: string }).type === 'carrier');
  const inboxRows = async () => {
    const { rows } = await w.t.service.engines.pool.query<{ n: number }>('select count(*)::int as n from access.inbox');
    return rows[0]!.n;
  };
  const untilProcessed = () =>
    eventually(async () => {
      const { rows } = await w.t.service.engines.pool.query('select from access.inbox where done_at is null');
      return rows.length === 0;
    }, 'all messages are processed');
  const scan = (number: string, at: number, sends = false) =>
    w.easypost.scan({ tracking_code: number, ...JOURNEY[at]!, sends });
  /** Messages until now, in their order. */
  async function send(label: BoughtLabel, at: number) {
    const answer = await sendMessage(w, account, await scan(label.number, at));
    expect(answer.status, answer.text).to.equal(200);
  }

  it('shows the address of messages, and follows the messages of the carrier to the end of the journey', async () => {
    expect(account.url).to.match(/^http:\/\/.+\/api\/v1\/inbound\/easypost\/[0-9a-f]{32}$/);
    const { carrier_account: shown } = (await w.as('client_admin', `/carrier-accounts/${account.id}`)).json;
    expect(shown.webhook_url).to.equal(account.url);
    expect((await w.as('client_admin', `/carrier-accounts/${w.sheet.id}`)).json.carrier_account.webhook_url).to.equal(
      null,
    );
    const library = libraryFor({ url: w.easypost.url, key: KEY });
    await library.Webhook.create({ url: account.url, webhook_secret: WEBHOOK_SECRET });
    const label = await buyLabel(w, account);
    await scan(label.number, 1, true);
    await untilState(label.order, 'IN_TRANSIT');
    const used = await w.as('employee', '/label-orders/cancel', { order_id: label.order });
    expect([used.status, used.json.code], used.text).to.deep.equal([409, 'LABEL_IN_USE']);
    await scan(label.number, 4, true);
    await untilState(label.order, 'EXCEPTION');
    await scan(label.number, 5, true);
    await untilState(label.order, 'OUT_FOR_DELIVERY');
    await scan(label.number, 6, true);
    await untilState(label.order, 'DELIVERED');
    const scans = await carrierScans(label.number);
    expect(scans.map(({ status_code }) => status_code)).to.deep.equal([
      'received',
      'delivery_rescheduled',
      'out_for_delivery',
      'delivered',
    ]);
    expect(scans[0]).to.deep.include({
      source: { type: 'carrier' },
      occurred_at: JOURNEY[1]!.at,
      location: { city: 'DALLAS', region: 'TX' },
    });
  });

  it('refuses forged messages and stores nothing of them', async () => {
    const label = await buyLabel(w, account);
    await untilProcessed();
    const rows = await inboxRows();
    const event = await scan(label.number, 1);
    const forged = await sendMessage(w, account, event, 'another secret');
    expect([forged.status, forged.json.code]).to.deep.equal([401, 'BAD_SIGNATURE']);
    // The account without a secret accepts no message at all.
    const unsigned = await w.as('client_admin', `/carrier-accounts/${w.outside.id}`);
    const path = new URL(unsigned.json.carrier_account.webhook_url as string).pathname.replace('/api/v1', '');
    expect((await sendMessage(w, { path }, event, '')).status).to.equal(401);
    const unknown = await sendMessage(w, { path: `/inbound/easypost/${'0'.repeat(32)}` }, event);
    expect([unknown.status, unknown.json.code]).to.deep.equal([404, 'NOT_FOUND']);
    const large = await sendMessage(w, account, { ...event, padding: 'x'.repeat(262_144) });
    expect([large.status, large.json.code]).to.deep.equal([413, 'BODY_TOO_LARGE']);
    expect(await inboxRows()).to.equal(rows);
    expect(await carrierScans(label.number)).to.deep.equal([]);
  });

  it('stores a repeated message once', async () => {
    const label = await buyLabel(w, account);
    await untilProcessed();
    const rows = await inboxRows();
    const event = await scan(label.number, 2);
    for (const answer of await Promise.all([1, 2, 3].map(() => sendMessage(w, account, event))))
      expect(answer.status).to.equal(200);
    expect(await inboxRows()).to.equal(rows + 1);
    await eventuallyPasses(async () => expect(await carrierScans(label.number)).to.have.length(1));
  });

  it('ignores numbers of others, unknown numbers, other shipments and other messages', async () => {
    const label = await buyLabel(w, account);
    const foreign = await buyLabel(w, other);
    const [local] = (await w.as('employee', '/orders?per_page=1')).json.orders as { tracking_numbers?: string[] }[];
    const detail = newDetail('delivered', 'arrived_at_destination', hourOf(5), 'Left', 'DALLAS');
    const bodies = [
      messageAbout('9400100000000000000000', [detail]),
      messageAbout(foreign.number, [detail]),
      messageAbout(local?.tracking_numbers?.[0] ?? 'TT0000000000', [detail]),
      messageAbout(label.number, [detail], { shipment_id: 'shp_another' }),
      { id: 'evt_batch', object: 'Event', description: 'batch.updated', result: {} },
    ];
    for (const body of bodies) expect((await sendMessage(w, account, body)).status).to.equal(200);
    await untilProcessed();
    for (const { number, order } of [label, foreign]) {
      expect(await carrierScans(number)).to.deep.equal([]);
      expect(await stateOf(w, order)).to.equal('LABEL_PURCHASED');
    }
    const open = await w.as('client_admin', '/effects?kind=inbox');
    expect(open.json.effects, open.text).to.deep.equal([]);
  });

  it('asks the carrier where no message arrived, and stops at the end of the journey', async () => {
    const label = await buyLabel(w, account);
    const first = await eventually(async () => (await pollsOf(w, label.order))[0], 'a poll');
    expect(first).to.include({ kind: 'tracking', polls: 0 });
    expect(first.hours).to.be.within(5.3, 6.6);
    const poll = async () => {
      const before = (await pollsOf(w, label.order))[0]!.polls;
      await makeDue(w, label.order);
      await eventually(async () => {
        const [row] = await pollsOf(w, label.order);
        return !row || row.polls > before;
      }, 'the end of a poll');
      return (await pollsOf(w, label.order))[0];
    };
    await scan(label.number, 0);
    const early = await poll();
    expect(early!.hours).to.be.within(3.5, 4.4);
    await scan(label.number, 1);
    expect((await poll())!.hours).to.be.within(1.7, 2.2);
    await untilState(label.order, 'IN_TRANSIT');
    // A message that repeats the scan changes nothing.
    await send(label, 6);
    await untilState(label.order, 'DELIVERED');
    expect(await poll()).to.equal(undefined);
    const scans = await carrierScans(label.number);
    expect(scans.map(({ status_code }) => status_code)).to.deep.equal([
      'information_submitted',
      'received',
      'delivered',
    ]);
  });

  it('continues with the other accounts while one does not respond', async () => {
    const label = await buyLabel(w, account);
    const broken = await addTracked(w, 'EZTKbroken');
    const stuck = await buyLabel(w, broken);
    for (const { order } of [label, stuck]) await eventually(async () => (await pollsOf(w, order))[0], 'a poll');
    const { credential_id } = (
      await w.t.service.engines.pool.query<{ credential_id: string }>(
        'select credential_id from carrier_accounts.carrier_accounts where id = $1',
        [broken.id],
      )
    ).rows[0]!;
    // Another key: the credential cannot be opened.
    await w.t.service.engines.pool.query('update access.credentials set sealed = $2 where id = $1', [
      credential_id,
      Buffer.alloc(64),
    ]);
    await makeDue(w, stuck.order);
    await scan(label.number, 3);
    await makeDue(w, label.order);
    await untilState(label.order, 'IN_TRANSIT');
    expect((await pollsOf(w, stuck.order))[0]).to.include({ polls: 0 });
    expect(await stateOf(w, stuck.order)).to.equal('LABEL_PURCHASED');
  });

  it('keeps events with an unknown raw status until the table of the account has it', async () => {
    const label = await buyLabel(w, account);
    const detail = newDetail('in_transit', 'over_the_river', hourOf(25), 'Bridge', 'WACO');
    await sendMessage(w, account, messageAbout(label.number, [detail]));
    await untilProcessed();
    expect(await carrierScans(label.number)).to.deep.equal([]);
    expect(await stateOf(w, label.order)).to.equal('LABEL_PURCHASED');
    const path = `/carrier-accounts/${account.id}/status-mapping`;
    const { json } = await w.as('client_admin', path);
    const seeded = json.mapping as readonly { readonly raw: string; readonly status_code: string }[];
    expect(seeded).to.deep.include({ raw: 'in_transit/departed_facility', status_code: 'package_outbound' });
    const mapping = [...seeded, { raw: 'in_transit/over_the_river', status_code: 'package_outbound' }];
    const faulty = await w.as('client_admin', path, { mapping: [{ raw: 'x', status_code: 'no_such_code' }] }, 'PUT');
    expect([faulty.status, faulty.json.errors?.[0]?.code]).to.deep.equal([400, 'UNKNOWN_STATUS']);
    const set = await w.as('client_admin', path, { mapping }, 'PUT');
    expect([set.status, set.json.mapping], set.text).to.deep.equal([200, mapping]);
    await untilState(label.order, 'IN_TRANSIT');
    expect((await carrierScans(label.number)).map(({ status_code }) => status_code)).to.deep.equal([
      'package_outbound',
    ]);
    // The table is seeded once: a later message does not restore the rows of the adapter.
    await send(label, 5);
    await untilState(label.order, 'OUT_FOR_DELIVERY');
    expect((await w.as('client_admin', path)).json.mapping).to.deep.equal(mapping);
  });

  it('counts scans of the provider of an account of the business itself', async () => {
    const made = await w.as('employee', '/label-orders', { ...shipmentOf(2), method_id: w.sheet.method });
    const numbers = made.json.label_order.tracking_numbers as readonly string[];
    const order = made.json.order_id as number;
    const key = await w.t.addProvider(carrierProvider({ adapter: 'sheet', account_id: w.sheet.id }));
    const push = async (number: string, status_code: string, occurred_at: string) => {
      const event = { occurred_at, status_code, source: { type: 'carrier' } };
      const timeline = { subject: { tracking_number: number }, events: [event] };
      const answer = await w.t.push(timeline, { key });
      expect(answer.status, answer.text).to.be.below(300);
    };
    await push(numbers[0]!, 'picked_up', '2026-03-01T10:00:00Z');
    await untilState(order, 'IN_TRANSIT');
    await push(numbers[1]!, 'return_to_sender', '2026-03-02T10:00:00Z');
    await push(numbers[0]!, 'return_to_sender', '2026-03-02T11:00:00Z');
    await untilState(order, 'RETURNED');
    // A notice after the end changes no state.
    await push(numbers[0]!, 'arrival_scan', '2026-03-03T10:00:00Z');
    await expectSameReplay(w.t, ['labels']);
    expect(await stateOf(w, order)).to.equal('RETURNED');
  });

  it('asks about a void that the carrier has accepted, until it is decided', async () => {
    const label = await buyLabel(w, account);
    const { shipment_id: shipment } = (await w.easypost.state()).purchases.at(-1)!;
    const cancelled = await w.as('employee', '/label-orders/cancel', { order_id: label.order });
    expect(cancelled.json.label_order.status, cancelled.text).to.equal('VOID_REQUESTED');
    const asked = await eventually(
      async () => (await pollsOf(w, label.order)).find(({ kind }) => kind === 'void'),
      'a poll about the void',
    );
    expect(asked.hours).to.be.within(0.8, 1.2);
    await makeDue(w, label.order);
    const again = await eventually(
      async () => (await pollsOf(w, label.order)).find(({ kind, polls }) => kind === 'void' && polls === 1),
      'the end of a poll',
    );
    expect(again.hours).to.be.within(10.5, 13.3);
    expect(await stateOf(w, label.order)).to.equal('VOID_REQUESTED');
    await w.easypost.settleRefund(shipment, 'refunded');
    await makeDue(w, label.order);
    await untilState(label.order, 'VOIDED');
    await makeDue(w, label.order);
    await eventuallyPasses(async () => expect(await pollsOf(w, label.order)).to.deep.equal([]));
  });

  it('has the same rows after a rebuild', () =>
    expectSameReplay(w.t, ['labels', 'timeline', 'providers', 'kept_events', 'carrier_accounts']));
});
