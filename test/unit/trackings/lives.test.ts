/** Lives of a number, and amendments: the timeline depends on the facts alone (rules N1 to N4, N9 and N10). */
import { expect } from 'chai';
import fc from 'fast-check';
import { instantAt } from '../../../src/events/otep/time.js';
import { readEvent } from '../../../src/events/otep/check/event.js';
import type { InputEvent } from '../../../src/events/otep/check/event.js';
import { PROFILE } from '../../../src/events/otep/model.js';
import { STATUS_CODES } from '../../../src/events/otep/codes.js';
import { changesSince, journeyOfLife } from '../../../src/projections/trackings/journeys.js';
import { currentLife, livesOf, type Life } from '../../../src/projections/trackings/lives.js';
import { FORMATS } from '../../../src/serializers/index.js';
import { fixedKeys, recordPushes } from '../../support/worlds/recording.js';
import { atDepth, runs } from '../../support/depth.js';

const NOW = Date.UTC(2026, 10, 28);
const DAY = 24 * 3_600_000;
const SUBJECT = { tracking_number: 'N1' };
const now = instantAt(NOW);
const context = { baseUrl: 'https://example.org' };

/** `days`: before now. */
function event(status_code: string, days: number, more: object = {}): InputEvent {
  const occurred_at = new Date(NOW - days * DAY).toISOString();
  const { event, errors } = readEvent({ occurred_at, status_code, ...more }, { path: '', now, profile: PROFILE });
  if (!event) throw new Error(JSON.stringify(errors));
  return event;
}

const keysOf = async (life: Life) => ({ kind: 'full', keys: await fixedKeys().existing([life.id]) }) as const;

/** The native timelines of all lives, without the traces of the order of recording. */
async function timelinesOf(pushes: readonly (readonly InputEvent[])[]): Promise<unknown[]> {
  const lives = livesOf([(await recordPushes(SUBJECT, pushes)).row]);
  return Promise.all(lives.map(async (life) => journeyOfLife(life, await keysOf(life), now).timeline));
}

/** All formats in both views. Every push is recorded at the same time, so that only the order differs. */
async function documentsOf(pushes: readonly (readonly InputEvent[])[]): Promise<string[]> {
  const lives = livesOf([(await recordPushes(SUBJECT, pushes)).row]);
  const documents = await Promise.all(
    lives.map(async (life) =>
      [{ kind: 'public' } as const, await keysOf(life)].flatMap((view) => {
        const journey = { ...journeyOfLife(life, view, now), revision: 0 };
        return FORMATS.map((format) => JSON.stringify(format.serialize(journey, context)));
      }),
    ),
  );
  return documents.flat();
}

const statusesOf = async (...pushes: readonly (readonly InputEvent[])[]) => {
  const lives = livesOf([(await recordPushes(SUBJECT, pushes)).row]);
  return lives.map((life) => {
    const { timeline } = journeyOfLife(life, { kind: 'public' }, now);
    return [timeline.current_status, ...timeline.events.map(({ status_code }) => status_code)];
  });
};

function* permutations<T>(list: readonly T[]): Generator<readonly T[]> {
  if (list.length < 2) yield list;
  for (const [index, one] of list.entries())
    for (const rest of permutations(list.toSpliced(index, 1))) yield [one, ...rest];
}

/** The list, divided after each position whose bit is set. */
function divided<T>(list: readonly T[], bits: number): T[][] {
  const parts: T[][] = [];
  list.forEach((one, index) => {
    if (index === 0 || (bits >> (index - 1)) & 1) parts.push([]);
    parts.at(-1)!.push(one);
  });
  return parts;
}

const OLD = event('delivered', 450);
const NEW = event('picked_up', 18);
const OUT = event('out_for_delivery', 16);

