/** EPCIS documents that the service wrote and that are pushed back give the original timeline. */
import { expect } from 'chai';
import fc from 'fast-check';
import { writeDocument } from '../../../src/serializers/epcis/write.js';
import { openEpcisFixture, outcomesOf, ROLLBACK, type EpcisFixture } from '../../support/inputs/epcis-documents.js';
import type { Answer } from '../../support/clients/http.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { journey } from '../../support/inputs/timelines.js';

describe('EPCIS: pushing documents', () => {
  let fixture: EpcisFixture;
  before(async () => void (fixture = await openEpcisFixture()));
  after(() => fixture.stop());

  /** A timeline without the parts that differ between two carriers: their ids, recording times, and other carriers. */
  const plain = ({ json }: Answer) =>
    JSON.parse(
      JSON.stringify({ ...json, carrier: undefined, alternatives: undefined }, (name, value: unknown) =>
        ['recorded_at', 'retracted_at'].includes(name) ? undefined : value,
      ),
    ) as Record<string, unknown>;

  describe('documents of the service', () => {
    it('give the same timeline in a new tracking, and are duplicates in the original one', async () => {
      const number = newNumber();
      const more = {
        location: { name: 'Hub', code: 'DEHAM', latitude: 53.551086, longitude: 9.993682 },
        raw: { code: 'X1', text: 'said' },
        'x-note': [1, { b: 2, a: 1 }],
        description: 'left at the door',
      };
      await fixture.t.push(
        timelineOf(
          number,
          [
            event('picked_up', 1, { event_id: 'https://c.example/1', ...more }),
            event('in_transit', 2),
            event('delivered', 3, { event_id: 'https://c.example/3', source: { type: 'driver', name: 'Kim' } }),
          ],
          { order_id: 'O-1' },
        ),
      );
      const pushed = await fixture.t.push({
        otep_version: '0.1',
        subject: { tracking_number: number },
        events: [{ occurred_at: '2026-01-06T00:00:00Z', retracts: 'https://c.example/3' }],
      });
      const key = fixture.t.demo.provider.key;
      const document = (await fixture.t.read(number, pushed, { key, query: '?format=epcis' })).json;
      const own = await fixture.push(document);
      expect(new Set(outcomesOf(own))).to.deep.equal(new Set(['duplicate']));
      const other = await fixture.t.addProvider('other-carrier');
      const copied = await fixture.push(document, { key: other, ...ROLLBACK });
      expect(new Set(outcomesOf(copied))).to.deep.equal(new Set(['accepted']));
      const [mine, theirs] = [
        await fixture.t.read(number, copied, { key, query: '?carrier=demo-carrier' }),
        await fixture.t.read(number, copied, { key: other, query: '?carrier=other-carrier' }),
      ];
      expect(plain(theirs)).to.deep.equal(plain(mine));
    });
  });

  it('returns generated timelines, from one tracking into another', async () => {
    const other = await fixture.t.addProvider('copying-carrier');
    for (const one of fc.sample(journey({ minLength: 1 }), { numRuns: 12, seed: 7 })) {
      const number = newNumber();
      const of = {
        ...one,
        timeline: { ...one.timeline, subject: { ...one.timeline.subject, tracking_number: number } },
      };
      const key = fixture.t.demo.provider.key;
      const first = await fixture.push(writeDocument(of), ROLLBACK);
      expect(first.status, first.text).to.equal(200);
      const out = await fixture.t.read(number, first, { key, query: '?format=epcis' });
      const second = await fixture.push(out.json, { ...ROLLBACK, key: other });
      expect(new Set(outcomesOf(second))).to.deep.equal(new Set(['accepted']));
      const timelines = await Promise.all(
        [
          [key, 'demo-carrier'],
          [other, 'copying-carrier'],
        ].map(([key, carrier]) => fixture.t.read(number, second, { key, query: `?carrier=${carrier}` })),
      );
      const [mine, theirs] = timelines.map(plain);
      expect(theirs).to.deep.equal(mine);
      expect((mine!['events'] as unknown[]).length).to.equal(one.timeline.events.length);
    }
  });

  // A group, because Mocha runs the tests of a suite before its groups.
  describe('at the end', () => {
    it('a replay of the log gives the same rows', () =>
      expectSameReplay(fixture.t, ['timeline', 'captures', 'epcis_events']));
  });
});
