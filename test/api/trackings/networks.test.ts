/** Networks of carriers over HTTP: membership, and the merged public timeline of a number (N8 of the protocol). */
import { expect } from 'chai';
import { FORMATS } from '../../../src/serializers/index.js';
import { isS10 } from '../../../src/events/otep/networks.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import type { Answer } from '../../support/clients/http.js';
import { graphql } from '../../support/clients/graphql.js';
import { openStream } from '../../support/clients/sse.js';
import { recently, timelineOf } from '../../support/inputs/pushes.js';
import { runCli } from '../../support/processes/cli.js';
import { openOrderFixture, type OrderFixture } from '../../support/worlds/orders.js';
import { MASTER_KEY, startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

interface ReadEvent {
  readonly status_code: string;
  readonly source: { readonly provider?: string; readonly carrier?: string };
}

let serial = process.pid % 1_000_000;
/** An unused postal number with a valid check digit. */
function postalNumber(): string {
  serial += 1;
  const body = String(serial).padStart(8, '0');
  return [...'0123456789'].map((digit) => `RR${body}${digit}GB`).find(isS10)!;
}

describe('networks of carriers', () => {
  let t: TestService;
  let fixture: OrderFixture;
  let admin: string;
  const keys: Record<string, string> = {};
  before(async () => {
    t = await startTestService();
    fixture = openOrderFixture(t);
    admin = await signIns(t)('platform_admin');
    for (const id of ['post-gb', 'post-de', 'stranger']) keys[id] = await t.addProvider(id);
  });
  after(() => t.stop());

  const update = (id: string, body: unknown, options = {}) =>
    t.api(`/tracking-providers/${id}`, { method: 'PATCH', key: admin, body, ...options });
  const push = async (id: string, number: string, ...events: unknown[]) => {
    const pushed = await t.push(timelineOf(number, events), { key: keys[id]! });
    expect(pushed.json.rejected, pushed.text).to.equal(0);
    return pushed;
  };
  /** Scans of the first carrier, of a stranger, and of the second carrier. */
  async function pushAll(number: string): Promise<Answer> {
    await push('post-gb', number, recently('picked_up', 0), recently('package_outbound', 2));
    await push('stranger', number, recently('cancelled', 1));
    return push('post-de', number, recently('received', 5, { source: { carrier: 'usps' } }), recently('in_transit', 6));
  }
  const MERGED = ['post-gb picked_up', 'post-gb package_outbound', 'post-de received', 'post-de in_transit'];
  const eventsIn = (events: readonly ReadEvent[]) =>
    events.map(({ status_code, source }) => `${source.provider} ${status_code}`);

  it('have the members that a platform administrator chooses', async () => {
    const listed = await t.api('/tracking-providers?per_page=200', { key: admin });
    expect(listed.json.total).to.be.at.least(4);
    expect(listed.json.tracking_providers.map((one: { id: string }) => one.id)).to.include.members([
      'post-de',
      'post-gb',
    ]);
    const { json } = await t.api('/tracking-providers/post-gb', { key: admin });
    expect(json.tracking_provider).to.deep.include({ id: 'post-gb', network: null, carrier_codes: null });
    const stale = { 'if-match': '"99"' };
    expect((await update('post-gb', { network: 'upu' }, { headers: stale })).json.code).to.equal('VERSION_CHANGED');
    const joined = await update('post-gb', { network: 'upu' });
    expect([joined.status, joined.json.tracking_provider.network]).to.deep.equal([200, 'upu']);
    expect((await update('post-gb', {})).json.tracking_provider).to.deep.equal(joined.json.tracking_provider);
    expect((await update('post-gb', { network: 'dhl' })).json.errors[0].code).to.equal('INVALID_VALUE');
    expect((await update('unknown', { network: 'upu' })).status).to.equal(404);
    expect((await update('post-gb', { network: 'gs1' }, { key: keys['post-gb'] })).status).to.equal(403);
    const query =
      'mutation { trackingProviderUpdate(trackingProviderId: "post-gb", network: null) { trackingProvider { network } } }';
    const left = await graphql(t.url, query, { key: admin });
    expect(left.data.trackingProviderUpdate.trackingProvider.network).to.equal(null);
  });

  describe('with two members', () => {
    before(async () => {
      for (const id of ['post-gb', 'post-de']) expect((await update(id, { network: 'upu' })).status).to.equal(200);
    });

    it('merge the timelines of a number, directly after a push', async () => {
      const number = postalNumber();
      await pushAll(number);
      const { json, headers } = await t.api(`/otep/trackings/${number}`);
      expect(eventsIn(json.events)).to.deep.equal(MERGED);
      expect(json.events[2].source.carrier).to.equal('usps');
      expect(json).to.deep.include({
        subject: { tracking_number: number },
        current_status: 'in_transit',
        carrier: 'post-gb',
        alternatives: ['post-de', 'stranger'],
        carriers: ['post-gb', 'post-de'],
      });
      const { json: checked } = await t.api('/otep/validate', { body: json });
      expect(checked).to.deep.include({ conformant: true, errors: [], warnings: [] });
      // Each link leads to the timeline of one carrier, and the canonical one to this timeline.
      const links = [...headers.get('link')!.matchAll(/<([^>]+)>; rel="(canonical|alternate)"/g)];
      const followed = await Promise.all(links.map(async ([, link]) => (await fetch(link!)).json() as Promise<object>));
      expect(followed[0]).to.deep.equal(json);
      expect(followed.slice(1).map((one) => (one as typeof json).carrier)).to.deep.equal([
        'post-gb',
        'post-de',
        'stranger',
      ]);
      for (const one of followed.slice(1)) expect(one).to.not.have.property('carriers');
    });

    it('merge them in every other read of the number', async () => {
      const number = postalNumber();
      const pushed = await pushAll(number);
      const headers = { 'x-event-position': pushed.headers.get('x-event-position')! };
      const names = { carrier: 'post-gb', alternatives: ['post-de', 'stranger'], carriers: ['post-gb', 'post-de'] };
      const events = await t.api(`/otep/trackings/${number}/events`, { headers });
      expect(eventsIn(events.json.events)).to.deep.equal(MERGED);
      expect(events.json).to.deep.include(names);
      const batch = await t.api('/otep/trackings/batch', { headers, body: { tracking_numbers: [number] } });
      expect(batch.json.trackings[0]).to.deep.include(names);
      expect(eventsIn(batch.json.trackings[0].timeline.events)).to.deep.equal(MERGED);
      const tracking = await t.api(`/tracking/${number}`, { headers });
      expect(tracking.json).to.deep.include(names);
      expect(tracking.json.events.map((one: { carrier: string }) => one.carrier)).to.deep.equal(
        MERGED.map((one) => one.split(' ')[0]),
      );
      const page = await t.api(`/otep/trackings/${number}`, { headers: { ...headers, accept: 'text/html' } });
      expect(page.text.match(/class="place">[^<]*post-/g)).to.have.length(4);
      for (const { name } of FORMATS) {
        const read = await t.read(number, pushed, { query: `?format=${name}` });
        expect(read.status, name).to.equal(200);
        expect(read.text, name).to.not.include('cancelled');
      }
      const { json: aftership } = await t.read(number, pushed, { query: '?format=aftership' });
      expect(aftership.checkpoints.map((one: { slug: string }) => one.slug)).to.deep.equal(
        MERGED.map((one) => one.split(' ')[0]),
      );
    });

    it('do not change reads of own parcels and of orders', async () => {
      const number = postalNumber();
      const pushed = await pushAll(number);
      const own = await t.read(number, pushed, { key: keys['post-de']! });
      expect(own.json).to.include({ carrier: 'post-de' }).and.not.have.property('carriers');
      expect(own.json.events).to.have.length(2);
      const named = await t.read(number, pushed, { query: '?carrier=post-de' });
      expect(named.json.events.map((one: ReadEvent) => one.source.provider)).to.deep.equal([undefined, undefined]);
      const ordered = postalNumber();
      await fixture.order({ packages: [{ external_tracking_number: ordered }] });
      const scanned = await pushAll(ordered);
      const headers = { 'x-event-position': scanned.headers.get('x-event-position')! };
      expect((await t.read(ordered, scanned)).json)
        .to.include({ carrier: 'demo' })
        .and.not.have.property('carriers');
      const staff = await fixture.as('client_admin', `/otep/trackings/${ordered}`, { headers });
      expect(staff.json).to.include({ carrier: 'demo' });
      const plain = `X${number}`;
      const other = await pushAll(plain);
      expect((await t.read(plain, other)).json)
        .to.include({ carrier: 'post-gb' })
        .and.not.have.property('carriers');
    });

    it('have an ETag that changes with each event of a member, and not with those of a stranger', async () => {
      const number = postalNumber();
      const first = await t.read(number, await pushAll(number));
      const etag = first.headers.get('etag')!;
      const unchanged = { headers: { 'if-none-match': etag } };
      const strange = await push('stranger', number, recently('delivered', 9));
      expect((await t.read(number, strange, unchanged)).status).to.equal(304);
      const next = await t.read(number, await push('post-gb', number, recently('received', 7)), unchanged);
      expect([next.status, next.json.current_status]).to.deep.equal([200, 'received']);
    });

    it('give readers that poll or listen the new events of each member', async () => {
      const number = postalNumber();
      const before = await pushAll(number);
      const headers = { 'x-event-position': before.headers.get('x-event-position')! };
      const { json } = await t.api(`/otep/trackings/${number}/events?after=-1`, { headers });
      expect(json.events).to.have.length(4);
      const stream = await openStream(`${t.url}/api/v1/otep/trackings/${number}/events`);
      let { revision } = json;
      for (const [id, code] of [
        ['post-gb', 'arrival_scan'],
        ['post-de', 'out_for_delivery'],
      ] as const) {
        await push('stranger', number, recently(code, 9));
        const pushed = await push(id, number, recently(code, 10));
        const position = { 'x-event-position': pushed.headers.get('x-event-position')! };
        const polled = await t.api(`/otep/trackings/${number}/events?after=${revision}`, { headers: position });
        expect(eventsIn(polled.json.events)).to.deep.equal([`${id} ${code}`]);
        revision = polled.json.revision;
        for (let message = await stream.next(); ; message = await stream.next()) {
          if (message?.event !== 'recorded') continue;
          expect(message.data).to.deep.include({ status_code: code, revision });
          expect(message.data.event.source.provider).to.equal(id);
          break;
        }
      }
      stream.close();
    });

    it('end with the membership', async () => {
      const number = postalNumber();
      const pushed = await pushAll(number);
      expect((await t.read(number, pushed)).json.carriers).to.have.length(2);
      const left = await update('post-de', { network: null });
      const { json } = await t.read(number, left);
      expect(json).to.include({ carrier: 'post-gb', current_status: 'package_outbound' });
      expect(json).to.not.have.property('carriers');
      await update('post-de', { network: 'upu' });
      expect((await t.read(number)).json.carriers).to.have.length(2);
    });

    it('are the same in the audit of a moment, by the memberships of that moment', async () => {
      const number = postalNumber();
      const pushed = await pushAll(number);
      const left = await update('post-de', { network: null });
      const positionOf = (answer: Answer) => answer.headers.get('x-event-position')!;
      const audited = async (at: string, ...args: string[]) => {
        const env = { DATABASE_URL: t.databaseUrl, MASTER_KEY };
        const { code, stdout, stderr } = await runCli('audit', ['timeline', number, '--at', at, ...args], env);
        expect(code, stderr).to.equal(0);
        return JSON.parse(stdout) as { readonly events: readonly ReadEvent[]; readonly carriers?: readonly string[] };
      };
      const merged = await audited(positionOf(pushed));
      expect(eventsIn(merged.events)).to.deep.equal(MERGED);
      expect(merged.carriers).to.deep.equal(['post-gb', 'post-de']);
      expect((await audited(positionOf(pushed), '--carrier', 'post-de')).events).to.have.length(2);
      const after = await audited(positionOf(left));
      expect(after).to.not.have.property('carriers');
      expect(after.events).to.have.length(2);
      await update('post-de', { network: 'upu' });
    });

    it('are the same after a replay', async () => {
      await expectSameReplay(t, ['providers', 'timeline']);
    });
  });
});
