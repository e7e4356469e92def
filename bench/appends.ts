/**
 * Appends to the engines of the log, each event to a new stream, by 1 to 256 concurrent callers. They are compared with
 * a plain insert function in the database, and with the batch call of EventStoreDB's client library alone. A catch-up
 * read of the appended events is compared with a bare subscription of that library.
 *
 * With EVENTSTORE_URL, EventStoreDB is that server, and the events stay there. Otherwise it is the protocol server of
 * the tests as a separate process. That server stores events in memory, so its figures measure only the client.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { connectEventStore } from '../src/engines/eventstore/log.js';
import { createPostgresLog } from '../src/engines/postgres-log/log.js';
import { createPool } from '../src/engines/postgres/pool.js';
import { START, type EventLog, type EncodedEvent } from '../src/events/core/log.js';
import { openLibrary, type Library } from './eventstore-library.js';
import { inParallel } from './http.js';
import { streamOf } from './streams.js';
import { median, quantile, seconds, startProcess, type Databases } from './support.js';
import { count, ms, type Line } from './table.js';

const CALLERS = [1, 8, 32, 256];
/** Number of callers with which the plain function is measured too. */
const COMPARED = 32;

export interface AppendsOptions {
  readonly rounds: number;
  /** Appends of one measurement with 32 callers; a single caller makes fewer. */
  readonly appends: number;
}

type Append = (event: EncodedEvent) => Promise<void>;

interface Figures {
  /** Appends per second. */
  readonly rate: number[];
  /** Milliseconds. */
  readonly p99: number[];
}

/** An event of the size that the service stores. */
export const sample = (): EncodedEvent => ({
  id: randomUUID(),
  type: 'TrackingEventRecorded',
  version: 1,
  json: JSON.stringify({
    occurred_at: '2026-10-01T00:00:00.000+00:00',
    status_code: 'arrival_scan',
    location: { name: 'Hub Hamburg', code: 'DEHAM', city: 'Hamburg', country: 'DE' },
    source: { type: 'carrier', provider: 'demo-carrier' },
    raw: { code: 'C1', text: 'Processed at the facility' },
  }),
  metadata: {
    $correlationId: randomUUID(),
    recorded_at: '2026-10-01T00:00:00.000Z',
    actor: { kind: 'provider', id: 'demo-carrier', channel: 'rest' },
  },
});

export async function measureAppends(databases: Databases, { rounds, appends }: AppendsOptions): Promise<Line[]> {
  const pool = createPool(await databases.fresh('appends'), { name: 'bench', max: 16 });
  const plainPool = createPool(await databases.fresh('plain'), { name: 'bench', max: COMPARED });
  const server =
    process.env['EVENTSTORE_URL'] === undefined ? await startProcess('dist/bench/eventstore-server.js') : undefined;
  const eventStoreUrl = server?.url ?? process.env['EVENTSTORE_URL']!;
  const library = openLibrary(eventStoreUrl);
  const engines = [
    { name: 'Postgres log', log: createPostgresLog(pool) },
    {
      name: server ? 'EventStoreDB log, protocol server' : 'EventStoreDB log',
      log: await connectEventStore(eventStoreUrl),
      library,
    },
  ];
  const plain = await plainAppend(plainPool);
  const figures = new Map<string, Figures>();
  const measure = async (name: string, callers: number, append: Append, keep: boolean): Promise<void> => {
    const { rate, p99 } = await run(
      append,
      callers,
      Math.max(Math.ceil((appends * Math.min(callers, COMPARED)) / COMPARED), 50),
    );
    if (!keep) return;
    const found = figures.get(`${name} ${callers}`) ?? { rate: [], p99: [] };
    found.rate.push(rate);
    found.p99.push(p99);
    figures.set(`${name} ${callers}`, found);
  };
  for (let round = -1; round < rounds; round++) {
    for (const callers of CALLERS) {
      for (const { name, log, library: peer } of engines) {
        await measure(name, callers, appendTo(log), round >= 0);
        if (peer) await measure(`${name}: library`, callers, (event) => peer.append(event), round >= 0);
      }
      if (callers === COMPARED) await measure('plain', callers, plain, round >= 0);
    }
  }
  const of = (name: string, callers: number) => ({
    rate: median(figures.get(`${name} ${callers}`)!.rate),
    p99: median(figures.get(`${name} ${callers}`)!.p99),
  });
  const bare = of('plain', COMPARED);
  const lines: Line[] = [];
  for (const { name, log, library: peer } of engines) {
    for (const callers of CALLERS) {
      const { rate, p99 } = of(name, callers);
      const line = {
        name: `Append, ${callers} ${callers === 1 ? 'caller' : 'callers'}, ${name}`,
        value: `${count(rate)}/s, p99 ${ms(p99)}`,
      };
      if (peer) {
        const alone = of(`${name}: library`, callers);
        lines.push({
          ...line,
          ratio: rate / alone.rate,
          reference: `${count(alone.rate)}/s, p99 ${ms(alone.p99)} the library's batch call`,
          ...(callers >= COMPARED && { goal: '0.9' }),
        });
      } else if (callers === COMPARED)
        lines.push({
          ...line,
          ratio: rate / bare.rate,
          reference: `${count(bare.rate)}/s, p99 ${ms(bare.p99)} plain function through pg`,
          goal: '0.6',
        });
      else lines.push(line);
    }
    lines.push({ name: `Catch-up read (events), ${name}`, ...(await measureReadingOn(log, rounds, peer)) });
    await log.close();
  }
  await Promise.all([pool.end(), plainPool.end(), library.close()]);
  await server?.stop();
  return lines;
}

