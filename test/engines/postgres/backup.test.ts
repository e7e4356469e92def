import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { startEventStoreServer } from '../../support/fakes/eventstore-server.js';
import { runCli, type Program } from '../../support/processes/cli.js';
import { freshDatabase, query, type FreshDatabase } from '../../support/worlds/database.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { MASTER_KEY, startTestService, type TestService } from '../../support/worlds/service.js';
import { skip } from '../../support/run-summary.js';

const run = promisify(execFile);
const NAME = 'Ottilie Zusteller';
const TABLES = ['log.events', 'vault.subject_keys', 'access.provider_keys', 'access.idempotency'];

describe('backup and restore', () => {
  const undo: (() => unknown)[] = [];
  let folder: string;
  let backup: string;
  let original: FreshDatabase;
  let root: string;
  let key: string;
  const number = newNumber();
  const retried = { headers: { 'idempotency-key': 'once' } };
  const document = timelineOf(number, [event('picked_up', 1), event('received', 2, { description: NAME })]);

  const env = (url: string, more: Record<string, string> = {}) => ({
    DATABASE_URL: url,
    MASTER_KEY,
    DATA_DIR: folder,
    ...more,
  });
  const cli = async (
    program: Program,
    args: readonly string[],
    environment: Record<string, string>,
  ): Promise<string> => {
    const { code, stdout, stderr } = await runCli(program, args, environment);
    expect(code, stderr).to.equal(0);
    return stdout.trim();
  };
  const fresh = async (): Promise<FreshDatabase> => {
    const database = await freshDatabase();
    undo.push(() => database.drop());
    return database;
  };
  const rowsOf = async (url: string): Promise<unknown[]> => {
    const counts = [];
    for (const table of TABLES)
      counts.push([
        table,
        await query(
          url,
          `select count(*)::int, md5(string_agg(${table === 'log.events' ? `stream || revision || id || data || metadata, '|' order by position` : `t::text, '|' order by t::text`})) from ${table} t`,
        ),
      ]);
    return counts;
  };

  /** The service on a restored database has its data, reads personal data, and accepts the same keys. */
  async function expectAlive(url: string, more: Record<string, string> = {}): Promise<void> {
    const service = await startTestService({ databaseUrl: url, seed: false, env: more });
    try {
      const head = await service.service.engines.log.head();
      for (const projection of ['timeline', 'providers'])
        expect(await service.service.progress.waitFor(projection, head, WAIT_LIMIT_MS)).to.equal(true);
      const full = await service.api(`/otep/trackings/${number}`, { key });
      expect(full.json.events.map(({ description }: { description?: string }) => description)).to.deep.equal([
        undefined,
        NAME,
      ]);
      const again = await service.api('/otep/ingest', { key, body: document, ...retried });
      expect([again.status, again.json.accepted, again.json.duplicates]).to.deep.equal([200, 2, 0]); // the first response, by its key
      const repeated = await service.api('/otep/ingest', { key, body: document });
      expect(repeated.json.duplicates, repeated.text).to.equal(2);
    } finally {
      await service.stop();
    }
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup-'));
    backup = join(folder, 'backup');
    original = await fresh();
    const service: TestService = await startTestService({ databaseUrl: original.url });
    key = service.demo.provider.key;
    const answer = await service.push(document, retried);
    expect(answer.status).to.equal(200);
    await service.push(timelineOf(newNumber(), [event('picked_up', 1, { description: 'to be erased' })]));
    const [{ subject } = { subject: '' }] = await query<{ subject: string }>(
      original.url,
      'select subject from vault.subject_keys order by created_at desc limit 1',
    );
    await service.service.engines.keyRing.destroy([subject]);
    // The backup is created while the service runs.
    root = await cli('backup', ['create', backup], env(original.url));
    await service.stop();
    expect(await cli('log', ['root'], env(original.url))).to.equal(root);
    expect(root).to.match(/^\d+ [0-9a-f]{64}$/);
  });

  after(async () => {
    for (const step of undo.reverse()) await step();
    await rm(folder, { recursive: true, force: true });
  });

  it('writes files only for their owner, without a secret or a plaintext name', async () => {
    for (const file of ['log.ndjson.gz', 'keys.ndjson.gz']) {
      expect((await stat(join(backup, file))).mode & 0o777).to.equal(0o600);
      const text = gunzipSync(await readFile(join(backup, file))).toString();
      for (const secret of [NAME, key, MASTER_KEY, Buffer.from(MASTER_KEY, 'hex').toString('base64')])
        expect(text).to.not.include(secret);
    }
    expect(gunzipSync(await readFile(join(backup, 'log.ndjson.gz'))).toString()).to.not.include('wrapped');
  });

  it('restores into an empty database, and the service continues there', async () => {
    const target = await fresh();
    expect(await cli('backup', ['restore', backup], env(target.url))).to.equal(root);
    expect(await cli('log', ['root'], env(target.url))).to.equal(root);
    expect(await rowsOf(target.url)).to.deep.equal(await rowsOf(original.url));
    await expectAlive(target.url);
  });

  it('restores into EventStoreDB', async () => {
    const target = await fresh();
    const server = await startEventStoreServer();
    undo.push(() => server.stop());
    const environment = env(target.url, { EVENTSTORE_URL: server.url });
    expect(await cli('backup', ['restore', backup], environment)).to.equal(root);
    expect(await cli('log', ['root'], environment)).to.equal(root);
    expect(await query(target.url, 'select from log.events')).to.be.empty;
    await expectAlive(target.url, { EVENTSTORE_URL: server.url });
  });

  it('restores into the embedded database', async () => {
    const dataDir = await mkdtemp(join(folder, 'embedded-'));
    expect(await cli('backup', ['restore', backup], { DATA_DIR: dataDir, MASTER_KEY })).to.equal(root);
    expect(await cli('log', ['root'], { DATA_DIR: dataDir, MASTER_KEY })).to.equal(root);
    expect(await cli('backup', ['create', `${dataDir}-again`], { DATA_DIR: dataDir, MASTER_KEY })).to.equal(root);
  });

  it('rejects another master key, a database in use, and a folder without a backup', async () => {
    const empty = await fresh();
    const attempts = [
      [env(empty.url, { MASTER_KEY: '43'.repeat(32) }), backup, /MASTER_KEY is not the key/],
      [
        env(original.url),
        backup,
        /not empty: access\.idempotency, access\.logins, access\.provider_keys, .*vault\.subject_keys/,
      ],
      [env(empty.url), folder, /does not exist/],
    ] as const;
    for (const [environment, from, message] of attempts) {
      const { code, stderr } = await runCli('backup', ['restore', from], environment);
      expect([code, stderr]).to.satisfy(([status, output]: [number, string]) => status === 1 && message.test(output));
    }
    // Nothing was created in it either, so the right key can still be used.
    expect(await query(empty.url, "select from pg_namespace where nspname = 'log'")).to.be.empty;
  });

  it('resumes an interrupted restore, and rejects other events', async () => {
    const target = await fresh();
    await cli('backup', ['restore', backup], env(target.url));
    await query(
      target.url,
      'alter table log.events disable trigger append_only; delete from log.events where position > 3; delete from vault.subject_keys; delete from access.provider_keys; delete from access.idempotency; delete from access.logins; delete from access.reserved_ids',
    );
    expect(await cli('backup', ['restore', backup], env(target.url))).to.equal(root);
    await query(
      target.url,
      `delete from vault.subject_keys; delete from access.provider_keys; delete from access.idempotency; delete from access.logins; delete from access.reserved_ids; update log.events set data = '{}' where position = 2`,
    );
    const { code, stderr } = await runCli('backup', ['restore', backup], env(target.url));
    expect([code, stderr]).to.satisfy(
      ([status, output]: [number, string]) => status === 1 && /contains other events: its event 1/.test(output),
    );
  });

  for (const [what, file, change] of [
    ['a changed event', 'log.ndjson.gz', (text: string) => text.replace('picked_up', 'delivered')],
    ['a missing event', 'log.ndjson.gz', (text: string) => text.split('\n').toSpliced(2, 1).join('\n')],
    ['a log that ends early', 'log.ndjson.gz', (text: string) => text.split('\n').slice(0, 3).join('\n') + '\n'],
    ['a changed key', 'keys.ndjson.gz', (text: string) => text.replace('demo-courier', 'demo-carrier')],
    ['keys that end early', 'keys.ndjson.gz', (text: string) => text.slice(0, text.length / 2)],
  ] as const) {
    it(`detects ${what} before anything is written`, async () => {
      const changed = join(folder, 'changed');
      await run('cp', ['-r', backup, changed]);
      const text = gunzipSync(await readFile(join(changed, file))).toString();
      expect(change(text)).to.not.equal(text);
      await writeFile(join(changed, file), gzipSync(change(text)));
      const { code, stderr } = await runCli('backup', ['verify', changed], { DATA_DIR: folder });
      expect([code, stderr]).to.satisfy(
        ([status, output]: [number, string]) =>
          status === 1 && /has been changed|is truncated|cannot be read/.test(output),
      );
      await rm(changed, { recursive: true });
    });
  }

  describe('with pg_dump', () => {
    it('dumps a running database, restores it after it was destroyed, and has the same log', async function () {
      const [server] = await query<{ major: number }>(
        original.url,
        `select current_setting('server_version_num')::int / 10000 as major`,
      );
      const tool = await run('pg_dump', ['--version']).then(
        ({ stdout }) => Number(/ (\d+)/.exec(stdout)![1]),
        () => 0,
      );
      if (tool < server!.major) {
        skip(this, `no pg_dump ${server!.major} or later`);
      }
      const database = await freshDatabase();
      const before = await startTestService({ databaseUrl: database.url });
      const demo = before.demo.provider.key;
      await before.push(timelineOf(number, [event('picked_up', 1), event('received', 2, { description: NAME })]), {
        ...retried,
        key: demo,
      });
      const dumps = join(folder, 'dumps');
      await run('docker/postgres-backup.sh', [dumps], { env: { ...process.env, DATABASE_URL: database.url } });
      await before.stop();
      const expected = await cli('log', ['root'], env(database.url));
      const rows = await rowsOf(database.url);
      await database.drop();

      const target = await fresh();
      await run('docker/postgres-restore.sh', [dumps], { env: { ...process.env, DATABASE_URL: target.url } });
      expect(
        await query(
          target.url,
          `select from information_schema.schemata where schema_name in ('timeline', 'providers')`,
        ),
      ).to.be.empty;
      expect(await cli('log', ['adopt'], env(target.url))).to.match(/timeline/);
      expect(await cli('log', ['root'], env(target.url))).to.equal(expected);
      expect(await rowsOf(target.url)).to.deep.equal(rows);
      key = demo;
      await expectAlive(target.url);
      expect((await runCli('log', ['root', '--size', '999999'], env(target.url))).stderr).to.match(
        /The log has only \d+ events/,
      );
    });
  });
});
