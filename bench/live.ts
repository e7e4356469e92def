/**
 * The feed of the dispatch board: a thousand followers of one business against one follower, and the heap afterwards.
 * Also failed scans on two hundred open boards of a full day. The followers run in a separate process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { passOver, seed, signIn } from './assignments.js';
import { FIRST, preloadDay, today } from './dispatch.js';
import { clock, createUsers, startFollowers, type Arrival, type Followers } from './followers.js';
import { createClient, type Client } from './http.js';
import { quantile, startService, waitUntilIdle, type Databases, type Process } from './support.js';
import { count, ms, type Line } from './table.js';

const PATH = '/api/v1/dispatch/events';
const FOLLOWERS = 1_000;
/** Streams per caller. */
const STREAMS_PER_USER = 10;
const CHANGES_PER_SECOND = 50;
const ORDERS = { orders: 1_000, routes: 20 };
const PAGES = 200;
const SCANS_PER_SECOND = 5;
const FULL_DAY = { orders: 20_000, routes: 400 };
/** Warm-up before the measurement. */
const WARM_UP_S = 3;
/** Node flags of a service that collects garbage on a signal. */
const GC_FLAGS = ['--expose-gc', '--import', 'data:text/javascript,process.on("SIGUSR2",gc)'];
const MAX_POLLS = 10;
const POLL_MS = 300;
/** Maximum delay of the last event. */
const MAX_DELAY_MS = 15_000;

/** `long`: seconds with a thousand followers, during which the heap is measured. */
export async function measureLive(databases: Databases, seconds: number, long = seconds): Promise<Line[]> {
  return [...(await measureFollowers(databases, seconds, long)), await measurePages(databases, seconds)];
}

/** A change of an order with the times of its request and its response. */
interface TimedChange {
  readonly order: number;
  readonly sent: number;
  readonly answered: number;
}

async function measureFollowers(databases: Databases, seconds: number, long: number): Promise<Line[]> {
  const { service, client, token, close } = await openDay(databases, 'followers', ORDERS);
  const people = await createUsers(service.url, client, FOLLOWERS / STREAMS_PER_USER);
  const measure = async (tokens: readonly string[], seconds: number) => {
    const followers = await startFollowers(service.url, PATH, tokens);
    const change = (n: number) => changeNote(client, FIRST + (n % ORDERS.orders), n);
    const first = await atRate(CHANGES_PER_SECOND, WARM_UP_S, change);
    const before = await heap(service, client);
    const later = await atRate(CHANGES_PER_SECOND, seconds, (n) => change(first.length + n));
    const arrivals = await settled(followers, 'OrderNoteChanged', [...first, ...later], tokens.length);
    const after = await heap(service, client);
    await followers.stop();
    const lags = later.map((made, n) => Math.max(0, arrivals[first.length + n]!.last - made.answered));
    return { p99: quantile(lags, 0.99), before, after };
  };
  const one = await measure([token], seconds);
  const all = await measure(
    people.flatMap((person) => Array.from({ length: STREAMS_PER_USER }, () => person)),
    long,
  );
  await close();
  return [
    {
      name: `Time from a change until the last of ${count(FOLLOWERS)} followers receives it, ${CHANGES_PER_SECOND} changes/s, p99`,
      value: ms(all.p99),
      ratio: all.p99 / one.p99,
      reference: `${ms(one.p99)} one follower`,
      goal: 'at most 4',
    },
    {
      name: `Heap with ${count(FOLLOWERS)} followers after ${count(long)} s`,
      value: mebibytes(all.after),
      ratio: all.after / all.before,
      reference: `${mebibytes(all.before)} before the changes`,
      goal: 'no growth',
    },
  ];
}

