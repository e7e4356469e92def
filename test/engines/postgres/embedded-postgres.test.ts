import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, writeSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '../../../src/engines/embedded-postgres/start.js';
import { LogFile } from '../../../src/engines/embedded-postgres/log-file.js';
import { startMark } from '../../../src/engines/embedded-postgres/processes.js';
import { end, query, spawnPostgres, type PostgresProcess } from '../../support/processes/postgres-process.js';

describe('Embedded PostgreSQL', () => {
  const servers: EmbeddedPostgres[] = [];
  const processes: PostgresProcess[] = [];
  const folders: string[] = [];
  /** It contains a cluster, so that most tests start fast. */
  let folder: string;

  before(async () => {
    folder = join(await newFolder(), 'made by', 'the service');
    await (await start()).stop();
  });

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    for (const started of processes.splice(0)) await end(started, 'SIGTERM');
  });

  after(() => Promise.all(folders.map((path) => rm(path, { recursive: true, force: true }))));

  async function newFolder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'open transport '));
    folders.push(path);
    return path;
  }

  async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ dataDir: folder, ...options });
    servers.push(server);
    return server;
  }

  function spawnService(dataDir = folder): PostgresProcess {
    const started = spawnPostgres({ dataDir });
    processes.push(started);
    return started;
  }

  /** Creates a table that only this test has. */
  async function commitRow(url: string): Promise<string> {
    const table = `kept_${randomUUID().replaceAll('-', '')}`;
    await query(url, `CREATE TABLE ${table} AS SELECT 7 AS n`);
    return `SELECT n FROM ${table}`;
  }

  const postmaster = async (): Promise<number> =>
    Number((await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  const refusal = (starting: Promise<unknown>): Promise<string> =>
    starting.then(
      () => 'started',
      (error: Error) => error.message,
    );

  it('finds its data again, in a relative folder with a space in its name', async () => {
    const dataDir = relative(process.cwd(), folder);
    const first = await start({ dataDir });
    const committed = await commitRow(first.url);
    await first.stop();
    await first.stop();
    const second = await start({ dataDir });
    expect(await query(second.url, committed)).to.deep.equal([{ n: 7 }]);
  });

  it('is durable, UTF-8, byte-ordered, in UTC, and accepts settings', async () => {
    const { url } = await start({ settings: { work_mem: '5MB' } });
    const [row] = await query(
      url,
      `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
      current_setting('data_checksums') AS checksums, current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone,
      current_setting('work_mem') AS work_mem, 'Z' < 'a' AS byte_order, lower('ÄÖ') AS lower`,
    );
    expect(row).to.deep.equal({
      fsync: 'on',
      pages: 'on',
      checksums: 'on',
      encoding: 'UTF8',
      zone: 'UTC',
      work_mem: '5MB',
      byte_order: true,
      lower: 'äö',
    });
  });

  it('requires the password, listens on loopback only, and provides no superuser', async () => {
    const { url } = await start();
    const [role] = await query(
      url,
      'SELECT rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user',
    );
    expect(role).to.deep.equal({ rolsuper: false, rolcreatedb: true, rolcreaterole: false });
    expect(await query(url, 'SHOW listen_addresses')).to.deep.equal([{ listen_addresses: '127.0.0.1' }]);
    const wrong = new URL(url);
    wrong.password = 'guessed';
    expect(await refusal(query(wrong.href, 'SELECT'))).to.contain('password authentication failed');
    wrong.username = 'postgres';
    expect(await refusal(query(wrong.href, 'SELECT'))).to.contain('password authentication failed');
  });

  it('writes the url for other tools while it runs, readable only by the owner', async () => {
    const { url, stop } = await start();
    const file = join(folder, 'postgres.url');
    expect((await readFile(file, 'utf8')).trim()).to.equal(url);
    expect(((await stat(file)).mode & 0o777).toString(8)).to.equal('600');
    expect(url).to.match(/^postgres:\/\/transport:\w{48}@127\.0\.0\.1:\d+\/transport$/);
    await stop();
    expect(await readdir(folder)).to.have.members(['postgres', 'postgres.log', 'postgres.log.1']);
  });

  it('creates the database again if it is missing', async () => {
    const { url, stop } = await start();
    await query(url.replace(/transport$/, 'postgres'), 'DROP DATABASE transport');
    await stop();
    expect(await query((await start()).url, 'SELECT current_database() AS name')).to.deep.equal([
      { name: 'transport' },
    ]);
  });

  it('stops while a client is within a transaction', async () => {
    const { url, stop } = await start();
    const client = new pg.Client(url);
    const cut = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await client.query('BEGIN');
    const pid = await postmaster();
    await stop();
    await cut;
    expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).to.equal(false);
    expect(await startMark(pid)).to.equal(undefined);
  });

  it('survives the Ctrl-C of its service', async () => {
    const service = spawnService();
    const url = await service.url;
    process.kill(-(service.child.pid ?? 0), 'SIGINT');
    await sleep(200);
    expect(await query(url, 'SELECT 1 AS n')).to.deep.equal([{ n: 1 }]);
  });

  it('keeps committed data when its service is killed, and replaces the server that is left', async () => {
    const service = spawnService();
    const committed = await commitRow(await service.url);
    const orphan = await postmaster();
    await end(service, 'SIGKILL');
    expect(await startMark(orphan)).to.be.a('string');
    const { url } = await start();
    expect(await query(url, committed)).to.deep.equal([{ n: 7 }]);
    expect(await startMark(orphan)).to.equal(undefined);
  });

  it('keeps committed data when service and server are killed', async () => {
    const service = spawnService();
    const committed = await commitRow(await service.url);
    await end(service, 'SIGKILL');
    process.kill(await postmaster(), 'SIGKILL');
    expect(await query((await start()).url, committed)).to.deep.equal([{ n: 7 }]);
  });

  it('ignores a postmaster.pid with the process number of an unrelated process, which it does not touch', async () => {
    const { url, stop } = await start();
    const committed = await commitRow(url);
    const file = join(folder, 'postgres', 'postmaster.pid');
    const content = await readFile(file, 'utf8');
    const owner = await stat(file);
    await stop();
    const stranger = spawn('sleep', ['60'], { uid: owner.uid, gid: owner.gid });
    try {
      await writeFile(file, content.replace(/^\d+/, String(stranger.pid)));
      expect(await query((await start()).url, committed)).to.deep.equal([{ n: 7 }]);
      expect(stranger.signalCode).to.equal(null);
    } finally {
      stranger.kill();
    }
  });

  it('rejects a folder whose owner is alive, and names the owner', async () => {
    const service = spawnService();
    const url = await service.url;
    expect(await refusal(start())).to.contain(`is in use by process ${service.child.pid}`);
    expect(await query(url, 'SELECT 1 AS n')).to.deep.equal([{ n: 1 }]);
    await end(service, 'SIGTERM');
    await start();
    expect(await refusal(start())).to.contain(`is in use by process ${process.pid}`);
  });

  it('lets one of several win that start at once after a dead owner', async () => {
    await writeFile(join(folder, 'postgres.lock'), JSON.stringify({ pid: process.pid, started: 'in another life' }));
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => refusal(start())));
    expect(outcomes.filter((outcome) => outcome === 'started')).to.have.length(1);
    expect(outcomes.filter((outcome) => outcome.includes('is in use by process'))).to.have.length(3);
  });

  it('takes over a lock that a dying process left empty', async () => {
    await writeFile(join(folder, 'postgres.lock'), '');
    await start();
  });

  it('starts again if it was killed while creating the cluster', async () => {
    const dataDir = await newFolder();
    const service = spawnService(dataDir);
    const halfMade = async () =>
      (await readdir(dataDir)).find(
        (name) => name.startsWith('postgres.new-') && existsSync(join(dataDir, name, 'base')),
      );
    while (!(await halfMade())) await sleep(2);
    await end(service, 'SIGKILL');
    expect(await readdir(dataDir)).not.to.contain('postgres');
    await query((await start({ dataDir })).url, 'SELECT');
    expect((await readdir(dataDir)).filter((name) => name.includes('.new'))).to.deep.equal([]);
  });

  it('shows the output of the server if it cannot start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    expect(await refusal(start({ port })))
      .to.contain('PostgreSQL does not start')
      .and.to.contain('Address already in use');
    taken.close();
    const { url } = await start({ port });
    expect(new URL(url).port).to.equal(String(port));
  });

  it('restarts a server that ends unexpectedly, at the same address and with its data, and reports it', async () => {
    const logLines: string[] = [];
    const { url } = await start({ warn: (line) => logLines.push(line) });
    const row = await commitRow(url);
    const before = await postmaster();
    process.kill(before, 'SIGKILL');
    while (!logLines.some((line) => line.includes('is running again'))) await sleep(20);
    expect(logLines[0]).to.include('stopped unexpectedly (SIGKILL) and is restarted');
    expect(await postmaster()).not.to.equal(before);
    expect(await query(url, row)).to.deep.equal([{ n: 7 }]);
  });

  it('reports when the server ends unexpectedly, and only then', async () => {
    const logLines: string[] = [];
    const log = (line: string) => logLines.push(line);
    const { stop } = await start({ log });
    await stop();
    expect(logLines.join()).not.to.contain('ended');
    const second = await start({ log });
    process.kill(await postmaster(), 'SIGKILL');
    while (!logLines.some((line) => line.includes('stopped unexpectedly (SIGKILL)'))) await sleep(5);
    await second.stop();
    await start(); // clears the shared memory that the killed server left
  });

  it('keeps the log of the server small while it is written', async () => {
    const path = join(await newFolder(), 'postgres.log');
    const file = await LogFile.open(path);
    writeSync(file.fd, 'first\n');
    await file.keepSmall(6);
    expect(await readFile(path, 'utf8')).to.equal('first\n');
    await file.keepSmall(5);
    writeSync(file.fd, 'second\n');
    expect(await readFile(path, 'utf8')).to.equal('second\n');
    expect(await readFile(`${path}.1`, 'utf8')).to.equal('first\n');
    expect(await file.tail()).to.equal('second');
    await file.close();
  });

  it('changes neither the cluster of another version nor files of others', async () => {
    const dataDir = await newFolder();
    const cluster = join(dataDir, 'postgres');
    await mkdir(cluster);
    await writeFile(join(cluster, 'notes.txt'), 'mine');
    expect(await refusal(start({ dataDir }))).to.contain('is not a PostgreSQL cluster and not empty');
    await writeFile(join(cluster, 'PG_VERSION'), '17\n');
    expect(await refusal(start({ dataDir }))).to.contain('was created by PostgreSQL 17');
    expect(await readdir(cluster)).to.have.members(['notes.txt', 'PG_VERSION']);
    expect(await readdir(dataDir)).to.deep.equal(['postgres']);
  });
});
