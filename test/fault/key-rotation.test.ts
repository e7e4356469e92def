/** Both keys are rotated under load: nothing is lost, and a backup opens only with the key of its time (S4). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectAllOnce } from '../support/checks/all-once.js';
import { WAIT_LIMIT_MS } from '../support/eventually.js';
import { runCli, type Program } from '../support/processes/cli.js';
import { startLoad } from '../support/processes/load.js';
import { endServiceProcesses, startServiceProcess } from '../support/processes/service-process.js';
import { freshDatabase, type FreshDatabase } from '../support/worlds/database.js';
import { MASTER_KEY, seedDatabase, startTestService, type TestService } from '../support/worlds/service.js';

const OLD = { MASTER_KEY, SIGNING_KEY: '11'.repeat(32) };
const NEW = { MASTER_KEY: '52'.repeat(32), SIGNING_KEY: '12'.repeat(32) };
const NUMBERS = Array.from({ length: 6 }, (_, index) => `ROTATE${index}`);

describe('keys that are rotated under load (S4)', () => {
  let dataDir: string;
  const databases: FreshDatabase[] = [];
  const database = async () => {
    const made = await freshDatabase();
    databases.push(made);
    return made;
  };
  before(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'transport-rotation-'))));
  after(async () => {
    await endServiceProcesses();
    await Promise.all(databases.map((one) => one.drop()));
    await rm(dataDir, { recursive: true, force: true });
  });

  it('lose nothing, and old backups restore with the old key only', async () => {
    const { url } = await database();
    const { provider } = await seedDatabase(url);
    const run = (program: Program, args: readonly string[], env: Record<string, string>, at = url) =>
      runCli(program, args, { DATABASE_URL: at, DATA_DIR: dataDir, ...env });
    const succeed = async (...args: Parameters<typeof run>) => {
      const { code, stderr } = await run(...args);
      expect(code, stderr).to.equal(0);
    };
    const before = await startServiceProcess({ dataDir, databaseUrl: url, env: OLD });
    const load = startLoad({ urls: [before.url], key: provider.key, numbers: NUMBERS, connections: 4, pause: 10 });
    const further = async (count: number) => {
      for (const so = load.acknowledged.size; load.acknowledged.size < so + count;)
        await new Promise((resolve) => setTimeout(resolve, 10));
    };
    await further(50);
    const backup = join(dataDir, 'backup');
    await succeed('backup', ['create', backup], OLD);
    await succeed('admin', ['keys', 'rotate', 'master'], { ...OLD, NEW_MASTER_KEY: NEW.MASTER_KEY });
    await further(50);
    await succeed('admin', ['keys', 'rotate', 'signing'], {
      ...NEW,
      SIGNING_KEY: OLD.SIGNING_KEY,
      NEW_SIGNING_KEY: NEW.SIGNING_KEY,
    });
    await further(50);
    await load.stop();
    expect([load.wrong, load.unanswered]).to.deep.equal([[], []]);
    expect(await before.end('SIGTERM')).to.equal(0);

    // The service no longer starts with the old keys. The new keys decrypt data from before, during and after the
    // rotation.
    const start = (databaseUrl: string, env: Record<string, string>) =>
      startTestService({ databaseUrl, seed: false, env });
    const refused = await start(url, OLD).then(
      () => 'started',
      (error: Error) => error.message,
    );
    expect(refused).to.contain('MASTER_KEY is not the key of this database');
    await expectAllOnce(url, [load]);
    const sealed = async ({ service, api, stop }: TestService) => {
      const head = await service.engines.log.head();
      for (const name of ['providers', 'timeline'])
        expect(await service.progress.waitFor(name, head, WAIT_LIMIT_MS), name).to.equal(true);
      for (const number of NUMBERS) {
        const { status, json, text } = await api(`/otep/trackings/${number}`, { key: provider.key });
        expect(status, text).to.equal(200);
        const described = (json.events as { description?: string }[]).filter(({ description }) => description);
        expect(new Set(described.map(({ description }) => description))).to.deep.equal(new Set(['sealed']));
      }
      await stop();
    };
    await sealed(await start(url, NEW));

    const target = await database();
    const wrong = await run('backup', ['restore', backup], NEW, target.url);
    expect(wrong.code, wrong.stdout).to.not.equal(0);
    expect(wrong.stderr).to.contain('MASTER_KEY is not the key that encrypts the keys of this backup');
    // The wrong key left nothing in the database, so a restore with the right key works.
    await succeed('backup', ['restore', backup], OLD, target.url);
    await sealed(await start(target.url, OLD));
  });
});