async function measurePages(databases: Databases, seconds: number): Promise<Line> {
  const { service, client, close } = await openDay(databases, 'pages', FULL_DAY);
  const people = await createUsers(service.url, client, PAGES / STREAMS_PER_USER);
  const tokens = people.flatMap((person) => Array.from({ length: STREAMS_PER_USER }, () => person));
  const followers = await startFollowers(service.url, PATH, tokens);
  const scan = (n: number) => failedScan(client, FIRST + n * 7);
  const first = await atRate(SCANS_PER_SECOND, WARM_UP_S, scan);
  const later = await atRate(SCANS_PER_SECOND, seconds, (n) => scan(first.length + n));
  const arrivals = await settled(followers, 'PackageScanned', [...first, ...later], PAGES);
  await followers.stop();
  await close();
  const lags = later.map((made, n) => arrivals[first.length + n]!.last - made.sent);
  return {
    name: `Time from a failed scan until the last of ${PAGES} open boards of ${count(FULL_DAY.orders)} orders receives it, ${SCANS_PER_SECOND} scans/s, p95`,
    value: ms(quantile(lags, 0.95)),
    goal: '1,000 ms',
  };
}

/** Starts a service with a day of orders and a client of its office. */
async function openDay(databases: Databases, name: string, size: { readonly orders: number; readonly routes: number }) {
  const databaseUrl = await databases.fresh(name);
  const demo = await seed(databaseUrl);
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  await preloadDay(db, demo, { ...size, date: today() });
  await passOver(db);
  const service = await startService(databaseUrl, {}, GC_FLAGS);
  await waitUntilIdle(databaseUrl);
  // Same state of the tables as after autovacuum in a service that has run for a while.
  await db.query('vacuum analyze');
  await db.end();
  const token = await signIn(service.url, demo);
  const client = createClient(service.url, 32, token);
  return {
    service,
    client,
    token,
    async close() {
      client.close();
      await service.stop();
    },
  };
}

/** Sends changes at a steady rate without waiting for responses; returns them in sending order. */
async function atRate(
  aSecond: number,
  seconds: number,
  change: (n: number) => Promise<TimedChange>,
): Promise<TimedChange[]> {
  const running: Promise<TimedChange>[] = [];
  for (const began = performance.now(); running.length < aSecond * seconds;) {
    running.push(change(running.length));
    await sleep(Math.max(0, began + (running.length * 1_000) / aSecond - performance.now()));
  }
  return Promise.all(running);
}

async function send(client: Client, method: string, path: string, order: number, body: object): Promise<TimedChange> {
  const sent = clock();
  const answer = await client.send(method, `/api/v1${path}`, { body: Buffer.from(JSON.stringify(body)) });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
  return { order, sent, answered: clock() };
}

const changeNote = (client: Client, order: number, n: number): Promise<TimedChange> =>
  send(client, 'PATCH', `/orders/${order}`, order, { note: `Note ${n}` });

const failedScan = (client: Client, order: number): Promise<TimedChange> =>
  send(client, 'POST', '/scans', order, {
    tracking_number: `BENCH${order}`,
    status_code: 'delivery_failed',
    occurred_at: new Date().toISOString(),
  });

/** Returns when each change had arrived at all followers, in the order of the changes. */
async function settled(
  followers: Followers,
  type: string,
  changes: readonly TimedChange[],
  many: number,
): Promise<readonly Arrival[]> {
  for (const until = clock() + MAX_DELAY_MS; ;) {
    const came = (await followers.arrivals()).filter((arrival) => arrival.type === type && arrival.count === many);
    const byOrder = new Map<number, Arrival[]>();
    for (const arrival of came) byOrder.set(arrival.order_id, [...(byOrder.get(arrival.order_id) ?? []), arrival]);
    if (came.length === changes.length) return changes.map(({ order }) => byOrder.get(order)!.shift()!);
    if (clock() > until)
      throw new Error(`${came.length} of ${changes.length} changes came to all of ${many} followers.`);
    await sleep(100);
  }
}

/**
 * Returns the bytes of live objects in the service's heap. This is the minimum of several measurements, because each
 * includes up to 200 MiB of garbage that was created after the collection.
 */
async function heap(service: Process, client: Client): Promise<number> {
  let lowest = Infinity;
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    process.kill(service.pid, 'SIGUSR2');
    await sleep(POLL_MS);
    const { body } = await client.send('GET', '/metrics');
    lowest = Math.min(lowest, Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(body.toString())![1]));
  }
  return lowest;
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
