/**
 * The service as in production, under load: two api processes, two projectors, a relay if there is a Kafka, and proxies
 * that can fail.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { STREAMS } from '../../../src/areas/index.js';
import { connectEventStore } from '../../../src/engines/eventstore/log.js';
import { createPostgresLog } from '../../../src/engines/postgres-log/log.js';
import { createPool } from '../../../src/engines/postgres/pool.js';
import type { EventLog } from '../../../src/events/core/log.js';
import { runCli } from '../../support/processes/cli.js';
import { eventually } from '../../support/eventually.js';
import { startEventStoreServer, type EventStoreServer } from '../../support/fakes/eventstore-server.js';
import { Figures } from '../../support/figures.js';
import type { TestKafka } from '../../support/processes/kafka.js';
import { TestClient, type TopicReader } from '../../support/clients/kafka-client.js';
import { call } from '../../support/clients/http.js';
import { startLoad, type Load } from '../../support/processes/load.js';
import { freePorts } from '../../support/processes/ports.js';
import { MASTER_KEY, startTestService } from '../../support/worlds/service.js';
import { endServiceProcesses } from '../../support/processes/service-process.js';
import { startTcpProxy, type TcpProxy } from '../../support/fakes/tcp-proxy.js';
import { startWorldPostgres, type WorldPostgres } from './postgres.js';
import { supervise, type Supervised } from './supervised.js';
import { expectAllOnce, expectAllRelayed, readAll } from './truth.js';

export interface World {
  readonly postgres: WorldPostgres;
  readonly kafka: TestKafka | undefined;
  readonly eventStore: EventStoreServer | undefined;
  /** The proxy to the server that holds the log. */
  readonly line: TcpProxy;
  readonly apis: readonly Supervised[];
  readonly projectors: readonly Supervised[];
  readonly relay: Supervised;
  /** Takes the requests that are pending now; the returned function counts the requests that still have no response. */
  waiting(): () => number;
  /** Pushes during `fault` and a little longer, then checks all conditions. */
  endure(fault: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly engine: 'postgres' | 'eventstore';
  readonly smallDisk?: boolean;
  readonly kafka?: TestKafka;
  /** The setting of all its processes. */
  readonly leaseSeconds: number;
}

/** A response that takes longer than this counts as hanging. */
const HANGING_MS = 20_000;