describe('lives of a number', () => {
  it('do not depend on the order and the grouping of pushes (field-tracking F1)', async () => {
    const expected = [
      ['delivered', 'delivered'],
      ['out_for_delivery', 'picked_up', 'out_for_delivery'],
    ];
    for (const order of permutations([OLD, NEW, OUT]))
      for (const bits of [0, 1, 2, 3]) expect(await statusesOf(...divided(order, bits))).to.deep.equal(expected);
  });

  it('of a reused number are two, however the pushes are cut (formats F3)', async () => {
    const [a, b] = [event('picked_up', 423), event('delivered', 421)];
    const [c, d] = [event('picked_up', 8), event('in_transit', 7)];
    const expected = [
      ['delivered', 'picked_up', 'delivered'],
      ['in_transit', 'picked_up', 'in_transit'],
    ];
    for (const pushes of [
      [
        [a, b],
        [c, d],
      ],
      [[a, b, c, d]],
      [
        [c, d],
        [a, b],
      ],
      [[c], [a, b], [d]],
    ])
      expect(await statusesOf(...pushes)).to.deep.equal(expected);
  });

  it('of a number whose first parcel has no end are two as well (formats F9)', async () => {
    const first = [event('picked_up', 400), event('in_transit', 399)];
    expect(await statusesOf([...first, event('information_submitted', 10)])).to.deep.equal([
      ['in_transit', 'picked_up', 'in_transit'],
      ['information_submitted', 'information_submitted'],
    ]);
  });

  it('end 120 days after the end or the previous scan, and 30 days after them at a new start', async () => {
    const ended = [event('picked_up', 300), event('delivered', 290)];
    const counts = async (...events: readonly InputEvent[]) => (await statusesOf(events)).map((one) => one.length - 1);
    expect(await counts(...ended, event('in_transit', 170))).to.deep.equal([3]);
    expect(await counts(...ended, event('in_transit', 169.9))).to.deep.equal([2, 1]);
    // Scans after the end do not prolong a life.
    expect(await counts(...ended, event('in_transit', 200), event('in_transit', 169))).to.deep.equal([3, 1]);
    expect(await counts(...ended, event('picked_up', 260))).to.deep.equal([3]);
    expect(await counts(...ended, event('picked_up', 259.9))).to.deep.equal([2, 1]);
    expect(await counts(...ended, event('information_submitted', 250), event('picked_up', 249))).to.deep.equal([2, 2]);
    // A parcel that was only announced waits for its pick-up.
    expect(await counts(event('information_submitted', 300), event('picked_up', 200))).to.deep.equal([2]);
    expect(await counts(event('information_submitted', 300), event('picked_up', 179))).to.deep.equal([1, 1]);
    expect(await counts(event('in_transit', 300), event('picked_up', 260))).to.deep.equal([1, 1]);
  });

  it('begin with the events of a retracted end again', async () => {
    const wrong = event('delivered', 290, { event_id: 'urn:example:wrong' });
    const retraction = readEvent(
      { occurred_at: new Date(NOW).toISOString(), retracts: 'urn:example:wrong' },
      { path: '', now, profile: PROFILE },
    ).event!;
    const scans = [event('picked_up', 300), wrong, event('in_transit', 200), event('in_transit', 169)];
    expect(await statusesOf(scans)).to.have.length(2);
    for (const pushes of [
      [scans, [retraction]],
      [[retraction], scans],
    ])
      expect(await statusesOf(...pushes)).to.deep.equal([['in_transit', 'picked_up', 'in_transit', 'in_transit']]);
  });

  it('show a retracted scan again when its producer says that it did occur (N10)', async () => {
    const read = (members: object) =>
      readEvent({ occurred_at: new Date(NOW - DAY).toISOString(), ...members }, { path: '', now, profile: PROFILE })
        .event!;
    for (const id of [undefined, 'urn:example:1']) {
      const scan = read({ status_code: 'delivered', ...(id && { event_id: id }) });
      const { row: first } = await recordPushes(SUBJECT, [[scan]]);
      const event_id = first.scans[0]!.event_id;
      const retraction = read({ retracts: event_id });
      const again = read({ status_code: 'delivered', ...(id && { event_id: id }), unretracts: event_id });
      const pushes = [[event('in_transit', 2), scan], [retraction], [scan], [again], [again]];
      const { row, outcomes } = await recordPushes(SUBJECT, pushes);
      expect(outcomes.flat()).to.deep.equal(['accepted', 'accepted', 'accepted', 'duplicate', 'updated', 'duplicate']);
      const statusOf = ([life]: readonly [Life, ...Life[]]) =>
        journeyOfLife(life, { kind: 'public' }, now).timeline.current_status;
      expect(statusOf(livesOf([row]))).to.equal('delivered');
      const before = await recordPushes(SUBJECT, pushes.slice(0, 3));
      expect(statusOf(livesOf([before.row]))).to.equal('in_transit');
      // A poller gets the event again.
      const [life] = livesOf([row]);
      const journey = journeyOfLife(life, { kind: 'public' }, now);
      const [change] = changesSince(life, before.row.revision, journey);
      expect(change!.event).to.include({ event_id });
    }
  });

  it('show the latest one that has begun', async () => {
    const { row } = await recordPushes(SUBJECT, [[OLD, NEW]]);
    expect(currentLife(livesOf([row]), now)).to.include({ index: 2, count: 2 });
    expect(currentLife(livesOf([row]), instantAt(NOW - 100 * DAY))).to.include({ index: 1, count: 2 });
    expect(currentLife(livesOf([row]), instantAt(NOW - 500 * DAY))).to.include({ index: 1, count: 2 });
  });

  it('are the same for every permutation and partition of scans over two years (N4)', async () => {
    const scan = fc
      .record({
        code: fc.constantFrom(...STATUS_CODES.map(({ code }) => code)),
        days: fc.integer({ min: 0, max: 730 }),
      })
      .map(({ code, days }) => event(code, days));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(scan, { minLength: 5, maxLength: 5, selector: keyOf }), async (scans) => {
        const expected = await timelinesOf([scans]);
        const documents = await documentsOf([scans]);
        let at = 0;
        for (const order of permutations(scans)) {
          for (let bits = 0; bits < 16; bits++) {
            // In CI, each 16th combination; the first event of each permutation differs.
            if (at++ % atDepth(1, 16) !== 0) continue;
            const pushes = divided(order, (bits + at) % 16);
            expect(await timelinesOf(pushes)).to.deep.equal(expected);
            if (at % 40 === 1) expect(await documentsOf(pushes)).to.deep.equal(documents);
          }
        }
      }),
      { numRuns: atDepth(10, 3) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc
          .uniqueArray(scan, { minLength: 2, maxLength: 8, selector: keyOf })
          .chain((scans) =>
            fc.tuple(fc.constant(scans), fc.shuffledSubarray(scans, { minLength: scans.length }), fc.nat(127)),
          ),
        async ([scans, order, bits]) => {
          expect(await timelinesOf(divided(order, bits))).to.deep.equal(await timelinesOf([scans]));
        },
      ),
      { numRuns: atDepth(10_000, 300) },
    );
  });
});

