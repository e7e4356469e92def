/** G4: dropping a read model and replaying the log gives the same rows, byte for byte. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { EVENT_TYPES, PROJECTIONS } from '../../../src/areas/index.js';
import { captureStream } from '../../../src/events/captures/events.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { providerStream } from '../../../src/events/providers/events.js';
import { trackingId, trackingStream } from '../../../src/events/trackings/events.js';
import type { Projection } from '../../../src/projections/core/projection.js';
import { rebuild } from '../../../src/projections/rebuild/rebuild.js';
import { timeline } from '../../../src/projections/trackings/read-model.js';
import { isFullDepth } from '../../support/depth.js';
import { CAUSE, openTestCore, type TestCore } from '../../support/worlds/test-core.js';
import { at, CARRIER, retraction, scan } from '../../support/inputs/input-events.js';

const timelineModel = timeline as unknown as Projection;
const OTHER = { id: 'other-carrier', kind: 'driver', mayOpen: false } as const;

/** One step of a random history. Times are hours since 2026-03-01; later steps may lie before earlier ones. */
const step = fc.record({
  number: fc.constantFrom('R1', 'R2', 'R3', 'R4', 'R5', 'R6'),
  hours: fc.array(fc.integer({ min: 0, max: 6_000 }), { minLength: 1, maxLength: 6 }),
  status: fc.constantFrom(
    'information_submitted',
    'picked_up',
    'arrival_scan',
    'out_for_delivery',
    'delivered',
    'returned',
  ),
  act: fc.constantFrom(
    'push',
    'push',
    'push',
    'retract',
    'grant',
    'revoke',
    'other pushes',
    'map',
    'part',
    'capture',
    'finish',
  ),
  order: fc.option(fc.constantFrom('O1', 'O2'), { nil: undefined }),
  text: fc.option(
    fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0')),
    { nil: undefined },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function act({ commands }: TestCore, { number, hours, status, act, order, text }: Step): Promise<void> {
  const subject = { tracking_number: number, ...(order !== undefined && { order_id: order }) };
  const tracking = trackingId({ kind: 'provider', id: CARRIER.id }, number, 0);
  const scans = hours.map((hour) =>
    scan(at(hour), status, {
      eventId: derivedId(number, hour, status),
      location: { city: 'Hamburg', latitude: 53.5511, longitude: 10 },
      ...(text !== undefined && { description: text }),
    }),
  );
  if (act === 'push') await commands.ingest(CARRIER, [{ subject, events: scans }], CAUSE);
  if (act === 'other pushes')
    await commands.ingest(OTHER, [{ subject, events: scans.map((one) => ({ ...one, eventId: randomUUID() })) }], CAUSE);
  if (act === 'retract')
    await commands.ingest(
      CARRIER,
      [{ subject, events: hours.map((hour) => retraction(at(hour), derivedId(number, hour, status))) }],
      CAUSE,
    );
  if (act === 'grant' || act === 'revoke')
    await commands
      .trackings(trackingStream(tracking), { kind: act, id: tracking, provider: OTHER.id }, CAUSE)
      .catch(() => undefined);
  // A few captures, whose parts come in any order and which name the same few events.
  const capture = derivedId('capture', number);
  const taken = { provider: CARRIER.id, behaviour: 'proceed' } as const;
  if (act === 'part')
    await commands.captures(
      captureStream(capture),
      { do: 'part', id: capture, data: { part: 1, digest: order ?? '', text: status } },
      CAUSE,
    );
  if (act === 'capture') {
    const data = {
      ...taken,
      kind: 'carrier',
      may_open: true,
      captured_at: at(0),
      events: 1,
      trackings: [],
      unattached: hours.map((hour) => derivedId(hour % 3)),
      names: hours.map((hour) => derivedId(hour % 5)),
      parts: 2,
      digest: '',
      text: status,
    };
    const events = hours.map((hour, index) => {
      const trackings = Array.from({ length: 1 + (hour % 3) }, (_, at) => derivedId('tracking', at));
      const entries = [hour, hour + 1].map((one) => ({ index: 2 * index, event_id: `e${one}`, name: derivedId(one) }));
      const event = { provider: taken.provider, trackings, digest: '', events: entries, body: status };
      return { data: event, key: `${capture}-${index}` };
    });
    await commands.captures(captureStream(capture), { do: 'capture', id: capture, data, events }, CAUSE);
  }
  if (act === 'finish')
    await commands.captures(
      captureStream(capture),
      { do: 'finish', id: capture, data: { ...taken, success: true, accepted: 1, duplicates: 0, rejected: 0 } },
      CAUSE,
    );
  if (act === 'map') {
    await commands.providers(
      providerStream(OTHER.id),
      { do: 'register', commandId: randomUUID(), name: text ?? 'Other', kind: 'driver', may_open: false },
      CAUSE,
    );
    await commands.providers(
      providerStream(OTHER.id),
      { do: 'map', commandId: randomUUID(), mapping: [{ raw: number, status_code: status }] },
      CAUSE,
    );
  }
}

describe('rebuild equals live (G4)', function () {
  let core: TestCore;
  // A test that was interrupted continues for a while, so the next one gets a separate engine room.
  beforeEach(async () => (core = await openTestCore()));
  afterEach(() => core?.close());

  const expectEqual = async () => {
    for (const projection of PROJECTIONS) {
      for (const batch of [7, 5_000]) {
        const { found, differences } = await core.replay(projection, false, batch);
        expect(found, projection.name).to.deep.equal([]);
        expect(differences).to.equal(0);
      }
    }
  };
  const push = (number: string, status = 'picked_up') =>
    core.commands.ingest(CARRIER, [{ subject: { tracking_number: number }, events: [scan(at(1), status)] }], CAUSE);
  const rows = async (sql: string) => (await core.engines.pool.query<Record<string, unknown>>(sql)).rows;

  it('after any history, folded in batches of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (steps, batch) => {
          const runner = core.run({ batch });
          for (const one of steps) await act(core, one);
          await core.caughtUp();
          await runner.stop();
          expect(runner.errors).to.deep.equal([]);
          expect(runner.quarantined).to.deep.equal([]);
          await expectEqual();
          // Each run adds to the log of the previous one, so shrinking would not help.
        },
      ),
      { numRuns: isFullDepth ? 6 : 2, endOnFailure: true },
    );
    expect((await rows('select from log.events')).length, 'events').to.be.above(isFullDepth ? 100 : 20);
    expect((await rows('select from timeline.trackings')).length, 'rows').to.be.above(isFullDepth ? 3 : 1);
  });

  it('also if the stream that begins first is not the first to name something', async () => {
    const runner = core.run({ batch: 1 });
    const [slow, quick, shared] = [randomUUID(), randomUUID(), randomUUID()];
    const taken = {
      provider: CARRIER.id,
      kind: 'carrier',
      may_open: true,
      behaviour: 'proceed',
      captured_at: at(0),
      events: 1,
      trackings: [],
      unattached: [shared],
      names: [],
      parts: 2,
      digest: '',
      text: '',
    } as const;
    await core.commands.captures(
      captureStream(slow),
      { do: 'part', id: slow, data: { part: 1, digest: '', text: '' } },
      CAUSE,
    );
    for (const id of [quick, slow])
      await core.commands.captures(
        captureStream(id),
        { do: 'capture', id, data: { ...taken, trackings: [], unattached: [shared], names: [] }, events: [] },
        CAUSE,
      );
    await core.caughtUp();
    await runner.stop();
    expect(await rows(`select capture from captures.names where id = '${shared}'`)).to.deep.equal([{ capture: quick }]);
    await expectEqual();
  });

  it('finds a changed, a removed and an added row, and a rebuild repairs them', async () => {
    const runner = core.run();
    for (const number of ['CHANGED', 'REMOVED', 'KEPT']) await push(number);
    await core.caughtUp();
    await core.engines.pool.query(`update timeline.trackings set last_active = '2026' where number = 'CHANGED'`);
    await core.engines.pool.query(`delete from timeline.trackings where number = 'REMOVED'`);
    await core.engines.pool.query(
      `insert into timeline.identifiers values ('sscc:1', '${randomUUID()}', '2026', '2026')`,
    );
    const { found, differences } = await core.replay(timelineModel);
    expect(differences).to.equal(3);
    expect(found.map(({ table }) => table)).to.have.members(['identifiers', 'trackings', 'trackings']);
    expect(found.find(({ replayed }) => replayed === null)?.key).to.match(/^sscc:1 /);
    expect(found.find(({ live }) => live === null)?.replayed).to.include('REMOVED');
    const changed = found.find(({ live, replayed }) => live !== null && replayed !== null);
    expect(changed?.live).to.include('CHANGED').and.not.to.equal(changed?.replayed);

    expect((await core.replay(timelineModel, true)).differences).to.equal(3);
    await expectEqual();
    await push('AFTERWARDS');
    await core.caughtUp();
    expect(await core.queries.byIdentifier('AFTERWARDS')).to.have.length(1);
    await runner.stop();
  });

  it('loses nothing and disturbs no reader while pushes continue', async () => {
    const runner = core.run({ batch: 20 });
    let pushing = true;
    let pushed = 0;
    const failures: unknown[] = [];
    const writer = (async () => {
      for (; pushing; pushed++) await push(`LIVE${pushed}`);
    })();
    const reader = (async () => {
      for (; pushing;)
        await core.queries
          .byIdentifier(`LIVE${Math.max(0, pushed - 1)}`)
          .catch((error: unknown) => failures.push(error));
    })();
    const both = Promise.all([writer, reader]);
    both.catch(() => undefined);
    try {
      for (let round = 0; round < 4; round++)
        expect((await core.replay(timelineModel, true)).differences, `round ${round}`).to.equal(0);
    } finally {
      pushing = false;
    }
    await both;
    await core.caughtUp();
    await runner.stop();
    expect(failures).to.deep.equal([]);
    expect(await rows(`select from timeline.trackings where number like 'LIVE%'`)).to.have.length(pushed);
    await expectEqual();
  });

  it('rejects a second concurrent rebuild, and leaves nothing behind', async () => {
    core.run();
    for (let n = 0; n < 40; n++) await push(`BESIDE${n}`);
    await core.caughtUp();
    const results = await Promise.allSettled([core.replay(timelineModel, true), core.replay(timelineModel, true)]);
    expect(results.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
    expect(await rows(`select nspname from pg_namespace where nspname like '%\\_\\_%'`)).to.deep.equal([]);
  });

  it('stops early on request, and leaves nothing behind', async () => {
    core.run();
    await push('EARLY');
    await core.caughtUp();
    const { log, projectionPool } = core.engines;
    const stop = AbortSignal.abort(new Error('enough'));
    const error = await rebuild(timelineModel, {
      log,
      pool: projectionPool,
      types: EVENT_TYPES,
      switchOver: true,
      signal: stop,
    }).then(
      () => undefined,
      (error: Error) => error,
    );
    expect(error?.message).to.equal('enough');
    expect(await rows(`select nspname from pg_namespace where nspname like '%\\_\\_%'`)).to.deep.equal([]);
  });
});
