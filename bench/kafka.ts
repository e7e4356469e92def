/**
 * (k) Kafka: the relay against the client library that sends the same prepared batches, and ingest through a provider's
 * topic.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import type pg from 'pg';
import { seed } from '../test/support/processes/kafka-service.js';
import { ingestTopics } from '../src/api/kafka/topics.js';
import { STREAMS } from '../src/areas/index.js';
import { createKafkaBroker } from '../src/engines/kafka/broker.js';
import { createPostgresLog } from '../src/engines/postgres-log/log.js';
import { createPool } from '../src/engines/postgres/pool.js';
import type { Message } from '../src/events/core/broker.js';
import { START, type EventLog } from '../src/events/core/log.js';
import { leaseHolder } from '../src/events/core/time-limits.js';
import { checkpoints } from '../src/projections/core/checkpoints.js';
import { toCloudEvent } from '../src/relay/cloud-event.js';
import { RELAY, startRelay } from '../src/relay/relay.js';
import { createRouter, relayTopics } from '../src/relay/topics.js';
import { nextNumber, timelineOf } from './documents.js';
import { median, seconds, startService } from './support.js';

export const PROVIDER = 'demo-carrier';
const PARTITIONS = 8;
const BATCH = 1_000;
const ROUNDS = 3;

export interface IngestVolume {
  readonly brokers: readonly string[];
  readonly prefix: string;
  readonly events: number;
  /** Events of one message, which is one parcel's timeline. */
  readonly perMessage: number;
}

const clientOf = (brokers: readonly string[]): Kafka =>
  new Kafka({ brokers: [...brokers], clientId: 'bench', logLevel: logLevel.NOTHING });

/** Fills a provider's topic before any consumer reads it. */
export async function fillTopic({ brokers, prefix, events, perMessage }: IngestVolume): Promise<void> {
  const kafka = clientOf(brokers);
  const topics = ingestTopics(prefix, PROVIDER);
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: Object.values(topics).map((topic) => ({ topic, numPartitions: PARTITIONS })) });
  await admin.disconnect();
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  for (let sent = 0; sent < events / perMessage; sent += 200) {
    const messages = Array.from({ length: Math.min(200, events / perMessage - sent) }, () => {
      const number = nextNumber();
      return { key: number, value: JSON.stringify(timelineOf(number, perMessage)) };
    });
    await producer.send({ topic: topics.pushes, messages, acks: -1 });
  }
  await producer.disconnect();
}

export interface Replies {
  messages: number;
  readonly accepted: Map<string, number>;
  rejected: number;
}

/**
 * Reads replies until `enough` returns true. The events of a key count once, even if its push was answered several
 * times.
 */
export async function readReplies(
  { brokers, prefix }: Pick<IngestVolume, 'brokers' | 'prefix'>,
  enough: (answers: Replies) => boolean,
): Promise<Replies> {
  const answers: Replies = { messages: 0, accepted: new Map(), rejected: 0 };
  const consumer = clientOf(brokers).consumer({ groupId: randomUUID(), maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topics: [ingestTopics(prefix, PROVIDER).replies], fromBeginning: true });
  await new Promise<void>(
    (resolve) =>
      void consumer.run({
        eachBatch: ({ batch }) => {
          for (const { key, value } of batch.messages) {
            const { accepted, duplicates, rejected } = JSON.parse(value!.toString()) as {
              accepted: number;
              duplicates: number;
              rejected: number;
            };
            answers.messages++;
            answers.accepted.set(key!.toString(), accepted + duplicates);
            answers.rejected += rejected;
          }
          if (enough(answers)) resolve();
          return Promise.resolve();
        },
      }),
  );
  await consumer.disconnect();
  return answers;
}

export const total = ({ accepted }: Replies): number => [...accepted.values()].reduce((sum, events) => sum + events, 0);

/**
 * Returns events per second from the start of reading to the last reply, in one process that also updates the read
 * models.
 */
export async function measureIngest(databaseUrl: string, volume: IngestVolume): Promise<number> {
  await seed(databaseUrl);
  await fillTopic(volume);
  const service = await startService(databaseUrl, {
    KAFKA_BROKERS: volume.brokers.join(),
    KAFKA_TOPIC_PREFIX: volume.prefix,
    ROLES: 'api,projector',
  });
  const taken = await seconds(() =>
    readReplies(volume, (answers) => answers.messages >= volume.events / volume.perMessage),
  );
  await service.stop();
  return volume.events / taken;
}

