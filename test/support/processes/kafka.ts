/**
 * A real Kafka for tests: the brokers of KAFKA_BROKERS, or else one node (KRaft) from the jars of Maven Central if
 * Maven and Java are present. The jars are downloaded once, into node_modules/.cache.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv, promisify } from 'node:util';
import { freePorts } from './ports.js';
import { skip, recordEngine } from '../run-summary.js';
import { WAIT_LIMIT_MS } from '../eventually.js';

const run = promisify(execFile);

/** Runs on Java 17. */
const VERSION = process.env['KAFKA_TEST_VERSION'] ?? '4.1.1';
const CACHE = resolve('node_modules/.cache/kafka', VERSION);
const START_MS = WAIT_LIMIT_MS;

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>kafka</artifactId><version>1</version><packaging>pom</packaging>
<dependencies><dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${VERSION}</version></dependency></dependencies></project>`;

export interface TestKafka {
  readonly brokers: readonly string[];
  /** Absent for external brokers. */
  readonly process?: {
    /** SIGTERM: clean shutdown; SIGKILL: crash. Resolves when the process has ended. */
    end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
    /** Restarts with the same port and files. */
    start(): Promise<void>;
  };
  close(): Promise<void>;
}

/** Returns a broker, or the reason why there is none. */
export async function startKafka(): Promise<TestKafka | string> {
  const given = process.env['KAFKA_BROKERS'];
  if (given) {
    recordEngine('Kafka', 'the brokers of KAFKA_BROKERS');
    return { brokers: given.split(','), close: () => Promise.resolve() };
  }
  for (const tool of ['java', 'mvn']) {
    const missing = await run(tool, ['-version']).then(
      () => false,
      () => true,
    );
    if (missing) return `Kafka is absent: set KAFKA_BROKERS, or install Java 17 and Maven (${tool} was not found).`;
  }
  try {
    await fetchJars();
  } catch (error) {
    return `Kafka is absent: its jars could not be fetched (${(error as Error).message.split('\n')[0]}).`;
  }
  recordEngine('Kafka', `${VERSION}, one node of the tests`);
  return startNode();
}

/** Downloads the jars completely or not at all: the folder has another name until it is complete. */
async function fetchJars(): Promise<void> {
  if (
    await access(CACHE).then(
      () => true,
      () => false,
    )
  )
    return;
  await mkdir(join(CACHE, '..'), { recursive: true });
  const folder = await mkdtemp(`${CACHE}-`);
  await writeFile(join(folder, 'pom.xml'), POM);
  await run('mvn', [
    '-q',
    '-B',
    '-f',
    join(folder, 'pom.xml'),
    'dependency:copy-dependencies',
    `-DoutputDirectory=${folder}`,
  ]);
  await rename(folder, CACHE).catch(() => rm(folder, { recursive: true, force: true }));
}

async function startNode(): Promise<TestKafka> {
  const folder = await mkdtemp(join(tmpdir(), 'kafka-'));
  const [port, controllerPort] = await freePorts(2);
  const properties = join(folder, 'server.properties');
  const settings = {
    ...(await composeSettings()),
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'log.dirs': join(folder, 'data'),
    'num.partitions': 4,
    'offsets.topic.num.partitions': 4,
    'broker.session.timeout.ms': 3_000,
    'broker.heartbeat.interval.ms': 500,
  };
  await writeFile(
    properties,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const java = ['-Xmx512m', '-Xms256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', `${CACHE}/*`];
  await run('java', [
    ...java,
    'kafka.tools.StorageTool',
    'format',
    '-t',
    Buffer.alloc(16, 7).toString('base64url'),
    '-c',
    properties,
  ]);

  let child: ChildProcess;
  async function start(): Promise<void> {
    child = spawn('java', [...java, 'kafka.Kafka', properties], { stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(join(folder, 'kafka.log'), { flags: 'a' });
    child.stdout!.pipe(log);
    child.stderr!.pipe(log, { end: false });
    const until = Date.now() + START_MS;
    while (!(await listens(port!))) {
      if (child.exitCode !== null || Date.now() > until)
        throw new Error(`Kafka did not start: see ${folder}/kafka.log`);
      await sleep(100);
    }
  }
  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
  await start();
  return {
    brokers: [`127.0.0.1:${port}`],
    process: { start, end },
    async close() {
      await end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the settings of docker/kafka.env as the image interprets them: KAFKA_NODE_ID is node.id. */
async function composeSettings(): Promise<Record<string, string>> {
  const settings = parseEnv(await readFile('docker/kafka.env', 'utf8')) as Record<string, string>;
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name
        .replace(/^KAFKA_/, '')
        .replaceAll('_', '.')
        .toLowerCase(),
      value,
    ]),
  );
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

let shared: Promise<TestKafka | string> | undefined;
const closing = new WeakSet<Mocha.Suite>();

/**
 * Returns one broker for all files that a process runs together. If there is none, the caller's suite is skipped with
 * the reason.
 */
export async function sharedKafka(context: Mocha.Context): Promise<TestKafka> {
  closeAfter(rootOf(context));
  const kafka = await (shared ??= startKafka());
  return typeof kafka === 'string' ? skip(context, kafka) : kafka;
}

/** A file that runs in parallel with others is a separate run. */
function closeAfter(run: Mocha.Suite): void {
  if (closing.has(run)) return;
  closing.add(run);
  run.afterAll('stop Kafka', async () => {
    const kafka = await shared;
    shared = undefined;
    if (kafka && typeof kafka !== 'string') await kafka.close();
  });
}

function rootOf({ test }: Mocha.Context): Mocha.Suite {
  let suite = test!.parent!;
  while (suite.parent) suite = suite.parent;
  return suite;
}
