/** An event that a read model cannot process holds up only its own stream. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { PROJECTIONS } from '../../../src/areas/index.js';
import type { JsonObject, EncodedEvent, StoredEvent } from '../../../src/events/core/log.js';
import { trackingId, trackingStream } from '../../../src/events/trackings/events.js';
import { readiness } from '../../../src/api/core/health.js';
import type { Projection } from '../../../src/projections/core/projection.js';
import { timeline } from '../../../src/projections/trackings/read-model.js';
import { eventually } from '../../support/eventually.js';
import { CAUSE, openTestCore, type TestCore } from '../../support/worlds/test-core.js';
import { at, CARRIER, scan } from '../../support/inputs/input-events.js';

const OTHER = { id: 'other-carrier', kind: 'driver', mayOpen: false } as const;
const timelineModel = timeline as unknown as Projection;

describe('an event that a read model cannot process', () => {
  let core: TestCore;
  beforeEach(async () => (core = await openTestCore()));
  afterEach(() => core?.close());

  const event = (type: string, data: JsonObject): EncodedEvent => ({
    id: randomUUID(),
    type,
    version: 1,
    json: JSON.stringify(data),
    metadata: { $correlationId: randomUUID(), recorded_at: new Date().toISOString() },
  });
  const append = async (stream: string, events: readonly EncodedEvent[]) =>
    expect((await core.engines.log.append([{ stream, events, expected: 'no-stream' }]))[0]!.outcome).to.equal(
      'appended',
    );
  const opened = (number: unknown) =>
    event('TrackingOpened', {
      owner: { kind: 'provider', id: 'p' },
      number: number as string,
      generation: 0,
      profile: 'parcel',
      subject: { tracking_number: 'POISON' },
    });
  const push = (number: string) =>
    core.commands.ingest(
      CARRIER,
      [{ subject: { tracking_number: number }, events: [scan(at(1), 'picked_up')] }],
      CAUSE,
    );
  /** The fold has a bug until `mended`. */
  const buggy = () => {
    const fault = { mended: false };
    const fold = (row: never, event: StoredEvent) => {
      // It has already changed the row when it fails.
      const next = timeline.fold(row, event);
      if (!fault.mended && event.type === 'TrackingWriterGranted') throw new Error('a bug');
      return next;
    };
    return { fault, projection: { ...timeline, fold } as unknown as Projection };
  };

  for (const batch of [1, 3, 1_000]) {
    it(`quarantines its stream and no other, with the row as it was before (batches of ${batch})`, async () => {
      const streams = {
        unopened: trackingStream(randomUUID()),
        refused: trackingStream(randomUUID()),
        unnamed: 'tracking-x',
        half: trackingStream(randomUUID()),
      };
      await push('BEFORE');
      await append(streams.unopened, [event('TrackingWriterGranted', { provider: 'p' }), opened('LATE')]);
      await append(streams.refused, [opened(null)]);
      await append(streams.unnamed, [opened('X')]);
      await append(streams.half, [
        opened('HALF'),
        event('TrackingWriterGranted', { provider: 'p' }),
        event('TrackingIdentified', { subject: null as never }),
        event('TrackingIdentified', null as never),
      ]);
      await push('BEHIND');
      const runner = core.run({ batch });
      await core.caughtUp();
      expect(runner.errors).to.deep.equal([]);
      expect([...new Set(runner.quarantined)]).to.have.members(Object.values(streams));
      const numbers = (
        await core.engines.pool.query<{ number: string; revision: number }>(
          'select number, revision from timeline.trackings order by number',
        )
      ).rows;
      expect(numbers).to.deep.equal([
        { number: 'BEFORE', revision: 1 },
        { number: 'BEHIND', revision: 1 },
        { number: 'HALF', revision: 2 },
      ]);

      const ready = await readiness({ log: core.engines.log, pool: core.engines.projectionPool, now: Date.now });
      expect(ready.ready).to.equal(true);
      expect(ready.warnings.join()).to.match(/timeline.*4 stream/);

      const { differences, quarantined } = await core.replay(timelineModel);
      expect(differences).to.equal(0);
      expect(quarantined.map(({ stream }) => stream)).to.have.members(Object.values(streams));
      await push('FURTHER');
      await core.caughtUp();
      expect(await core.queries.byIdentifier('FURTHER')).to.have.length(1);
    });
  }

  it('is processed by a rebuild once the fold can, and the running projection continues with the stream', async () => {
    const { fault, projection } = buggy();
    const id = trackingId({ kind: 'provider', id: CARRIER.id }, 'BUG', 0);
    await push('BUG');
    await core.commands.trackings(trackingStream(id), { kind: 'grant', id, provider: OTHER.id }, CAUSE);
    const runner = core.run({
      projections: [projection, ...PROJECTIONS.filter(({ name }) => name !== projection.name)],
    });
    await core.caughtUp();
    expect(runner.quarantined).to.deep.equal([trackingStream(id)]);
    expect((await core.queries.byId(id))?.writers).to.deep.equal([]);

    fault.mended = true;
    const { differences, quarantined } = await core.replay(projection, true);
    expect([differences, quarantined.length]).to.deep.equal([1, 0]);
    expect((await core.queries.byId(id))?.writers).to.deep.equal([OTHER.id]);
    const ready = await readiness({ log: core.engines.log, pool: core.engines.projectionPool, now: Date.now });
    expect([ready.ready, ready.warnings]).to.deep.equal([true, []]);

    await core.commands.ingest(
      OTHER,
      [{ subject: { tracking_number: 'BUG' }, events: [scan(at(2), 'delivered')] }],
      CAUSE,
    );
    await core.caughtUp();
    expect((await core.queries.byId(id))?.scans).to.have.length(2);
    expect((await core.replay(projection)).differences).to.equal(0);
  });

  it('is recorded if only the replay cannot process it', async () => {
    const { projection } = buggy();
    const id = trackingId({ kind: 'provider', id: CARRIER.id }, 'BUG', 0);
    await push('BUG');
    await core.commands.trackings(trackingStream(id), { kind: 'grant', id, provider: OTHER.id }, CAUSE);
    core.run();
    await core.caughtUp();
    await core.replay(projection, true);
    const ready = await readiness({ log: core.engines.log, pool: core.engines.projectionPool, now: Date.now });
    expect(ready.warnings.join()).to.match(/timeline.*1 stream/);
  });

  it('is waited with if it was written by a newer version of the service', async () => {
    await append(trackingStream(randomUUID()), [{ ...opened('NEWER'), version: 2 }]);
    const runner = core.run();
    await eventually(() => runner.errors.length > 0, 'an error of the runner');
    expect(String(runner.errors[0])).to.match(/newer version/);
    expect(runner.quarantined).to.deep.equal([]);
  });
});