export interface RelayFigures {
  readonly events: number;
  /** Events per second. */
  readonly relay: number;
  readonly bare: number;
  readonly ratio: number;
}

/**
 * Measures both over all events of the log, alternating. `bare`: the messages are prepared, and the client library only
 * sends them.
 */
export async function measureRelay(databaseUrl: string, brokers: readonly string[]): Promise<RelayFigures> {
  const pool = createPool(databaseUrl, { name: 'bench', max: 8 });
  const log = createPostgresLog(pool);
  const head = await log.head();
  const relay: number[] = [];
  const bare: number[] = [];
  let events = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { prefix, toMessage } = await freshTopics(brokers);
    const batches = await prepare(log, head, toMessage);
    events = batches.reduce((sum, batch) => sum + batch.length, 0);
    bare.push(events / (await sendBare(brokers, batches)));
    relay.push(events / (await runRelay(brokers, prefix, log, pool, head, toMessage)));
  }
  await log.close();
  await pool.end();
  return {
    events,
    relay: median(relay),
    bare: median(bare),
    ratio: median(relay.map((each, round) => each / bare[round]!)),
  };
}

async function freshTopics(brokers: readonly string[]) {
  const prefix = `b${randomUUID()}`;
  const admin = clientOf(brokers).admin();
  await admin.connect();
  await admin.createTopics({
    topics: relayTopics(prefix, STREAMS).map(({ name }) => ({ topic: name, numPartitions: PARTITIONS })),
  });
  await admin.disconnect();
  const route = createRouter(prefix, STREAMS);
  return {
    prefix,
    toMessage: (event: Parameters<typeof toCloudEvent>[0]): Message =>
      toCloudEvent(event, { mode: 'structured', source: 'urn:otep:bench', topic: route(event.stream) }),
  };
}

async function prepare(
  log: EventLog,
  head: string,
  toMessage: (event: Parameters<typeof toCloudEvent>[0]) => Message,
): Promise<Message[][]> {
  const batches: Message[][] = [];
  const stop = new AbortController();
  for await (const batch of log.subscribe(START, { batch: BATCH, signal: stop.signal })) {
    if (batch.events.length > 0) batches.push(batch.events.map(toMessage));
    if (batch.position >= head) break;
  }
  stop.abort();
  return batches;
}

async function sendBare(brokers: readonly string[], batches: readonly Message[][]): Promise<number> {
  const producer = clientOf(brokers).producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
  });
  await producer.connect();
  const prepared = batches.map((messages) =>
    [...new Set(messages.map(({ topic }) => topic))].map((topic) => ({
      topic,
      messages: messages
        .filter((message) => message.topic === topic)
        .map(({ key, value, headers }) => ({ key: key as string, value, headers: headers as Record<string, string> })),
    })),
  );
  const took = await seconds(async () => {
    for (const topicMessages of prepared) await producer.sendBatch({ acks: -1, topicMessages });
  });
  await producer.disconnect();
  return took;
}

async function runRelay(
  brokers: readonly string[],
  prefix: string,
  log: EventLog,
  pool: pg.Pool,
  head: string,
  toMessage: (event: Parameters<typeof toCloudEvent>[0]) => Message,
): Promise<number> {
  await pool.query('delete from projections.checkpoints where name = $1', [RELAY.name]);
  const broker = createKafkaBroker({ brokers, clientId: 'bench', ssl: false, onLog: () => undefined });
  let relay: ReturnType<typeof startRelay> | undefined;
  const took = await seconds(async () => {
    relay = startRelay({
      log,
      pool,
      owner: leaseHolder(randomUUID()),
      prepare: () => broker.ensureTopics(relayTopics(prefix, STREAMS)),
      toMessage,
      send: (messages) => broker.send(messages),
      onRelayed: () => undefined,
      onError: (error) => {
        throw error;
      },
    });
    while ((await checkpoints(pool)).find(({ name }) => name === RELAY.name)?.position !== head) await sleep(10);
  });
  await relay!.stop();
  await broker.close();
  return took;
}