export function appendTo(log: EventLog): Append {
  return async (event) => {
    const [outcome] = await log.append([{ stream: streamOf(event.id), events: [event], expected: 'no-stream' }]);
    if (outcome!.outcome !== 'appended') throw new Error('Nobody else writes this stream.');
  };
}

/** A minimal event store in a database, without code of this project: one function, one call per append. */
async function plainAppend(pool: pg.Pool): Promise<Append> {
  await pool.query(`create function log.plain_append(stream text, expected integer, id uuid, type text, data json, metadata json) returns bigint language sql as $$
    insert into log.events (stream, revision, id, type, version, data, metadata) values (stream, expected + 1, id, type, 1, data, metadata) returning position $$`);
  await Promise.all(Array.from({ length: COMPARED }, () => pool.query('select pg_sleep(0.01)')));
  return async ({ id, type, json, metadata }) =>
    void (await pool.query({
      name: 'plain',
      text: 'select log.plain_append($1, $2, $3, $4, $5, $6)',
      values: [streamOf(id), -1, id, type, json, JSON.stringify(metadata)],
    }));
}

async function run(append: Append, callers: number, appends: number): Promise<{ rate: number; p99: number }> {
  const events = Array.from({ length: appends }, sample);
  const times: number[] = [];
  const took = await seconds(() =>
    inParallel(events, callers, async (event) => void times.push(await seconds(() => append(event)))),
  );
  return { rate: appends / took, p99: quantile(times, 0.99) * 1_000 };
}

/** Reads the log from start to end like a projection, alternating with the library's bare subscription. */
async function measureReadingOn(log: EventLog, rounds: number, peer: Library | undefined): Promise<Omit<Line, 'name'>> {
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const { events, took } = await readOn(log);
    ours.push(events / took);
    if (peer) bare.push(await peer.catchUp(events));
  }
  const value = `${count(median(ours))}/s`;
  if (!peer) return { value };
  return {
    value,
    ratio: median(ours) / median(bare),
    reference: `${count(median(bare))}/s bare subscription`,
    goal: '0.9',
  };
}

async function readOn(log: EventLog): Promise<{ readonly events: number; readonly took: number }> {
  const head = await log.head();
  const stop = new AbortController();
  let events = 0;
  const took = await seconds(async () => {
    for await (const batch of log.subscribe(START, { batch: 1_000, signal: stop.signal })) {
      events += batch.events.length;
      if (batch.position >= head) break;
    }
  });
  stop.abort();
  return { events, took };
}
