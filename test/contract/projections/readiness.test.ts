/** A read model that had nothing to read does not make the service unready; one that stands still does. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { readiness } from '../../../src/api/core/health.js';
import { providerStream } from '../../../src/events/providers/events.js';
import { CAUSE, openTestCore, type TestCore } from '../../support/worlds/test-core.js';

const HOUR_MS = 3_600_000;

describe('readiness of read models that have not moved', () => {
  let core: TestCore;
  before(async () => void (core = await openTestCore()));
  after(() => core.close());

  const register = (id: string) =>
    core.commands.providers(
      providerStream(id),
      { do: 'register', commandId: randomUUID(), name: id, kind: 'carrier', may_open: true },
      CAUSE,
    );
  const unmoved = async (now: () => number) => {
    const { engines } = core;
    const { problems } = await readiness({ log: engines.log, pool: engines.projectionPool, now });
    return problems.filter((line) => line.includes('has made no progress'));
  };

  it('counts the time from the first event that a read model has not read', async () => {
    await register('first');
    const runner = core.run();
    await core.caughtUp();
    await runner.stop();
    // A quiet hour later, the first event of a burst is in the log, and no read model has read it yet.
    await core.engines.pool.query(`update projections.checkpoints set updated_at = now() - interval '1 hour'`);
    expect(await unmoved(Date.now)).to.deep.equal([]);
    await register('second');
    expect(await unmoved(Date.now), 'a new event').to.deep.equal([]);
    expect((await unmoved(() => Date.now() + HOUR_MS)).join(), 'an event that is old').to.include(
      'The projection providers has made no progress since',
    );
  });

  it('is fulfilled again after the event was read', async () => {
    const runner = core.run();
    await core.caughtUp();
    expect(await unmoved(() => Date.now() + HOUR_MS)).to.deep.equal([]);
    await runner.stop();
  });
});
