/**
 * Scans, pushed one by one over HTTP by 32 callers, while all read models of the service are updated. The log is in
 * EventStoreDB (the protocol server of the tests, or EVENTSTORE_URL) and in PostgreSQL, alternating. Afterwards both
 * services run idle at the same time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { push } from './documents.js';
import { createClient, inParallel } from './http.js';
import { addProvider } from './main-path.js';
import {
  median,
  quantile,
  seconds,
  startProcess,
  startService,
  waitUntilCaughtUp,
  type Databases,
  type Process,
} from './support.js';
import { count, ms, type Line } from './table.js';

const CALLERS = 32;
const WARM_UP = 200;
/** Wait after the last scan until all work is done, then duration of the idle measurement. */
const REST_S = 10;
const IDLE_S = 30;

export interface ScansOptions {
  readonly rounds: number;
  /** Scans in one measurement. */
  readonly scans: number;
}

interface Figures {
  /** Scans per second. */
  readonly rate: number[];
  /** Milliseconds. */
  readonly p50: number[];
  readonly p99: number[];
}

export async function measureScans(databases: Databases, { rounds, scans }: ScansOptions): Promise<Line[]> {
  const own = process.env['EVENTSTORE_URL'] === undefined;
  const server = own ? await startProcess('dist/bench/eventstore-server.js') : undefined;
  const engines = [
    {
      name: server ? 'EventStoreDB log, protocol server' : 'EventStoreDB log',
      url: server?.url ?? process.env['EVENTSTORE_URL']!,
    },
    { name: 'Postgres log', url: undefined },
  ];
  const subjects = [];
  for (const [index, { name, url }] of engines.entries()) {
    const databaseUrl = await databases.fresh(`scans${index}`);
    const service = await startService(databaseUrl, url === undefined ? {} : { EVENTSTORE_URL: url });
    // The server of EVENTSTORE_URL contains events of earlier measurements.
    await waitUntilCaughtUp(service);
    const key = await addProvider(databaseUrl);
    subjects.push({ name, service, key, figures: { rate: [], p50: [], p99: [] } as Figures });
  }
  for (let round = -1; round < rounds; round++)
    for (const { service, key, figures } of subjects)
      await measure(service, key, round < 0 ? WARM_UP : scans, round < 0 ? undefined : figures);
  const [eventStore, postgres] = subjects.map(({ name, figures }) => ({
    name,
    rate: median(figures.rate),
    p50: median(figures.p50),
    p99: median(figures.p99),
  }));
  const [idle, idleOnPostgres] = await idleShares(subjects.map(({ service }) => service));
  for (const { service } of subjects) await service.stop();
  await server?.stop();
  return [
    {
      name: `Scans one by one, ${CALLERS} callers, ${eventStore!.name}`,
      value: `${count(eventStore!.rate)}/s, p50 ${ms(eventStore!.p50)}, p99 ${ms(eventStore!.p99)}`,
      ratio: eventStore!.rate / postgres!.rate,
      reference: `${count(postgres!.rate)}/s, p50 ${ms(postgres!.p50)}, p99 ${ms(postgres!.p99)} ${postgres!.name}`,
    },
    {
      name: `CPU time of the idle service, ${eventStore!.name}`,
      value: ofCore(idle!),
      ratio: idle! / idleOnPostgres!,
      reference: `${ofCore(idleOnPostgres!)} ${postgres!.name}`,
      goal: 'at most 1',
    },
  ];
}

async function measure(service: Process, key: string, scans: number, figures: Figures | undefined): Promise<void> {
  const client = createClient(service.url, CALLERS, key);
  const bodies = Array.from({ length: scans }, () => push(1, 1).body);
  const times: number[] = [];
  const took = await seconds(() =>
    inParallel(bodies, CALLERS, async (body) => {
      const one = await seconds(async () => {
        const { status, body: answer } = await client.send('POST', '/api/v1/otep/ingest', { body });
        if (status !== 200) throw new Error(`${status} ${answer.toString().slice(0, 300)}`);
      });
      times.push(one * 1_000);
    }),
  );
  client.close();
  figures?.rate.push(scans / took);
  figures?.p50.push(quantile(times, 0.5));
  figures?.p99.push(quantile(times, 0.99));
}

/** Returns the CPU use of each process while it is idle, as a share of one core. */
async function idleShares(services: readonly Process[]): Promise<readonly number[]> {
  const used = () => Promise.all(services.map(cpuSeconds));
  await sleep(REST_S * 1_000);
  const before = await used();
  const took = await seconds(() => sleep(IDLE_S * 1_000));
  return (await used()).map((after, index) => (after - before[index]!) / took);
}

async function cpuSeconds({ url }: Process): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)![1]);
}

const ofCore = (share: number): string => `${(share * 100).toFixed(1)} % of a core`;
