/** Runs every command of the compose files against the program it is for, if this machine has that program. */
import { execFile, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startEmbeddedPostgres } from '../../src/engines/embedded-postgres/start.js';
import { commandOf, DOCKER, readCompose, type Compose } from '../support/checks/compose.js';
import { freshDatabase, query } from '../support/worlds/database.js';
import { sharedKafka } from '../support/processes/kafka.js';
import { freePorts } from '../support/processes/ports.js';
import { skip } from '../support/run-summary.js';

const run = promisify(execFile);

/** Skips the test, with the reason, on a machine without the program. */
async function needs(context: Mocha.Context, program: string, ...probe: string[]): Promise<void> {
  const missing = await run(program, probe).then(
    () => false,
    (error: { code?: unknown }) => error.code === 'ENOENT',
  );
  if (!missing) return;
  skip(context, `no ${program}`);
}

const exitCode = (command: readonly string[]): Promise<number> =>
  run(command[0]!, command.slice(1)).then(
    () => 0,
    (error: { code: number }) => error.code,
  );

/** An HTTP server that answers every path but `healthy` with 503. */
async function answering(healthy: string): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((request, response) =>
    response.writeHead(request.url === healthy ? 200 : 503).end(),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

describe('commands of the compose files', () => {
  let single: Compose;
  let cluster: Compose;

  before(async () => {
    [single, cluster] = await Promise.all([readCompose('compose.yaml'), readCompose('compose.cluster.yaml')]);
  });

  it('check whether Postgres accepts connections', async function () {
    await needs(this, 'pg_isready', '--version');
    const command = commandOf(single.services['postgres']!);
    expect(command).to.deep.equal(commandOf(cluster.services['postgres']!));
    const database = await freshDatabase();
    const { port } = new URL(database.url);
    expect(await exitCode([...command, `--port=${port}`])).to.equal(0);
    await database.drop();
    const [free] = await freePorts(1);
    expect(await exitCode([...command, `--port=${free}`])).to.equal(2);
  });

  it('start Postgres with existing settings', async () => {
    const [program, ...options] = cluster.services['postgres']!.command!;
    expect(program).to.equal('postgres');
    const settings = Object.fromEntries(
      options.filter((option) => option !== '-c').map((option) => option.split('=') as [string, string]),
    );
    const dataDir = await mkdtemp(join(tmpdir(), 'compose-postgres-'));
    // The memory of this machine does not depend on the file.
    const { url, stop } = await startEmbeddedPostgres({ dataDir, settings: { ...settings, shared_buffers: '16MB' } });
    try {
      const rows = await query<{ name: string }>(
        url,
        'select name from pg_settings where name = any ($1) and source = $2',
        [Object.keys(settings), 'command line'],
      );
      expect(rows.map(({ name }) => name).sort()).to.deep.equal(Object.keys(settings).sort());
      expect(await query(url, 'show max_connections')).to.deep.equal([
        { max_connections: settings['max_connections'] },
      ]);
    } finally {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('check whether EventStoreDB is alive', async function () {
    await needs(this, 'curl', '--version');
    const server = await answering('/health/live');
    const at = (path: string) =>
      commandOf(single.services['eventstore']!).map((word) =>
        word.replace('localhost:2113/health/live', `127.0.0.1:${server.port}${path}`),
      );
    expect(await exitCode(at('/health/live'))).to.equal(0);
    expect(await exitCode(at('/other'))).to.equal(22);
    server.close();
  });

  it('check whether the service behind nginx is alive', async function () {
    await needs(this, 'wget', '--version');
    const server = await answering('/health/live');
    const at = (path: string) =>
      commandOf(cluster.services['nginx']!).map((word) =>
        word.replace('127.0.0.1:8080/health/live', `127.0.0.1:${server.port}${path}`),
      );
    expect(await exitCode(at('/health/live'))).to.equal(0);
    expect(await exitCode([...at('/other'), '-t', '1'])).to.not.equal(0);
    server.close();
  });

  it('give nginx a valid file', async function () {
    await needs(this, 'nginx', '-v');
    const folder = await mkdtemp(join(tmpdir(), 'nginx-'));
    // Older versions do not resolve the servers of an upstream repeatedly.
    const minor = Number(/\/1\.(\d+)\./.exec((await run('nginx', ['-v'])).stderr)?.[1] ?? 99);
    if (minor < 28) skip(this, 'no nginx 1.28 or later');
    await run('nginx', ['-t', '-p', folder, '-c', join(process.cwd(), DOCKER, 'nginx.conf')]);
    await rm(folder, { recursive: true, force: true });
  });

  it('start Kafka with existing settings, and check whether it accepts connections', async function () {
    // The broker of all tests has the settings of docker/kafka.env.
    const kafka = await sharedKafka(this);
    const [host, port] = kafka.brokers[0]!.split(':') as [string, string];
    const at = (to: number | string) =>
      commandOf(single.services['kafka']!).map((word) => word.replace('127.0.0.1/9092', `${host}/${to}`));
    expect(await exitCode(at(port))).to.equal(0);
    const [free] = await freePorts(1);
    expect(await exitCode(at(free!))).to.not.equal(0);
  });

  it('give Mosquitto a valid file, and check its version', async function () {
    await needs(this, 'mosquitto', '-h');
    await needs(this, 'mosquitto_sub', '--help');
    const folder = await mkdtemp(join(tmpdir(), 'mosquitto-'));
    const [port] = await freePorts(1);
    const file = join(folder, 'mosquitto.conf');
    await writeFile(
      file,
      (await readFile(join(DOCKER, 'mosquitto.conf'), 'utf8'))
        .replace('listener 1883', `listener ${port} 127.0.0.1`)
        .replace('/mosquitto/data', folder),
    );
    const broker = spawn('mosquitto', ['-c', file], { stdio: 'ignore' });
    try {
      const check = [...commandOf(single.services['mosquitto']!), '-h', '127.0.0.1', '-p', String(port)];
      let code = 1;
      for (let tries = 0; code !== 0 && tries < 20; tries++) {
        code = await exitCode(check);
        if (code !== 0) await sleep(100);
      }
      expect(code).to.equal(0);
    } finally {
      broker.kill();
      if (broker.exitCode === null && broker.signalCode === null) await once(broker, 'exit');
      await rm(folder, { recursive: true, force: true });
    }
    expect(
      await exitCode([...commandOf(single.services['mosquitto']!), '-h', '127.0.0.1', '-p', String(port)]),
    ).to.not.equal(0);
  });
});
