/** The audit by parcel number, and which personal data an auditor sees (issue 24, point 9). */
import { expect } from 'chai';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { openOrderFixture, ORDER, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type EventResponse = any;

describe('audit of a parcel', () => {
  let t: TestService;
  let fixture: OrderFixture;
  let order: number;
  let number: string;
  let position: string;
  const carriers = newNumber();

  before(async () => {
    t = await startTestService();
    fixture = openOrderFixture(t);
    const { json } = await fixture.as('client_admin', '/client/orderCreate', {
      body: { ...ORDER, delivery: { ...ORDER.delivery, name: 'Aurelia Empfang' } },
    });
    order = json.order_id;
    number = json.tracking_numbers[0];
    const pushed = await t.push(
      timelineOf(carriers, [event('picked_up', 1, { description: 'left with Jane' }), event('in_transit', 2)]),
    );
    position = pushed.headers.get('x-event-position')!;
  });
  after(() => t.stop());

  const read = (user: Parameters<OrderFixture['as']>[0], path: string) =>
    fixture.as(user, `/audit${path}`, { headers: { 'x-event-position': position } });
  const written = (one: string) => encodeURIComponent(one.toLowerCase().replace(/^(...)/, '$1 '));

  it('finds it by its number in any notation: tracking and order in the list, the tracking as a stream', async () => {
    const { json } = await read('auditor', `/events?sort=recorded_at&stream=${written(number)}`);
    expect([...new Set(json.events.map(({ stream }: EventResponse) => stream.replace(/-.*/, '')))]).to.have.members([
      'order',
      'tracking',
    ]);
    expect(json.events.map(({ type }: EventResponse) => type)).to.include.members(['OrderCreated', 'TrackingOpened']);
    expect(
      json.events.every(({ stream }: EventResponse) => stream === `order-${order}` || stream.startsWith('tracking-')),
    ).to.equal(true);
    const exported = await read('auditor', `/events/export?stream=${written(number)}`);
    expect(exported.text.split('\n').filter(Boolean)).to.have.length(json.events.length);
    const stream = await read('auditor', `/streams/${written(number)}/events`);
    expect(stream.json.events.map(({ type }: EventResponse) => type)[0]).to.equal('TrackingOpened');
    const state = await read('auditor', `/state?stream=${written(number)}`);
    expect(state.json.audit_state.stream).to.equal(stream.json.events[0].stream);
    expect(state.json.audit_state.timeline.subject.tracking_number).to.equal(number);
  });

  it('is hidden from other businesses, like an unknown number', async () => {
    for (const [user, trackingNumber] of [
      ['other_client_admin', number],
      ['auditor', carriers],
      ['auditor', 'NOSUCHNUMBER'],
      ['platform_admin', number],
    ] as const) {
      expect((await read(user, `/streams/${trackingNumber}/events`)).status, `${user} ${trackingNumber}`).to.equal(404);
      expect((await read(user, `/state?stream=${trackingNumber}`)).status).to.equal(404);
      expect((await read(user, `/events?stream=${trackingNumber}`)).json.events).to.deep.equal([]);
    }
  });

  it("of a carrier's own: platform staff reads it, without persons, in pages", async () => {
    const path = `/streams/${carriers}/events`;
    const { json, text } = await read('platform_admin', path);
    const types = json.events.map(({ type }: EventResponse) => type);
    expect(types).to.deep.equal(['TrackingOpened', 'TrackingEventRecorded', 'TrackingEventRecorded']);
    expect(text).to.not.include('Jane');
    expect((await read('platform_admin', `${path}?include_personal=true`)).status).to.equal(403);
    for (const direction of ['recorded_at', '-recorded_at']) {
      const paged: string[] = [];
      for (let cursor = ''; ;) {
        const page = await read('platform_admin', `${path}?sort=${direction}&limit=1${cursor}`);
        paged.push(...page.json.events.map(({ id }: EventResponse) => id));
        if (!page.json.has_more) break;
        cursor = `&cursor=${page.json.next_cursor}`;
      }
      const ids = json.events.map(({ id }: EventResponse) => id);
      expect(paged).to.deep.equal(direction === 'recorded_at' ? ids : ids.toReversed());
    }
    const state = await read('platform_admin', `/state?stream=${carriers}`);
    expect(state.json.audit_state.timeline.current_status).to.equal('in_transit');
    expect(state.text).to.not.include('Jane');
  });

  it('shows an auditor no person, while office lists do, unless the key is only for the audit', async () => {
    const audit = [
      '/events?limit=500',
      '/events/export',
      `/events?stream=${number}`,
      `/streams/order-${order}/events`,
      `/state?stream=order-${order}`,
      `/state?stream=${number}`,
      `/proofs/inclusion?stream=order-${order}&revision=0`,
      `/evidence?stream=order-${order}&revision=0`,
    ];
    const { json } = await fixture.as('auditor', '/api-keys', { body: { name: 'audit', scopes: ['audit:read'] } });
    for (const path of audit) {
      const seen = await t.api(`/audit${path}`, { key: json.secret, headers: { 'x-event-position': position } });
      // Without a signing key there are no proofs: proofs.test.ts tests them.
      expect(seen.status, path).to.equal(/proofs|evidence/.test(path) ? 503 : 200);
      expect(seen.text, path).to.not.match(/Aurelia|Empfang/);
      expect((await read('auditor', path)).text, path).to.not.match(/Aurelia|Empfang/);
    }
    // As docs/guides/auditor.md says, the same account may read orders like other staff.
    const find = `/orders/search?query=${number}`;
    expect((await fixture.as('auditor', find)).text).to.include('Aurelia Empfang');
    expect((await t.api(find, { key: json.secret })).status).to.equal(403);
    expect(
      (await t.api('/tracking/operationevents', { key: json.secret, body: { tracking_number: number } })).status,
    ).to.equal(403);
    expect((await t.api(`/otep/trackings/${number}`, { key: json.secret })).text).to.not.match(/Aurelia|Empfang/);
  });
});
