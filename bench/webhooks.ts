/**
 * The webhook collector alone, over an existing log. Compares all kinds with the first five over events that both
 * report; then measures a log in which every kind is reported.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Pool } from 'pg';
import { EVENT_TYPES } from '../src/areas/index.js';
import { createPostgresLog } from '../src/engines/postgres-log/log.js';
import { createPool } from '../src/engines/postgres/pool.js';
import { WebhookQueue } from '../src/engines/postgres/webhook-queue.js';
import type { EventLog } from '../src/events/core/log.js';
import { leaseHolder } from '../src/events/core/time-limits.js';
import { DEFAULT_FLAGS, WEBHOOK_KINDS, type WebhookKind } from '../src/events/webhooks/events.js';
import { Progress } from '../src/projections/core/progress.js';
import type { Subscriber } from '../src/projections/webhooks/queries.js';
import { createBodies } from '../src/webhooks/bodies.js';
import { startCollector } from '../src/webhooks/collector.js';
import { KINDS } from '../src/webhooks/kinds.js';
import { median, seconds, type Databases } from './support.js';
import { count, type Line } from './table.js';

const FIRST_FIVE = WEBHOOK_KINDS.slice(0, 5);
/**
 * Kinds in the log that both sides read. `proposal_decided` is excluded, because a later kind reports the first event
 * of a proposal.
 */
const COMMON_KINDS = FIRST_FIVE.filter((kind) => kind !== 'proposal_decided');
const BUSINESS = 1;
const LONG_AGO = '2026-01-01T00:00:00.000Z';

/** One endpoint receives all kinds. */
const SUBSCRIBERS: ReadonlyMap<number, Subscriber> = new Map([
  [
    BUSINESS,
    {
      endpoints: { default: { id: randomUUID(), data: {}, on: true, on_since: LONG_AGO, set_at: LONG_AGO } },
      types: { '*': LONG_AGO },
      flags: DEFAULT_FLAGS,
    },
  ],
]);

export async function measureWebhooks(
  databases: Databases,
  { rounds, preloaded }: { readonly rounds: number; readonly preloaded: number },
): Promise<Line[]> {
  const events = preloaded / 10;
  const [same, every] = [
    await openLog(databases, 'same', COMMON_KINDS),
    await openLog(databases, 'every', WEBHOOK_KINDS),
  ];
  for (const { fill } of [same, every]) await fill(events);
  const figures = { five: [] as number[], all: [] as number[], every: [] as number[] };
  // The first round is a warm-up.
  for (let round = -1; round < rounds; round++) {
    const five = await same.collect(FIRST_FIVE);
    const all = await same.collect(WEBHOOK_KINDS);
    if (five.told !== all.told) throw new Error(`${five.told} webhooks of five kinds, ${all.told} of all.`);
    const everyKind = await every.collect(WEBHOOK_KINDS);
    if (round < 0) continue;
    figures.five.push(five.each);
    figures.all.push(all.each);
    figures.every.push(everyKind.each);
  }
  await Promise.all([same.close(), every.close()]);
  const [five, all, mixed] = [median(figures.five), median(figures.all), median(figures.every)];
  return [
    {
      name: `Webhooks: time to collect an event from ${count(events)} events of orders and parcels, ${WEBHOOK_KINDS.length} kinds`,
      value: micros(all),
      ratio: all / five,
      reference: `${micros(five)} with the first five kinds`,
      goal: 'at most 1.2',
    },
    {
      name: `Webhooks: time to collect an event from ${count(events)} events of all kinds`,
      value: micros(mixed),
      ratio: mixed / five,
      reference: 'the first five kinds',
    },
  ];
}

const micros = (value: number): string => `${(value * 1e6).toFixed(1)} µs an event`;