const keyOf = ({ instant, statusCode }: InputEvent): string => `${instant} ${statusCode}`;

describe('identifiers of a reused number', () => {
  it('belong to the life with whose scans they were pushed', async () => {
    const [first] = [{ tracking_number: 'N1', external_tracking_number: 'OLD', piece_id: 'old' }];
    const { row } = await recordPushes(first, [[event('picked_up', 400)], [NEW]], {
      subjects: [first, { tracking_number: 'N1', external_tracking_number: 'NEW', piece_id: 'new' }],
    });
    expect(livesOf([row]).map(({ subject }) => subject)).to.deep.equal([
      first,
      { tracking_number: 'N1', external_tracking_number: 'NEW', piece_id: 'new' },
    ]);
    const plain = await recordPushes(first, [[event('picked_up', 400)], [NEW]], {
      subjects: [first, { tracking_number: 'N1' }],
    });
    expect(livesOf([plain.row]).map(({ subject }) => subject)).to.deep.equal([first, { tracking_number: 'N1' }]);
  });
});

describe('amendments of a scan', () => {
  const FAILED = 10;
  const failed = (more: object = {}) => event('delivery_failed', FAILED, more);

  it('with another spelling of the place are no further scan (field-tracking F3)', async () => {
    const places = [{}, { location: { city: 'LEEDS', country: 'GB' } }, { location: { city: 'Leeds' } }];
    for (const order of permutations(places)) {
      const { row, outcomes } = await recordPushes(
        SUBJECT,
        order.map((more) => [failed(more)]),
      );
      expect(outcomes.flat()[0]).to.equal('accepted');
      const [life] = livesOf([row]);
      const { timeline } = journeyOfLife(life, { kind: 'public' }, now);
      expect(timeline.events).to.have.length(1);
      expect(timeline.events[0]!.location!.country).to.equal('GB');
      const aftership = FORMATS.find(({ name }) => name === 'aftership')!;
      expect(aftership.serialize(journeyOfLife(life, { kind: 'public' }, now), context)).to.include({
        failed_delivery_attempts: 1,
      });
    }
  });

  it('add a proof that comes after the delivery (field-tracking F3)', async () => {
    const proof = { kind: 'signature', url: 'https://carrier.example/1' };
    for (const id of [{}, { event_id: 'urn:example:1' }]) {
      const { row, outcomes } = await recordPushes(SUBJECT, [
        [event('delivered', 1, id)],
        [event('delivered', 1, { ...id, proof, description: 'At the door' })],
        [event('delivered', 1, { ...id, proof, description: 'At the door' })],
        [event('delivered', 1, id)],
      ]);
      expect(outcomes.flat()).to.deep.equal(['accepted', 'updated', 'duplicate', 'duplicate']);
      const [life] = livesOf([row]);
      const [delivered, ...others] = journeyOfLife(life, await keysOf(life), now).timeline.events;
      expect(others).to.deep.equal([]);
      expect(delivered).to.deep.include({ proof, description: 'At the door' });
      expect(journeyOfLife(life, { kind: 'public' }, now).timeline.events[0]).to.not.have.any.keys(
        'proof',
        'description',
      );
    }
  });

  it('count by the time at which the producer recorded them', async () => {
    const at = (city: string, recorded_at: string) => failed({ location: { city }, source: { recorded_at } });
    for (const order of permutations([at('Leeds', '2026-11-19T00:00:00Z'), at('York', '2026-11-20T00:00:00Z')])) {
      const [life] = livesOf([(await recordPushes(SUBJECT, [order])).row]);
      expect(journeyOfLife(life, { kind: 'public' }, now).timeline.events[0]!.location).to.deep.equal({ city: 'York' });
    }
  });

  it('count by that time for each member, also if the first report does not have it', async () => {
    const at = (members: object, recorded_at: string) => failed({ ...members, source: { recorded_at } });
    const reports = [
      at({}, '2026-11-22T00:00:00Z'),
      at({ location: { city: 'Leeds' } }, '2026-11-19T00:00:00Z'),
      // In another time zone: later than the one before, although its text sorts before it.
      at({ location: { city: 'York' } }, '2026-11-18T23:00:00-23:00'),
    ];
    for (const order of permutations(reports)) {
      const [life] = livesOf([(await recordPushes(SUBJECT, [order])).row]);
      expect(journeyOfLife(life, { kind: 'public' }, now).timeline.events[0]!.location).to.deep.equal({ city: 'York' });
    }
  });

  it('separate two scans by incident reason only if both have one (N9)', async () => {
    const reasons = [{}, { incident_reason: { code: 'damaged' } }, { incident_reason: { code: 'recipient_absent' } }];
    const expected = await timelinesOf([reasons.map(failed)]);
    for (const order of permutations(reasons.map(failed)))
      for (const bits of [0, 1, 2, 3]) expect(await timelinesOf(divided(order, bits))).to.deep.equal(expected);
    const [life] = livesOf([(await recordPushes(SUBJECT, [reasons.map(failed)])).row]);
    const { events } = journeyOfLife(life, { kind: 'public' }, now).timeline;
    expect(events.map(({ incident_reason }) => incident_reason?.code).sort()).to.deep.equal([
      'damaged',
      'recipient_absent',
    ]);
    expect(await statusesOf([failed(reasons[0])], [failed(reasons[1])])).to.deep.equal([
      ['delivery_failed', 'delivery_failed'],
    ]);
  });

  it('that only add members give the same timeline in any order (N10)', async () => {
    const full = {
      location: { city: 'Leeds', country: 'GB', code: 'GBLDS' },
      description: 'Nobody at home',
      incident_reason: { code: 'recipient_absent', text: 'Nobody at home' },
      raw: { text: 'NH' },
      source: { name: 'Depot' },
      'x-door': 'red',
    };
    const some = fc
      .record(
        {
          location: fc.record(
            { city: fc.constant('Leeds'), country: fc.constant('GB'), code: fc.constant('GBLDS') },
            { requiredKeys: [] },
          ),
          description: fc.constant(full.description),
          incident_reason: fc.constant(full.incident_reason),
          raw: fc.constant(full.raw),
          source: fc.constant(full.source),
          'x-door': fc.constant('red'),
        },
        { requiredKeys: [] },
      )
      .map(failed);
    await fc.assert(
      fc.asyncProperty(fc.array(some, { minLength: 2, maxLength: 4 }), fc.nat(7), async (reports, bits) => {
        const expected = await timelinesOf([reports]);
        for (const order of permutations(reports))
          expect(await timelinesOf(divided(order, bits))).to.deep.equal(expected);
      }),
      { numRuns: runs(300) },
    );
  });

  describe('found by review', () => {
    const at = (members: object, recorded_at?: string) =>
      failed({ ...members, ...(recorded_at && { source: { recorded_at } }) });
    const locationOf = async (pushes: readonly (readonly InputEvent[])[], view: 'public' | 'full' = 'public') => {
      const [life] = livesOf([(await recordPushes(SUBJECT, pushes)).row]);
      const shown = view === 'full' ? await keysOf(life) : ({ kind: 'public' } as const);
      return journeyOfLife(life, shown, now).timeline.events[0]!.location;
    };

    it('a correction back to the first value counts if it was recorded later', async () => {
      const reports = [
        at({ location: { city: 'Bremen' } }, '2026-11-19T10:00:00Z'),
        at({ location: { city: 'Berlin' } }, '2026-11-19T11:00:00Z'),
        at({ location: { city: 'Bremen' } }, '2026-11-19T12:00:00Z'),
      ];
      for (const order of [reports, [reports[2]!, reports[0]!, reports[1]!], reports.toReversed()])
        expect(await locationOf([order])).to.deep.equal({ city: 'Bremen' });
      const mixed = [
        at({ location: { city: 'Bremen' } }, '2026-11-19T10:00:00Z'),
        at({ location: { country: 'DE' } }, '2026-11-19T11:00:00Z'),
        at({ location: { city: 'Berlin' } }, '2026-11-19T12:00:00Z'),
      ];
      for (const order of permutations(mixed)) expect(await locationOf([order])).to.deep.equal({ city: 'Berlin' });
    });

    it('newer coordinates replace the exact ones of the older report', async () => {
      const pushes = [
        [at({ location: { latitude: 52.12345, longitude: 13.12345 } })],
        [at({ location: { latitude: 48.1, longitude: 11.5 } })],
      ];
      for (const view of ['public', 'full'] as const)
        expect(await locationOf(pushes, view)).to.deep.equal({ latitude: 48.1, longitude: 11.5 });
    });

    it('another status under an id of the producer is refused, also with a raw code', async () => {
      const own = (status_code: string) => event(status_code, 1, { event_id: 'urn:example:1', raw: { code: 'OD' } });
      const { outcomes } = await recordPushes(SUBJECT, [[own('out_for_delivery')], [own('delivered')]]);
      expect(outcomes.flat()).to.deep.equal(['accepted', 'EVENT_ID_REUSED']);
    });

    it('a phase that a later report adds divides lives in any order', async () => {
      const hub = (more: object) => event('x-hub', 200, more);
      const label = event('information_submitted', 160);
      for (const order of permutations([hub({}), hub({ phase: 'transit' }), label]))
        expect(await statusesOf(...divided(order, 3))).to.have.length(2);
    });

    const retraction = (members: object) =>
      readEvent({ occurred_at: new Date(NOW).toISOString(), ...members }, { path: '', now, profile: PROFILE }).event!;
    const E = event('delivered', 1, { event_id: 'urn:example:1' });
    const R = retraction({ retracts: 'urn:example:1' });
    const U = event('delivered', 1, { event_id: 'urn:example:1', unretracts: 'urn:example:1' });

    it('a retraction and its withdrawal have the same effect in one push as in several', async () => {
      for (const bits of [0, 1, 2, 3])
        expect((await statusesOf(...divided([E, R, U], bits)))[0]![0]).to.equal('delivered');
      const wrong = event('delivered', 2, { event_id: 'urn:example:1', unretracts: 'urn:example:1' });
      const { row, outcomes } = await recordPushes(SUBJECT, [[E], [R], [wrong]]);
      expect(outcomes.flat()).to.deep.equal(['accepted', 'accepted', 'EVENT_ID_REUSED']);
      expect(row.retractions).to.have.length(1);
    });

    it('a scan can be retracted again after a withdrawal, without an id', async () => {
      const { row, outcomes } = await recordPushes(SUBJECT, [[E], [R], [U], [R], [R]]);
      expect(outcomes.flat()).to.deep.equal(['accepted', 'accepted', 'updated', 'accepted', 'duplicate']);
      expect(journeyOfLife(livesOf([row])[0], { kind: 'public' }, now).timeline.events).to.deep.equal([]);
    });

    it('a retraction names one of the scans that incident reasons separate, in any order', async () => {
      const [n, a, b] = [{}, { incident_reason: { code: 'access_denied' } }, { incident_reason: { code: 'weather' } }];
      for (const order of permutations([n, a, b])) {
        const pushes = order.map((more) => [failed(more)]);
        const [life] = livesOf([(await recordPushes(SUBJECT, pushes)).row]);
        const journey = journeyOfLife(life, { kind: 'public' }, now);
        for (const wrong of journey.timeline.events) {
          for (const name of [wrong.event_id, `urn:uuid:${journey.uuidOf(wrong)}`]) {
            const { row, outcomes } = await recordPushes(SUBJECT, [...pushes, [retraction({ retracts: name })]]);
            expect(outcomes.at(-1)).to.deep.equal(['accepted']);
            const [after] = livesOf([row]);
            const shown = journeyOfLife(after, { kind: 'public' }, now);
            expect(shown.timeline.events.map((one) => one.incident_reason?.code)).to.deep.equal(
              journey.timeline.events.filter((one) => one !== wrong).map((one) => one.incident_reason?.code),
            );
            const told = changesSince(after, life.revision, shown).map(({ event }) => event as { retracts?: string });
            expect(told.flatMap(({ retracts }) => retracts ?? [])).to.deep.equal([wrong.event_id]);
          }
        }
      }
    });

    it('4,000 scans, reports and retractions of one number are decided, with at most 64 reports of a scan', async () => {
      const many = Array.from({ length: 4_000 }, (_, index) => event('in_transit', 1 + index / 10_000));
      const cities = Array.from({ length: 500 }, (_, index) => failed({ location: { city: `City ${index}` } }));
      const unknown = Array.from({ length: 500 }, (_, index) => retraction({ retracts: `urn:example:${index}` }));
      const { outcomes } = await recordPushes(SUBJECT, [many, cities, unknown]);
      expect(outcomes[1]!.filter((outcome) => outcome === 'TOO_MANY_REPORTS')).to.have.length(500 - 64);
    });
  });
});
