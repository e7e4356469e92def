/**
 * High volume with faults: pushes through a provider's topic, and the relay. Each process is killed halfway. Throws if
 * an event is lost, duplicated in the log, or out of order.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { STREAMS } from '../src/areas/index.js';
import { topicOf } from '../src/relay/topics.js';
import { seed, startProcess } from '../test/support/processes/kafka-service.js';
import { fillTopic, readReplies, total, type IngestVolume } from './kafka.js';

export interface VolumeReport {
  readonly accepted: number;
  /** Replies that were sent twice, before and after the kill. */
  readonly duplicateReplies: number;
  readonly relayed: number;
  /** Messages that were sent twice, before and after the kill. */
  readonly duplicateMessages: number;
}

export async function checkVolume(databaseUrl: string, volume: IngestVolume): Promise<VolumeReport> {
  const env = { KAFKA_BROKERS: volume.brokers.join(), KAFKA_TOPIC_PREFIX: volume.prefix };
  await seed(databaseUrl);
  const seeded = scansIn(await logOf(databaseUrl));
  await fillTopic(volume);
  const messages = volume.events / volume.perMessage;

  const ingest = { databaseUrl, env: { ...env, ROLES: 'api,projector' } };
  const first = await startProcess(ingest);
  // Killed at once, before the reader disconnects.
  await readReplies(volume, ({ accepted }) => accepted.size > messages * 0.3 && first.child.kill('SIGKILL'));
  const before = await logOf(databaseUrl);
  assertThat(before.size < volume.events, 'everything was taken in before the kill');
  const second = await startProcess(ingest);
  const answers = await readReplies(volume, ({ accepted }) => accepted.size === messages);
  await second.end('SIGTERM');
  assertThat(
    total(answers) === volume.events && answers.rejected === 0,
    `${total(answers)} of ${volume.events} accepted, ${answers.rejected} rejected`,
  );

  const stored = await logOf(databaseUrl);
  const scans = scansIn(stored) - seeded;
  assertThat(scans === volume.events, `${scans} scans in the log`);

  const relay = { databaseUrl, env: { ...env, ROLES: 'relay' } };
  const third = await startProcess(relay);
  while ((await metric(third.url, 'relay_events_total')) < stored.size * 0.3) await sleep(10);
  await third.end('SIGKILL');
  const fourth = await startProcess(relay);
  const seen = await readEvents(volume, stored.size);
  await fourth.end('SIGTERM');
  const known = new Set<string>();
  const next = new Map<string, number>();
  for (const { id, subject, revision } of seen) {
    if (known.has(id)) continue;
    known.add(id);
    assertThat(
      revision === (next.get(subject) ?? 0),
      `${subject}: revision ${revision} came after ${next.get(subject)}`,
    );
    next.set(subject, revision + 1);
  }
  for (const id of stored.keys()) assertThat(known.has(id), `${id} was not relayed`);
  return {
    accepted: total(answers),
    duplicateReplies: answers.messages - messages,
    relayed: known.size,
    duplicateMessages: seen.length - known.size,
  };
}

const scansIn = (log: Awaited<ReturnType<typeof logOf>>): number =>
  [...log.values()].filter(({ type }) => type === 'TrackingEventRecorded').length;

function assertThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

async function logOf(databaseUrl: string): Promise<Map<string, { readonly type: string }>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string; type: string }>('select id, type from log.events');
  await client.end();
  return new Map(rows.map((row) => [row.id, row]));
}

async function metric(url: string, name: string): Promise<number> {
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
}

interface Envelope {
  readonly id: string;
  readonly subject: string;
  readonly revision: number;
}

async function readEvents({ brokers, prefix }: IngestVolume, count: number): Promise<Envelope[]> {
  const seen: Envelope[] = [];
  const ids = new Set<string>();
  const consumer = new Kafka({ brokers: [...brokers], clientId: 'check', logLevel: logLevel.NOTHING }).consumer({
    groupId: randomUUID(),
  });
  await consumer.connect();
  await consumer.subscribe({ topics: STREAMS.map((area) => topicOf(prefix, area)), fromBeginning: true });
  await new Promise<void>(
    (resolve) =>
      void consumer.run({
        eachBatch: ({ batch }) => {
          for (const { value } of batch.messages) {
            const { id, subject, revision } = JSON.parse(value!.toString()) as Envelope;
            seen.push({ id, subject, revision });
            ids.add(id);
          }
          if (ids.size === count) resolve();
          return Promise.resolve();
        },
      }),
  );
  await consumer.disconnect();
  return seen;
}