/** Creates a separate log that collectors can read from the beginning repeatedly. */
async function openLog(databases: Databases, name: string, kinds: readonly WebhookKind[]) {
  const pool = createPool(await databases.fresh(`webhooks_${name}`), {
    name: 'bench',
    statementTimeout: 0,
    lazyCommit: true,
  });
  const log = createPostgresLog(pool);
  let events = 0;
  return {
    async fill(wanted: number) {
      const rows = rowsOf(kinds, wanted);
      events = rows.length;
      for (let from = 0; from < rows.length; from += 10_000) await insert(pool, rows.slice(from, from + 10_000));
      await pool.query('vacuum analyze log.events');
    },
    /** Returns the seconds per event, and the number of resulting webhooks. */
    async collect(by: readonly WebhookKind[]) {
      await pool.query("delete from projections.checkpoints where name = 'webhooks'");
      await pool.query('truncate webhooks.deliveries cascade');
      const took = await seconds(() => collectAll(pool, log, by));
      const { rows } = await pool.query<{ told: number }>('select count(*)::int as told from webhooks.deliveries');
      return { each: took / events, told: rows[0]!.told };
    },
    async close() {
      await log.close();
      await pool.end();
    },
  };
}

/** Collects from the beginning to the end of the log. */
async function collectAll(pool: Pool, log: EventLog, kinds: readonly WebhookKind[]): Promise<void> {
  const progress = new Progress(pool, log);
  // The wait for settings is not measured, so they always count as up to date.
  progress.waitFor = () => Promise.resolve(true);
  const ended = new EventTarget();
  progress.onBatch((_name, { caughtUp }) => caughtUp && ended.dispatchEvent(new Event('ended')));
  const queue = new WebhookQueue({ pool, lazyPool: pool, vault: undefined as never });
  const collector = startCollector({
    log,
    pool,
    owner: leaseHolder(randomUUID()),
    progress,
    queries: { subscribers: () => Promise.resolve(SUBSCRIBERS) },
    bodies: createBodies({ log, types: EVENT_TYPES, keyRing: undefined as never }),
    add: (db, deliveries) => queue.add(db, deliveries),
    most: 6,
    now: Date.now,
    onCollected: () => undefined,
    kinds: Object.fromEntries(kinds.map((kind) => [kind, KINDS[kind]])),
    onError: (error) => console.error(error),
  });
  await once(ended, 'ended');
  await collector.stop();
}

type Row = readonly [stream: string, revision: number, type: string, version: number, data: string];

/** Returns streams with the example events of these kinds, in alternation. */
function rowsOf(kinds: readonly WebhookKind[], wanted: number): Row[] {
  const rows: Row[] = [];
  for (let n = 0; rows.length < wanted; n++) {
    const { prefix, example, businesses } = KINDS[kinds[n % kinds.length]!];
    const stream = `${prefix}${randomUUID()}`;
    [example.first, ...(example.trigger ? [example.trigger] : [])].forEach(([type, data], revision) => {
      const whose = {
        ...('business' in data && { business: BUSINESS }),
        ...('business_id' in data && { business_id: BUSINESS }),
        ...('owner' in data && { owner: { kind: 'business', id: String(BUSINESS) } }),
        ...(businesses && { concerns: [BUSINESS] }),
      };
      rows.push([stream, revision, type, EVENT_TYPES.get(type)!.version, JSON.stringify({ ...data, ...whose })]);
    });
  }
  return rows;
}

async function insert(pool: Pool, rows: readonly Row[]): Promise<void> {
  const metadata = JSON.stringify({ recorded_at: new Date().toISOString(), business: String(BUSINESS) });
  await pool.query(
    `insert into log.events (stream, revision, id, type, version, data, metadata)
     select stream, revision, gen_random_uuid(), type, version, data, $6::json
       from unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::json[]) with ordinality as n (stream, revision, type, version, data, place)
      order by place`,
    [0, 1, 2, 3, 4].map((column) => rows.map((row) => row[column])).concat([metadata as never]),
  );
}
