import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROJECTIONS } from '../../../src/areas/index.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { startEventStoreServer } from '../../support/fakes/eventstore-server.js';
import { runCli, type CommandResult } from '../../support/processes/cli.js';
import { freshDatabase, query } from '../../support/worlds/database.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { MASTER_KEY, startTestService } from '../../support/worlds/service.js';

describe('moving the log of a service to EventStoreDB', () => {
  it('rejects read models of the other log, and rebuilds them', async () => {
    const database = await freshDatabase();
    const server = await startEventStoreServer();
    const dataDir = await mkdtemp(join(tmpdir(), 'move-'));
    const number = newNumber();
    const moved = { EVENTSTORE_URL: server.url };
    const cli = (args: readonly string[], more: Record<string, string> = {}): Promise<CommandResult> =>
      runCli('log', args, { DATABASE_URL: database.url, MASTER_KEY, DATA_DIR: dataDir, ...more });
    try {
      const before = await startTestService({ databaseUrl: database.url, env: { ROLES: 'api,projector' } });
      const pushed = await before.push(timelineOf(number, [event('picked_up', 1), event('received', 2)]));
      const story = (await before.read(number, pushed)).json;
      expect((await cli(['adopt'])).stderr).to.match(/A process works on .*timeline.*: stop the service first/);
      await before.stop();

      const copied = await cli(['copy', '--to', server.url]);
      expect([copied.code, copied.stdout]).to.deep.equal([0, (await cli(['root'])).stdout]);
      expect((await cli(['root'], moved)).stderr).to.match(/come from a log in postgres, .* log -- adopt/);
      expect((await cli(['adopt'], moved)).code).to.equal(0);
      expect((await cli(['root'], moved)).stdout).to.equal(copied.stdout);
      expect(await query(database.url, 'select name from projections.checkpoints')).to.be.empty;

      const after = await startTestService({ databaseUrl: database.url, seed: false, env: moved });
      try {
        const head = await after.service.engines.log.head();
        for (const { name } of PROJECTIONS)
          expect(await after.service.progress.waitFor(name, head, WAIT_LIMIT_MS)).to.equal(true);
        expect((await after.read(number)).json).to.deep.equal(story);
      } finally {
        await after.stop();
      }
    } finally {
      server.stop();
      await rm(dataDir, { recursive: true, force: true });
      await database.drop();
    }
  });

  it('reports wrong arguments', async () => {
    for (const [args, message] of [
      [['copy'], /--to is missing/],
      [['copy', '--to', 'mysql://secret'], /--to requires/],
      [['copy', '--from', 'esdb://a', '--to', 'esdb://a'], /same log/],
      [['root', '--size', '-1'], /--size/],
    ] as const) {
      const { code, stderr } = await runCli('log', args, {});
      expect([code, message.test(stderr), stderr.includes('secret')]).to.deep.equal([2, true, false]);
    }
  });
});
