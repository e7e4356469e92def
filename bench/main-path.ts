/**
 * The main data path: (a) ingest, (b) reads, (c) rebuild, (d) lag, (e) all of it again with a used log. Figures are
 * medians of interleaved rounds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { push } from './documents.js';
import { createClient } from './http.js';
import { measureIngest, measureRaw, readUntilVisible, sampleRows, type RawRow } from './ingest.js';
import { measureLag } from './lag.js';
import { preload } from './preload.js';
import { measureReads, startBare } from './reading.js';
import { measureCatchUp, measureRebuild } from './rebuild.js';
import { median, seconds, startService, waitUntilIdle, type Databases, type Process } from './support.js';
import { count, ms, type Line } from './table.js';

/**
 * Pause for disk writes: forty thousand rows leave more than a hundred megabytes in the kernel's buffers, and their
 * flush must not affect the next measurement.
 */
const DISK_MS = 2_000;
const LAG = 'time from the acknowledgement until the event is visible';

export interface MainPathOptions {
  readonly rounds: number;
  /** Requests of 100 events in one measurement of ingest. */
  readonly requests: number;
  /** Seconds of one measurement of reads; a measurement of lag takes twice as long. */
  readonly duration: number;
  /** Events that the used log contains beforehand. */
  readonly preloaded: number;
}

export interface Subject {
  readonly service: Process;
  readonly databaseUrl: string;
  readonly key: string;
  readonly paths: readonly string[];
}

export async function measureMainPath(
  databases: Databases,
  { rounds, requests, duration, preloaded }: MainPathOptions,
): Promise<Line[]> {
  const fresh = await openSubject(databases, 'fresh');
  const sample = await warmUp(fresh);
  const used = await openSubject(databases, 'used', { events: preloaded, sample });
  await warmUp(used);
  const raw = await databases.fresh('raw');
  const replayed = await openSubject(databases, 'replayed');
  // Long enough that start and switch, which take a tenth of a second, do not dominate.
  await measureIngest(replayed.service.url, replayed.key, 2.5 * requests);
  await waitUntilIdle(replayed.databaseUrl);
  await replayed.service.stop();
  const body = await firstBody(fresh);
  const [bareExpress, bareHttp] = [await startBare('express', body), await startBare('http', body)];

  const figures: Record<string, number[]> = {};
  const note = (name: string, value: number): number => ((figures[name] ??= []).push(value), value);
  /** Waits until every read model is up to date and most data is on the disk. */
  const atRest = async () => {
    await Promise.all([fresh, used].map(({ databaseUrl }) => waitUntilIdle(databaseUrl)));
    await sleep(DISK_MS);
  };
  // At a quarter of the rate, and twice as long as the other measurements, because a p99 depends on a few of a hundred
  // pushes.
  const lagOf = ({ service, key }: Subject, bringing: boolean) =>
    measureLag(service.url, key, median(figures['visible fresh']!) / 4, 2 * duration, bringing);
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
    await atRest();
    note('raw', await measureRaw(raw, sample, requests));
    for (const [name, subject] of [
      ['fresh', fresh],
      ['used', used],
    ] as const) {
      await atRest();
      const settled = await seconds(async () => {
        const { accepted, visible } = await measureIngest(subject.service.url, subject.key, requests);
        note(`accepted ${name}`, accepted);
        note(`visible ${name}`, visible);
        await waitUntilIdle(subject.databaseUrl);
      });
      note(`settled ${name}`, (requests * 100) / settled);
    }
    await atRest();
    const express = await measureReads(bareExpress.url, fresh.paths, duration);
    note('express', express.rate);
    note('express p99', express.p99);
    note('http', (await measureReads(bareHttp.url, fresh.paths, duration)).rate);
    for (const [name, subject] of [
      ['fresh', fresh],
      ['used', used],
    ] as const) {
      const reads = await measureReads(subject.service.url, subject.paths, duration);
      note(`reads ${name}`, reads.rate);
      note(`reads p99 ${name}`, reads.p99);
    }
    note('catch-up', await measureCatchUp(replayed.databaseUrl));
    note('rebuild', (await measureRebuild(replayed.databaseUrl)).rate);
    for (const [name, subject] of [
      ['fresh', fresh],
      ['used', used],
    ] as const) {
      const lag = await lagOf(subject, true);
      note(`lag p50 ${name}`, lag.p50);
      note(`lag p99 ${name}`, lag.p99);
      await atRest();
    }
    const unknowing = await lagOf(fresh, false);
    note('unknowing lag p50', unknowing.p50);
    note('unknowing lag p99', unknowing.p99);
  }
  await Promise.all([fresh.service.stop(), used.service.stop(), bareExpress.stop(), bareHttp.stop()]);

  const preload = `${count(preloaded)} events in the log`;
  const of = (name: string): number => median(figures[name]!);
  const rate = (label: string, name: string, base: string, to: string, reach: string): Line => ({
    name: label,
    value: `${count(of(name))}/s`,
    ratio: of(name) / of(base),
    reference: `${count(of(base))}/s ${to}`,
    goal: reach,
  });
  return [
    rate('a. ingest accepted (events)', 'accepted fresh', 'raw', 'bare inserts', '0.5'),
    rate('a. ingest visible (events)', 'visible fresh', 'raw', 'bare inserts', '0.35'),
    {
      name: 'a. ingest in every read model (for information)',
      value: `${count(of('settled fresh'))}/s`,
      ratio: of('settled fresh') / of('raw'),
      reference: `${count(of('raw'))}/s bare inserts`,
    },
    rate('b. timeline reads (requests)', 'reads fresh', 'express', 'bare Express', '0.6'),
    {
      name: 'b. timeline read, p99',
      value: ms(of('reads p99 fresh')),
      ratio: of('reads p99 fresh') / of('express p99'),
      reference: `${ms(of('express p99'))} bare Express`,
    },
    {
      name: 'b. timeline reads (for information)',
      value: `${count(of('reads fresh'))}/s`,
      ratio: of('reads fresh') / of('http'),
      reference: `${count(of('http'))}/s bare node:http`,
    },
    rate('c. rebuild (events)', 'rebuild', 'catch-up', 'bare catch-up read', '0.5'),
    { name: `d. ${LAG}, reads send its position, p50`, value: ms(of('lag p50 fresh')) },
    { name: `d. ${LAG}, reads send its position, p99`, value: ms(of('lag p99 fresh')), goal: '100 ms' },
    { name: `d. ${LAG}, reads send no position, p50`, value: ms(of('unknowing lag p50')) },
    { name: `d. ${LAG}, reads send no position, p99`, value: ms(of('unknowing lag p99')), goal: '100 ms' },
    rate(`e. ingest accepted with ${preload}`, 'accepted used', 'accepted fresh', 'empty log', '0.8'),
    rate(`e. ingest visible with ${preload}`, 'visible used', 'visible fresh', 'empty log', '0.8'),
    rate(`e. timeline reads with ${preload}`, 'reads used', 'reads fresh', 'empty log', '0.8'),
    {
      name: `e. ${LAG}, ${preload}, p99`,
      value: ms(of('lag p99 used')),
      ratio: of('lag p99 used') / of('lag p99 fresh'),
      reference: `${ms(of('lag p99 fresh'))} empty log`,
      goal: 'at most 1.25',
    },
  ];
}

