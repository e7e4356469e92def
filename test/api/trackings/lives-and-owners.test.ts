/** Which parcel a number means over HTTP, and reads directly after a push (N5 to N7 of the protocol). */
import { expect } from 'chai';
import fc from 'fast-check';
import { FORMATS } from '../../../src/serializers/index.js';
import { event, DAY, newNumber, recently, timelineOf, timeOf } from '../../support/inputs/pushes.js';
import { openOrderFixture, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { runs } from '../../support/depth.js';

describe('OTEP: the parcel that a number means', () => {
  let t: TestService;
  let fixture: OrderFixture;
  let acme: string;
  const clock = { now: Date.now() };
  before(async () => {
    t = await startTestService({ now: () => clock.now });
    fixture = openOrderFixture(t);
    acme = await t.addProvider('acme');
  });
  afterEach(() => (clock.now = Date.now()));
  after(() => t.stop());

  const scanAt = (millis: number, status_code: string) => ({ occurred_at: timeOf(millis), status_code });
  const publicly = async (number: string, after?: Awaited<ReturnType<TestService['push']>>) => {
    const { carrier, current_status } = (await t.read(number, after)).json;
    return `${carrier} ${current_status}`;
  };

  it("is the business's own order, whatever a carrier pushes (formats F1)", async () => {
    const { order_id } = await fixture.order({});
    const id = String(order_id);
    const own = (path: string) => fixture.as('client_admin', path);
    const before = await own(`/otep/trackings/${id}`);
    expect(before.json).to.include({ carrier: 'demo' });
    const pushes = [
      { tracking_number: id },
      { tracking_number: newNumber(), external_tracking_number: id },
      { tracking_number: newNumber(), piece_id: id },
    ];
    for (const subject of pushes) {
      const pushed = await t.push({ subject, events: [recently('cancelled')] }, { key: acme });
      expect(pushed.json.accepted, pushed.text).to.equal(1);
      const headers = { 'x-event-position': pushed.headers.get('x-event-position')! };
      for (const path of [`/otep/trackings/${id}`, `/client/otep/trackings/${id}`]) {
        const { status, json } = await fixture.as('client_admin', path, { headers });
        expect(status, path).to.equal(200);
        expect(json, path).to.include({ carrier: 'demo', current_status: 'information_submitted' });
        expect(json.alternatives, path).to.deep.equal(['acme']);
      }
      expect((await fixture.as('other_client_admin', `/client/otep/trackings/${id}`)).status).to.equal(404);
      expect((await t.read(id)).json.carrier).to.equal('acme');
    }
  });

  it('has links to its alternatives that work, whatever identifier was asked for (formats F7)', async () => {
    const sscc = '340123450000000185';
    const [long, short, piece] = [newNumber(), newNumber(), `urn:x:${newNumber()}`];
    await t.push(
      {
        subject: { tracking_number: long, external_tracking_number: short, gs1_sscc: sscc, piece_id: piece },
        events: [recently('picked_up')],
      },
      { key: acme },
    );
    const pushed = await t.push({ subject: { tracking_number: short }, events: [recently('in_transit')] });
    await t.push({ subject: { tracking_number: newNumber(), gs1_sscc: sscc }, events: [recently('received')] });
    const last = await t.push({
      subject: { tracking_number: newNumber(), piece_id: piece },
      events: [recently('received')],
    });
    expect(pushed.json.accepted).to.equal(1);
    for (const asked of [short, sscc, `(00)${sscc}`, piece])
      for (const { name } of FORMATS) {
        const { headers } = await t.read(asked, last, { query: `?format=${name}` });
        const links = [...headers.get('link')!.matchAll(/<([^>]+)>; rel="(canonical|alternate)"/g)];
        expect(links, asked).to.have.length(2);
        for (const [, link] of links) {
          const followed = await fetch(link!);
          expect(followed.status, link).to.equal(200);
          await followed.text();
        }
      }
  });

  it('passes to another carrier after a long time, and a late scan does not take it back (formats F4)', async () => {
    for (const first of [['picked_up', 'delivered'], ['picked_up']]) {
      const number = newNumber();
      clock.now = Date.now();
      const start = clock.now - 2 * DAY;
      const pushed = await t.push(
        timelineOf(
          number,
          first.map((code, index) => scanAt(start + index * 1000, code)),
        ),
      );
      expect(await publicly(number, pushed)).to.equal(`demo-carrier ${first.at(-1)}`);
      clock.now += 60 * DAY;
      const early = await t.push(timelineOf(number, [scanAt(clock.now, 'picked_up')]), { key: acme });
      expect(await publicly(number, early), 'the first parcel is alive').to.equal(`demo-carrier ${first.at(-1)}`);
      const other = newNumber();
      await t.push(
        timelineOf(
          other,
          first.map((code, index) => scanAt(start + index * 1000, code)),
        ),
      );
      clock.now += 340 * DAY;
      const reused = await t.push(
        timelineOf(other, [scanAt(clock.now - DAY, 'picked_up'), scanAt(clock.now, 'in_transit')]),
        { key: acme },
      );
      expect(await publicly(other, reused)).to.equal('acme in_transit');
      const late = await t.push(timelineOf(other, [scanAt(start + 500, 'in_transit')]));
      expect(await publicly(other, late)).to.equal('acme in_transit');
      expect((await t.read(other, late, { query: '?carrier=demo-carrier' })).json.carrier).to.equal('demo-carrier');
    }
  });

  it('does not change for its owner with any interleaving of a stranger (N5, N6)', async () => {
    const step = fc.record({
      mine: fc.boolean(),
      days: fc.integer({ min: 0, max: 100 }),
      code: fc.constantFrom('picked_up', 'in_transit', 'delivered'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 6 }), async (steps) => {
        const number = newNumber();
        const begin = clock.now - 100 * DAY;
        const push = (code: string, days: number, index: number, key?: string) =>
          t.push(timelineOf(number, [scanAt(begin + days * DAY + index, code)]), key === undefined ? {} : { key });
        let last = await push('picked_up', 99, 0);
        for (const [index, { mine, days, code }] of steps.entries()) {
          const before = (await t.read(number, last, { key: t.demo.provider.key })).json;
          last = await push(code, days, index + 1, mine ? undefined : acme);
          const { alternatives: _others, ...after } = (await t.read(number, last, { key: t.demo.provider.key })).json;
          const { alternatives: _before, ...was } = before;
          if (mine) expect(after.carrier).to.equal('demo-carrier');
          else expect(after, JSON.stringify(steps)).to.deep.equal(was);
          // The owner's parcel is alive, so it is the default for all callers.
          expect((await t.read(number, last)).json.carrier).to.equal('demo-carrier');
        }
      }),
      { numRuns: runs(50) },
    );
  });

  it('is read with its events directly after the push', async () => {
    const number = newNumber();
    for (let index = 0; index < 50; index++) {
      const fresh = newNumber();
      await t.push(timelineOf(fresh, [event('picked_up', index)]));
      expect((await t.api(`/otep/trackings/${fresh}`)).status).to.equal(200);
      await t.push(timelineOf(number, [recently('in_transit', index / 100)]));
      expect((await t.api(`/otep/trackings/${number}`)).json.events).to.have.length(index + 1);
    }
  });
});
