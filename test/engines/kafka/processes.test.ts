import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { STREAMS } from '../../../src/areas/index.js';
import { createPostgresLog } from '../../../src/engines/postgres-log/log.js';
import { createPool } from '../../../src/engines/postgres/pool.js';
import { checkerOf } from '../../support/checks/asyncapi.js';
import { freshDatabase, query, type FreshDatabase } from '../../support/worlds/database.js';
import { sharedKafka, type TestKafka } from '../../support/processes/kafka.js';
import { TestClient, type ReceivedMessage } from '../../support/clients/kafka-client.js';
import { seed, startProcess, type ServiceProcess } from '../../support/processes/kafka-service.js';
import { SHORT_LEASES } from '../../support/processes/service-process.js';

describe('Relay processes', () => {
  let kafka: TestKafka;
  let database: FreshDatabase;
  let client: TestClient;
  const prefix = `t${randomUUID()}`;
  const processes: ServiceProcess[] = [];

  before(async function () {
    kafka = await sharedKafka(this);
    database = await freshDatabase();
    await seed(database.url);
    client = new TestClient(kafka.brokers);
  });

  after(async () => {
    for (const process of processes) await process.end('SIGKILL');
    await client?.close();
    await database?.drop();
  });

  async function start(): Promise<ServiceProcess> {
    const process = await startProcess({
      databaseUrl: database.url,
      env: { ...SHORT_LEASES, ROLES: 'relay', KAFKA_BROKERS: kafka.brokers.join(), KAFKA_TOPIC_PREFIX: prefix },
    });
    processes.push(process);
    return process;
  }

  async function appendMany(streams: readonly string[], rounds: number): Promise<void> {
    const pool = createPool(database.url, { name: 'test' });
    const log = createPostgresLog(pool);
    for (let round = 0; round < rounds; round++) {
      await log.append(
        streams.map((stream) => ({
          stream,
          expected: round === 0 ? ('no-stream' as const) : round - 1,
          events: [
            {
              id: randomUUID(),
              type: 'TrackingWriterGranted',
              version: 1,
              json: JSON.stringify({ provider: `p${round}` }),
              metadata: { recorded_at: new Date().toISOString() },
            },
          ],
        })),
      );
    }
    await log.close();
    await pool.end();
  }

  const metric = async ({ url }: ServiceProcess, name: string): Promise<number> =>
    Number(new RegExp(`^${name} (.*)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1]);

  it('share the work: one sends, another continues when it is killed, nothing is lost and the order of each key is kept', async () => {
    const streams = Array.from({ length: 200 }, () => `tracking-${randomUUID()}`);
    await appendMany(streams, 100);
    const pair = [await start(), await start()];
    let worker: ServiceProcess | undefined;
    while (!worker) for (const one of pair) if ((await metric(one, 'relay_events_total')) > 2_000) worker = one;
    const other = pair.find((one) => one !== worker)!;
    await worker.end('SIGKILL');
    expect(await metric(other, 'relay_events_total')).to.equal(0);

    const [all] = await query<{ count: string }>(database.url, 'select count(*) from log.events');
    const inbox = await client.read(STREAMS.map(({ name }) => `${prefix}.${name}`));
    const ids = (seen: readonly ReceivedMessage[]) =>
      new Set(seen.map(({ text }) => (JSON.parse(text!) as { id: string }).id));
    while (ids(inbox.messages).size < Number(all!.count)) await sleep(100);

    const check = checkerOf((await (await fetch(`${other.url}/api/asyncapi.json`)).json()) as object);
    for (const { text, headers } of inbox.messages) {
      const payload = JSON.parse(text!) as { type: string };
      expect(check(payload.type, { headers, payload }), text).to.deep.equal([]);
    }

    const revisions = new Map<string, number[]>();
    const known = new Set<string>();
    for (const { text } of inbox.messages) {
      const { id, subject, revision } = JSON.parse(text!) as { id: string; subject: string; revision: number };
      if (known.has(id)) continue;
      known.add(id);
      revisions.set(subject, [...(revisions.get(subject) ?? []), revision]);
    }
    expect(revisions.size).to.be.greaterThan(200);
    for (const [stream, seen] of revisions) expect(seen, stream).to.deep.equal(seen.map((_, index) => index));
  });

  it('report their progress, and that none works when none does', async () => {
    const survivor = processes.find(({ child }) => child.signalCode === null)!;
    const readiness = async () =>
      (await (await fetch(`${survivor.url}/health/ready`)).json()) as {
        warnings: string[];
        projections: { name: string; caught_up: boolean; worked_on: boolean }[];
      };
    const relay = async () => (await readiness()).projections.find(({ name }) => name === 'relay:kafka');
    while (!(await relay())?.caught_up) await sleep(100);
    expect(await relay()).to.include({ worked_on: true });
    expect(await metric(survivor, 'relay_lag_seconds')).to.equal(0);
    if (!kafka.process) return;
    await kafka.process.end('SIGKILL');
    await appendMany([`tracking-${randomUUID()}`], 1);
    while (!((await metric(survivor, 'relay_lag_seconds')) > 0.5)) await sleep(100);
    expect(await relay()).to.include({ caught_up: false });
    await kafka.process.start();
    while ((await metric(survivor, 'relay_lag_seconds')) > 0) await sleep(100);
  });
});