export async function openSubject(
  databases: Databases,
  name: string,
  before?: { events: number; sample: readonly RawRow[] },
): Promise<Subject> {
  const databaseUrl = await databases.fresh(name);
  if (before) await preload(databaseUrl, before.events, before.sample);
  const service = await startService(databaseUrl);
  const key = await addProvider(databaseUrl);
  const client = createClient(service.url, 4, key);
  const numbers: string[] = [];
  let position = '';
  for (let index = 0; index < 10; index++) {
    const { body, numbers: pushed } = push();
    position = (await client.send('POST', '/api/v1/otep/ingest', { body })).headers['x-event-position'] as string;
    numbers.push(...pushed);
  }
  // The read model processes a million events first.
  await readUntilVisible(client, numbers.at(-1)!, position);
  client.close();
  if (before) await tidy(databaseUrl);
  return { service, databaseUrl, key, paths: numbers.map((number) => `/api/v1/otep/trackings/${number}`) };
}

/**
 * Does the work of autovacuum in advance. In production it is spread over time, but here it would run during the
 * measurements.
 */
async function tidy(databaseUrl: string): Promise<void> {
  await waitUntilIdle(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('vacuum (freeze, analyze)');
  await client.end();
}

/** Warms the service up (compiled code, caches) and returns rows as it stores them. */
export async function warmUp({ service, databaseUrl, key, paths }: Subject): Promise<readonly RawRow[]> {
  await measureIngest(service.url, key, 200);
  await measureReads(service.url, paths, 2);
  return sampleRows(databaseUrl);
}

export async function firstBody({ service, paths }: Subject): Promise<string> {
  const client = createClient(service.url, 1);
  const { body } = await client.send('GET', paths[0]!);
  client.close();
  return body.toString();
}

/** Inserts a provider that may open trackings directly into the tables, because this step is not measured. */
export async function addProvider(databaseUrl: string): Promise<string> {
  const key = `otp_${randomBytes(32).toString('base64url')}`;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("insert into access.provider_keys (id, provider, hash) values ($1, 'demo-carrier', $2)", [
    randomUUID(),
    createHash('sha256').update(key).digest(),
  ]);
  await client.query(
    "insert into providers.providers (id, name, kind, may_open, mapping, revision) values ('demo-carrier', 'Demo Carrier', 'carrier', true, '[]', 0)",
  );
  await client.end();
  return key;
}
