/** A read model with another version is built again, once. */
import { expect } from 'chai';
import { EVENT_TYPES, PROJECTIONS } from '../../../src/areas/index.js';
import type { StoredEvent } from '../../../src/events/core/log.js';
import { instantAt } from '../../../src/events/otep/time.js';
import type { Projection } from '../../../src/projections/core/projection.js';
import { prepareProjections } from '../../../src/projections/rebuild/rebuild.js';
import { timeline } from '../../../src/projections/trackings/read-model.js';
import { CAUSE, openTestCore, type TestCore } from '../../support/worlds/test-core.js';
import { at, CARRIER, scan } from '../../support/inputs/input-events.js';

const timelineModel = timeline as unknown as Projection;

describe('a new version of a projection', () => {
  let core: TestCore;
  before(async () => (core = await openTestCore()));
  after(() => core?.close());

  it('is built once by processes that start together, and the old version does not change it any more', async () => {
    const old = core.run();
    const push = (number: string) =>
      core.commands.ingest(
        CARRIER,
        [{ subject: { tracking_number: number }, events: [scan(at(1), 'picked_up')] }],
        CAUSE,
      );
    await push('OLD');
    await core.caughtUp();
    const newer = {
      ...timeline,
      version: timeline.version + 1,
      fold: (row: never, event: StoredEvent) => ({ ...timeline.fold(row, event), last_active: instantAt(0) }),
    } as unknown as Projection;
    const { log, projectionPool: pool } = core.engines;
    await Promise.all([1, 2, 3].map(() => prepareProjections([newer], { log, pool, types: EVENT_TYPES })));
    await push('BETWEEN');
    const runner = core.run({ projections: PROJECTIONS.map((one) => (one.name === newer.name ? newer : one)) });
    await push('NEW');
    await core.caughtUp();
    await Promise.all([old.stop(), runner.stop()]);
    const { rows } = await core.engines.pool.query(
      'select number, last_active from timeline.trackings order by number',
    );
    expect(rows).to.deep.equal(['BETWEEN', 'NEW', 'OLD'].map((number) => ({ number, last_active: instantAt(0) })));
    expect((await core.replay(newer)).differences).to.equal(0);
    expect((await core.replay(timelineModel)).differences, 'made by another version').to.equal(undefined);
  });
});
