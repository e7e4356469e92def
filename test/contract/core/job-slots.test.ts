/** N6: the slots of a worker are divided between businesses, and between long and short jobs. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { jobKind } from '../../../src/api/areas/jobs/kind.js';
import { createJobMetrics } from '../../../src/api/areas/jobs/metrics.js';
import { importJob as datasetImportJob } from '../../../src/api/areas/datasets/import/job.js';
import { exportJob } from '../../../src/api/areas/datasets/export.js';
import { importJob } from '../../../src/api/areas/orders/import-job.js';
import { exclusionsOf } from '../../../src/api/areas/jobs/slots.js';
import { startJobWorker } from '../../../src/api/areas/jobs/worker.js';
import { createJobArtifacts } from '../../../src/engines/postgres/job-artifacts.js';
import { createJobStore, type JobStore } from '../../../src/engines/postgres/jobs.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('N6: worker slots', () => {
  describe('may not be taken', () => {
    const excluded = (slots: number, ...occupied: [business: number, size: 'long' | 'short'][]) => {
      const { businesses, long } = exclusionsOf(
        occupied.map(([business, size]) => ({ business, long: size === 'long' })),
        slots,
      );
      return [...businesses, ...(long ? ['long'] : [])];
    };
    it('by a business that has all others', () => {
      expect(excluded(2, [1, 'short'])).to.deep.equal([1]);
      expect(excluded(3, [1, 'short'])).to.deep.equal([]);
      expect(excluded(3, [1, 'short'], [1, 'short'])).to.deep.equal([1]);
      expect(excluded(3, [1, 'short'], [2, 'short'])).to.deep.equal([]);
    });
    it('by a long job, if long jobs have all others', () => {
      expect(excluded(3, [1, 'long'], [2, 'long'])).to.deep.equal(['long']);
      expect(excluded(3, [1, 'long'], [2, 'short'])).to.deep.equal([]);
      expect(excluded(2, [1, 'long'])).to.deep.equal([1, 'long']);
    });
    it('with one slot: there is no restriction', () => expect(excluded(1)).to.deep.equal([]));
  });

  it('plans, and imports and exports of many rows are long', () => {
    const kinds = [datasetImportJob({} as never), exportJob({} as never), importJob(undefined!, undefined!)];
    const sizes: [small: object, large: object][] = [
      [{ file_bytes: 200_000 }, { file_bytes: 300_000 }],
      [{ records: 10_000 }, { records: 10_001 }],
      [{ orders: Array(500) }, { orders: Array(501) }],
    ];
    for (const [index, kind] of kinds.entries())
      expect(
        sizes[index]!.map((work) => kind.isLong?.(work)),
        kind.name,
      ).to.deep.equal([false, true]);
  });

  describe('of a worker', () => {
    let t: TestService;
    let store: JobStore;
    const ends: (() => void)[] = [];
    const started: string[] = [];
    let worker: ReturnType<typeof startJobWorker> | undefined;
    before(async () => {
      t = await startTestService({ env: { ROLES: 'api,projector' } });
      store = createJobStore(t.service.engines.pool, t.service.engines.jobVault, t.service.engines.limits);
    });
    afterEach(async () => {
      for (const end of ends.splice(0)) end();
      await worker?.stop();
      started.length = 0;
      await t.service.engines.pool.query('delete from access.jobs');
    });
    after(() => t?.stop());

    const kind = (name: string, run: () => Promise<unknown>) =>
      jobKind<string>({
        name,
        scopes: { read: 'routes:read', write: 'routes:write' },
        stoppable: false,
        run(work) {
          started.push(work);
          return run();
        },
      });
    const lasting = () => new Promise((end) => ends.push(() => end({})));

    function start(slots: number): void {
      const { pool, jobVault } = t.service.engines;
      worker = startJobWorker({
        store,
        artifacts: createJobArtifacts(pool, jobVault),
        handle: () => Promise.resolve({ reply: undefined, position: undefined } as never),
        kinds: [kind('plan', lasting), kind('slow_import', lasting), kind('import', () => Promise.resolve({}))],
        slots,
        jobMetrics: createJobMetrics(new Registry(), () => Promise.resolve({ queued: 0, running: 0 })),
        onError: (error) => {
          throw error;
        },
      });
    }
    async function queue(work: string, kind: string, business: number, long = kind === 'plan'): Promise<string> {
      const id = randomUUID();
      expect(await store.queue({ id, kind, business, owner: 1, work: { cause: {}, work }, long })).to.equal(true);
      return id;
    }
    const stateOf = async (id: string) => (await store.byId(id))?.state;
    const hasEnded = (id: string) => eventually(async () => (await stateOf(id)) === 'succeeded', `end of ${id}`);

    it('an import of another business runs next to the plans of one', async () => {
      const plans = [await queue('A1', 'plan', 1), await queue('A2', 'plan', 1)];
      start(2);
      await eventually(() => started.length === 1, 'the first plan');
      await hasEnded(await queue('B', 'import', 2));
      await hasEnded(await queue('C', 'import', 3));
      expect(started).to.deep.equal(['A1', 'B', 'C']);
      expect(await Promise.all(plans.map(stateOf))).to.deep.equal(['running', 'queued']);
    });

    it('an import runs next to the plans of two businesses, also of one of them', async () => {
      for (const business of [1, 2, 3]) await queue(`plan ${business}`, 'plan', business);
      start(3);
      await eventually(() => started.length === 2, 'two plans');
      await hasEnded(await queue('import', 'import', 1));
      expect(started).to.deep.equal(['plan 1', 'plan 2', 'import']);
    });

    it('imports that take long leave another business a slot', async () => {
      for (const name of ['A1', 'A2', 'A3']) await queue(name, 'slow_import', 1);
      start(3);
      await eventually(() => started.length === 2, 'two imports');
      await hasEnded(await queue('B', 'import', 2));
      expect(started).to.deep.equal(['A1', 'A2', 'B']);
    });

    it('a small import runs next to the large imports of two businesses', async () => {
      for (const business of [1, 2, 3]) await queue(`large ${business}`, 'slow_import', business, true);
      start(3);
      await eventually(() => started.length === 2, 'two imports');
      await hasEnded(await queue('small', 'import', 4));
      expect(started).to.deep.equal(['large 1', 'large 2', 'small']);
    });

    it('one slot runs one job after the other', async () => {
      const plan = await queue('A', 'plan', 1);
      start(1);
      await eventually(() => started.length === 1, 'the plan');
      const waiting = await queue('B', 'import', 2);
      for (const end of ends.splice(0)) end();
      await hasEnded(plan);
      await hasEnded(waiting);
      expect(started).to.deep.equal(['A', 'B']);
    });
  });
});
