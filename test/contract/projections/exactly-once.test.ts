/**
 * G3: a projection takes effect exactly once, whichever process is killed at whatever time. Rows and checkpoint change
 * in one transaction.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { acquire, checkpoints } from '../../../src/projections/core/checkpoints.js';
import type { Projection } from '../../../src/projections/core/projection.js';
import { timeline } from '../../../src/projections/trackings/read-model.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { CAUSE, openTestCore, type TestCore } from '../../support/worlds/test-core.js';
import { CARRIER, scan } from '../../support/inputs/input-events.js';
import { leaseHolder } from '../../../src/events/core/time-limits.js';

const timelineModel = timeline as unknown as Projection;
const EVENTS = 200;
const SCRIPT = fileURLToPath(new URL('../../support/processes/run-projector.js', import.meta.url));

describe('a projection takes effect exactly once (G3)', () => {
  let core: TestCore;
  beforeEach(async () => {
    core = await openTestCore();
    // Twenty trackings that grow scan by scan, so that every batch changes existing rows.
    for (let turn = 0; turn < EVENTS / 20; turn++) {
      const timelines = Array.from({ length: 20 }, (_, n) => ({
        subject: { tracking_number: `X${n}` },
        events: [scan(`2026-03-01T08:${10 + turn}:00Z`, 'arrival_scan')],
      }));
      await core.commands.ingest(CARRIER, timelines, CAUSE);
    }
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await core?.close();
  });

  const children: ChildProcess[] = [];
  /** A projector in a separate process that dies in a batch (0: never). */
  const spawnProjector = (dieIn: number) => {
    const child = spawn(process.execPath, [SCRIPT, core.url, randomUUID(), String(dieIn)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return child;
  };

  /**
   * Rows equal a replay of the log up to the checkpoint. A batch that is processed twice or never shows as a wrong
   * number of scans.
   */
  const expectAgreement = async () => {
    const { found } = await core.replay(timelineModel);
    expect(found).to.deep.equal([]);
  };
  const scans = async (): Promise<number> => {
    const { rows } = await core.engines.pool.query<{ scans: number }>(
      `select coalesce(sum(json_array_length(('[' || rtrim(scans, ',') || ']')::json)), 0)::int as scans from timeline.trackings`,
    );
    return rows[0]!.scans;
  };
  const timelineReaches = async () =>
    expect(await core.progress.waitFor('timeline', await core.engines.log.head(), WAIT_LIMIT_MS), 'caught up').to.equal(
      true,
    );
  const expireLease = () =>
    core.engines.pool.query(
      `update projections.checkpoints set lease_until = now() - interval '1 second' where name = 'timeline'`,
    );

  it('if the process is killed between the save of a batch and its commit', async () => {
    const positions: string[] = [];
    for (const batch of [1, 2, 4]) {
      const child = spawnProjector(batch);
      const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
      expect(signal).to.equal('SIGKILL');
      positions.push((await checkpoints(core.engines.pool)).find(({ name }) => name === 'timeline')!.position);
      await expectAgreement();
      // The dead process released nothing.
      expect(await acquire(core.engines.projectionPool, timelineModel, leaseHolder(randomUUID()))).to.equal(undefined);
      await expireLease();
    }
    expect(positions[0]).to.equal('');
    expect(positions[1]! < positions[2]!, 'the batches before the last one stay').to.equal(true);
    core.run({ projections: [timelineModel], batch: 10 });
    await timelineReaches();
    await expectAgreement();
    expect(await scans()).to.equal(EVENTS);
  });

  it('if the database ends connections, aborts transactions and commits fail at random', async () => {
    let faults = 0;
    let turn = 0;
    const projection: typeof timeline = {
      ...timeline,
      async save(db, schema, rows) {
        await timeline.save(db, schema, rows);
        turn++;
        if (turn % 3 === 0) return;
        faults++;
        if (turn % 3 === 1) await db.query('select pg_terminate_backend(pg_backend_pid())');
        await db.query(`do $$ begin raise exception 'again' using errcode = 'serialization_failure'; end $$`);
      },
    };
    const runner = core.run({ projections: [projection as unknown as Projection], batch: 60 });
    const watch = (async () => {
      for (let poll = 0; poll < 4; poll++) {
        await sleep(50);
        await expectAgreement();
      }
    })();
    await Promise.all([timelineReaches(), watch]);
    await expectAgreement();
    expect(await scans()).to.equal(EVENTS);
    expect(faults).to.be.above(5);
    expect(runner.errors.length, 'each fault was told').to.equal(faults);
    expect(runner.quarantined).to.deep.equal([]);
  });

  it('if two processes compete: one works, the other takes over after its death', async () => {
    const child = spawnProjector(0);
    await once(child.stdout, 'data');
    const saves: string[] = [];
    const projection: typeof timeline = {
      ...timeline,
      async save(db, schema, rows) {
        saves.push(
          String(
            (await db.query<{ owner: string }>(`select owner from projections.checkpoints where name = 'timeline'`))
              .rows[0]!.owner,
          ),
        );
        await timeline.save(db, schema, rows);
      },
    };
    const second = randomUUID();
    core.run({ projections: [projection as unknown as Projection], owner: leaseHolder(second) });
    await timelineReaches();
    await core.commands.ingest(
      CARRIER,
      [{ subject: { tracking_number: 'WHILE' }, events: [scan('2026-03-02T08:00:00Z', 'picked_up')] }],
      CAUSE,
    );
    await timelineReaches();
    expect(saves, 'the second process works beside the first').to.deep.equal([]);

    child.kill('SIGKILL');
    await once(child, 'exit');
    await core.commands.ingest(
      CARRIER,
      [{ subject: { tracking_number: 'AFTER' }, events: [scan('2026-03-02T08:00:00Z', 'picked_up')] }],
      CAUSE,
    );
    expect(
      await acquire(core.engines.projectionPool, timelineModel, leaseHolder(randomUUID())),
      'the lease holds',
    ).to.equal(undefined);
    expect(saves).to.deep.equal([]);
    await expireLease();
    await timelineReaches();
    expect(new Set(saves)).to.deep.equal(new Set([second]));
    await expectAgreement();
    expect(await scans()).to.equal(EVENTS + 2);
  });

  it('if a process that was assumed dead continues', async () => {
    let release!: () => void;
    const paused = new Promise<void>((resolve) => (release = resolve));
    let reached!: () => void;
    const inBatch = new Promise<void>((resolve) => (reached = resolve));
    const zombie = core.run({
      projections: [
        {
          ...timelineModel,
          load: async (db, schema, keys, batch) => {
            reached();
            await paused;
            return timelineModel.load(db, schema, keys, batch);
          },
        },
      ],
      batch: 10,
    });
    await inBatch;
    // The process holds the row of the checkpoint. The server ends such a transaction when its client is silent; the
    // test ends it at once.
    await core.engines.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    );
    await expireLease();
    const taker = core.run({ projections: [timelineModel], batch: 10 });
    await timelineReaches();
    release();
    await sleep(100);
    expect(await scans()).to.equal(EVENTS);
    await expectAgreement();
    expect([...zombie.quarantined, ...taker.quarantined]).to.deep.equal([]);
    await taker.stop();
  });
});
