/** Other users of a log in EventStoreDB that a service uses: commands of its tests, and appends of a benchmark. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { appendTo, sample } from '../../../bench/appends.js';
import { openLibrary } from '../../../bench/eventstore-library.js';
import { waitUntilCaughtUp } from '../../../bench/support.js';
import { connectEventStore } from '../../../src/engines/eventstore/log.js';
import { startEventStoreServer, type EventStoreServer } from '../../support/fakes/eventstore-server.js';
import { event, timelineOf } from '../../support/inputs/pushes.js';
import { runCli, runCliProcess } from '../../support/processes/cli.js';
import { query } from '../../support/worlds/database.js';
import { MASTER_KEY, startTestService, type TestService } from '../../support/worlds/service.js';

describe('other users of a log in EventStoreDB', () => {
  describe('commands of tests, with TEST_LOG=eventstore', () => {
    const outer = process.env['TEST_LOG'];
    let t: TestService;
    let folder: string;
    before(async () => {
      process.env['TEST_LOG'] = 'eventstore';
      folder = await mkdtemp(join(tmpdir(), 'transport-shared-log-'));
      t = await startTestService();
    });
    after(async () => {
      await t?.stop();
      await rm(folder, { recursive: true, force: true });
      if (outer === undefined) delete process.env['TEST_LOG'];
      else process.env['TEST_LOG'] = outer;
    });

    for (const [name, run] of Object.entries({ runCli, runCliProcess }))
      it(`write to the log of the service: ${name}`, async () => {
        const env = { DATABASE_URL: t.databaseUrl, MASTER_KEY, DATA_DIR: folder };
        const { log } = t.service.engines;
        const before = await log.head();
        const { code, stderr } = await run('admin', ['business', 'add', name.toLowerCase(), '--name', name], env);
        expect(code, stderr).to.equal(0);
        expect((await log.head()) > before).to.equal(true);
      });
  });

  describe('appends of a benchmark', () => {
    let server: EventStoreServer;
    before(async () => {
      server = await startEventStoreServer();
      const [log, library] = [await connectEventStore(server.url), openLibrary(server.url)];
      for (const append of [appendTo(log), library.append]) for (let n = 0; n < 5; n++) await append(sample());
      await Promise.all([log.close(), library.close()]);
    });
    after(() => server.stop());

    it('are read by no read model of a service that starts on the log, and the service accepts scans', async () => {
      const t = await startTestService({ env: { EVENTSTORE_URL: server.url }, seed: false });
      try {
        await waitUntilCaughtUp(t);
        expect(await query(t.databaseUrl, 'select name, stream, error from projections.quarantine')).to.deep.equal([]);
        const key = await t.addProvider('beside');
        const pushed = await t.push(timelineOf('BESIDE1', [event('in_transit', 1)]), { key });
        expect(pushed.status, pushed.text).to.equal(200);
        expect((await t.read('BESIDE1', pushed, { key })).status).to.equal(200);
      } finally {
        await t.stop();
      }
    });
  });
});
