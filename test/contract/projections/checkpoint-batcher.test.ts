/** Positions of followers without matching events: stored together, and none delays another. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { acquire, LeaseLost, checkpoints } from '../../../src/projections/core/checkpoints.js';
import { startFollower } from '../../../src/projections/core/follower.js';
import { CheckpointBatcher, type IdleFollower } from '../../../src/projections/core/checkpoint-batcher.js';
import { eventuallyPasses } from '../../support/eventually.js';
import { CAUSE, openTestCore, type TestCore } from '../../support/worlds/test-core.js';
import { CARRIER, scan } from '../../support/inputs/input-events.js';
import { leaseHolder } from '../../../src/events/core/time-limits.js';

const A = '0000000000000000001';
const B = '0000000000000000002';

describe('followers without matching events', () => {
  let core: TestCore;
  const owner = leaseHolder(randomUUID());
  beforeEach(async () => void (core = await openTestCore()));
  afterEach(() => core?.close());

  const positionOf = async (name: string): Promise<string> =>
    (await checkpoints(core.engines.pool)).find((one) => one.name === name)!.position;
  async function follower(name: string): Promise<IdleFollower & { idlePosition: string; readonly lost: LeaseLost[] }> {
    const reader = { name, version: 1 };
    await acquire(core.engines.pool, reader, owner);
    const lost: LeaseLost[] = [];
    return { reader, stored: '', idlePosition: '', lost, onLost: (error) => void lost.push(error) };
  }

  it('are stored together, each at its current position', async () => {
    const batcher = new CheckpointBatcher(core.engines.pool, owner);
    const [one, other] = [await follower('one'), await follower('other')];
    one.idlePosition = other.idlePosition = A;
    batcher.add(one);
    batcher.add(other);
    other.idlePosition = B;
    await eventuallyPasses(async () =>
      expect([await positionOf('one'), await positionOf('other')]).to.deep.equal([A, B]),
    );
    await eventuallyPasses(() => expect([one.stored, other.stored]).to.deep.equal([A, B]));
    one.idlePosition = B;
    batcher.add(one);
    await eventuallyPasses(async () => expect(await positionOf('one')).to.equal(B));
  });

  it('do not wait for one that a rebuild has locked, and that one is stored once it is free', async () => {
    const batcher = new CheckpointBatcher(core.engines.pool, owner);
    const [locked, free] = [await follower('locked'), await follower('free')];
    locked.idlePosition = free.idlePosition = A;
    const rebuild = new pg.Client({ connectionString: core.url });
    await rebuild.connect();
    await rebuild.query('begin');
    await rebuild.query("select from projections.checkpoints where name = 'locked' for update");
    batcher.add(locked);
    batcher.add(free);
    await eventuallyPasses(async () => expect(await positionOf('free')).to.equal(A));
    expect([locked.stored, locked.lost]).to.deep.equal(['', []]);
    await rebuild.query('commit');
    await rebuild.end();
    await eventuallyPasses(() => expect(locked.stored).to.equal(A));
  });

  it('learn that another process has their work, and store nothing then', async () => {
    const batcher = new CheckpointBatcher(core.engines.pool, owner);
    const [mine, lost] = [await follower('mine'), await follower('lost')];
    await core.engines.pool.query("update projections.checkpoints set owner = $1 where name = 'lost'", [randomUUID()]);
    mine.idlePosition = lost.idlePosition = A;
    batcher.add(mine);
    batcher.add(lost);
    await eventuallyPasses(() => expect([mine.stored, lost.lost.length]).to.deep.equal([A, 1]));
    expect(lost.lost[0]).to.be.instanceOf(LeaseLost);
    expect([await positionOf('mine'), await positionOf('lost')]).to.deep.equal([A, '']);
  });

  it('are not stored once they have work', async () => {
    const batcher = new CheckpointBatcher(core.engines.pool, owner);
    const one = await follower('one');
    one.idlePosition = A;
    batcher.add(one);
    await batcher.leave(one);
    const before = one.stored;
    await sleep(250);
    expect([one.stored, await positionOf('one')]).to.deep.equal([before, before]);
  });

  it('count a batch that committed nothing as skipped', async () => {
    await core.commands.ingest(
      CARRIER,
      [{ subject: { tracking_number: 'X1' }, events: [scan('2026-03-01T08:10:00Z', 'arrival_scan')] }],
      CAUSE,
    );
    let taken = 0;
    const {
      engines: { log, pool },
      progress,
    } = core;
    const follower = startFollower({
      reader: { name: 'idle', version: 1 },
      log,
      pool,
      owner,
      progress,
      take: ({ events }) => Promise.resolve(void (taken += events.length)),
      onError: (error) => expect.fail(String(error)),
    });
    const head = await log.head();
    await eventuallyPasses(async () => expect([taken > 0, await positionOf('idle')]).to.deep.equal([true, head]));
    await follower.stop();
  });
});