export async function startWorld({ engine, smallDisk = false, kafka, leaseSeconds }: WorldOptions): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'transport-world-'));
  const postgres = await startWorldPostgres({ smallDisk });
  const eventStore = engine === 'eventstore' ? await startEventStoreServer() : undefined;
  const line = await startTcpProxy(
    '127.0.0.1',
    eventStore ? Number(new URL(eventStore.url.replace('esdb', 'http')).port) : postgres.port,
  );
  const through = new URL(postgres.url);
  if (!eventStore) through.port = String(line.port);
  const env = {
    LEASE_SECONDS: String(leaseSeconds),
    ...(eventStore && { EVENTSTORE_URL: `esdb://127.0.0.1:${line.port}?tls=false` }),
    ...(kafka && { KAFKA_BROKERS: kafka.brokers.join(), KAFKA_TOPIC_PREFIX: `f${dataDir.slice(-6)}` }),
  };
  // Bypasses the proxy, so that the checks do not depend on the faults.
  const pool = createPool(postgres.url, { name: 'truth' });
  const log: EventLog = eventStore ? await connectEventStore(eventStore.url) : createPostgresLog(pool);

  const seeding = await startTestService({
    databaseUrl: postgres.url,
    env: { ...(eventStore && { EVENTSTORE_URL: eventStore.url }) },
  });
  const key = seeding.demo.provider.key;
  await seeding.stop();

  const start = async (roles: string) =>
    supervise({ dataDir, databaseUrl: through.href, port: (await freePorts(1))[0]!, env: { ...env, ROLES: roles } });
  const apis = [await start('api'), await start('api')];
  const projectors = [await start('projector'), await start('projector')];
  const relay = await start('relay');
  const client = kafka && new TestClient(kafka.brokers);
  const acknowledged = new Set<string>();
  let inbox: TopicReader | undefined;
  let faults = 0;
  let current: Load | undefined;
  const figures = new Figures();

  const urls = apis.map(({ url }) => url);
  const push = (body: unknown) => call(`${urls[0]}/api/v1/otep/ingest`, { key, body });

  /** Waits until the service is ready again. With `idle`, also until the read models hold everything. */
  async function recovered({ idle }: { readonly idle: boolean }): Promise<void> {
    let problems: string[] = [];
    const isReady = async (): Promise<boolean> => {
      const found = await Promise.all(
        urls.map(async (url) => {
          const ready = await call(`${url}/health/ready`).catch(() => undefined);
          return ready?.json?.ready === true &&
            (!idle ||
              ready.json.projections.every(
                ({ caught_up, name }: { caught_up: boolean; name: string }) =>
                  caught_up || (!kafka && name.startsWith('relay')),
              ))
            ? []
            : [ready?.text ?? 'no answer'];
        }),
      );
      problems = found.flat();
      return problems.length === 0;
    };
    const outputs = () => [...apis, ...projectors, relay].map((one) => one.output().slice(-2_000)).join('\n');
    await eventually(isReady, () => `the system did not recover automatically: ${problems.join()}\n${outputs()}`, {
      every: 100,
    });
  }

  async function judge(load: Load): Promise<void> {
    expect(load.wrong, apis.map((one) => one.output().slice(-4_000)).join('\n')).to.deep.equal([]);
    figures.add({ name: 'slowest response', value: load.slowest(), unit: 'ms', limit: HANGING_MS });
    for (const id of load.acknowledged) acknowledged.add(id);
    // An event without a response may be stored or not; after it is sent again, it is stored once.
    for (const document of load.unanswered) {
      const { status, json, text } = await push(document);
      expect([status, json?.rejected], text).to.deep.equal([200, 0]);
      for (const { event_id } of json.events as { event_id: string }[]) acknowledged.add(event_id);
    }
    await recovered({ idle: true });
    const events = await readAll(log);
    expectAllOnce(events, acknowledged);
    const verified = await runCli('audit', ['verify'], {
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      MASTER_KEY,
      ...(eventStore && { EVENTSTORE_URL: eventStore.url }),
    });
    expect(verified.code, `${verified.stdout}${verified.stderr}`).to.equal(0);
    if (client) {
      const topics = STREAMS.map(({ name }) => `${env.KAFKA_TOPIC_PREFIX}.${name}`);
      inbox ??= await client.read(topics);
      await expectAllRelayed(events, inbox);
    }
  }

  return {
    postgres,
    kafka,
    eventStore,
    line,
    apis,
    projectors,
    relay,
    waiting: () => current!.waiting(),
    async endure(fault) {
      // New parcels each time: endlessly growing journeys are the subject of another test.
      const numbers = Array.from({ length: 24 }, (_, index) => `FAULT${faults}X${index}`);
      faults += 1;
      const load = (current = startLoad({ urls, key, numbers, connections: 4, pause: 20 }));
      try {
        const before = load.acknowledged.size;
        while (load.acknowledged.size < before + 50) await sleep(10);
        await sleep(Math.random() * 1_000);
        await fault();
        await recovered({ idle: false });
        // The service accepts pushes again, and does not only report so.
        const healed = load.acknowledged.size;
        await eventually(() => load.acknowledged.size >= healed + 50, 'accepted pushes after the fault');
      } finally {
        await load.stop();
      }
      await judge(load);
    },
    async close() {
      figures.print();
      await Promise.all([...apis, ...projectors, relay].map((one) => one.stop()));
      await endServiceProcesses();
      await client?.close();
      await log.close();
      await pool.end();
      await line.close().catch(() => undefined);
      eventStore?.stop();
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
