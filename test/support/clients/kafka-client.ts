/** A plain Kafka client next to the service: reads all messages of some topics, and sends messages. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel, Partitioners, type Consumer, type KafkaMessage, type Message } from 'kafkajs';
import { eventually } from '../eventually.js';

export interface ReceivedMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string | undefined;
  readonly text: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface TopicReader {
  /** In order within each partition. */
  readonly messages: readonly ReceivedMessage[];
  /** Waits until `enough` returns true; otherwise throws an error with the messages so far. */
  until(enough: (messages: readonly ReceivedMessage[]) => boolean): Promise<readonly ReceivedMessage[]>;
}

export class TestClient {
  readonly kafka: Kafka;
  readonly #open: (() => Promise<void>)[] = [];

  constructor(brokers: readonly string[]) {
    this.kafka = new Kafka({
      brokers: [...brokers],
      clientId: 'test',
      logLevel: logLevel.NOTHING,
      retry: { retries: 20, maxRetryTime: 1_000 },
    });
  }

  async createTopics(names: readonly string[], numPartitions = 4): Promise<void> {
    const admin = this.kafka.admin();
    await admin.connect();
    await admin.createTopics({ topics: names.map((topic) => ({ topic, numPartitions })) });
    // Waits until every leader responds. Otherwise the client repeats a request if one partition was not ready, and the
    // other partitions get duplicates.
    for (const topic of names) while (!(await admin.fetchTopicOffsets(topic).catch(() => undefined))) await sleep(20);
    await admin.disconnect();
  }

  async send(topic: string, messages: Message[]): Promise<void> {
    const producer = this.kafka.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: false,
    });
    await producer.connect();
    await producer.send({ topic, messages, acks: -1 });
    await producer.disconnect();
  }

  /** Reads topics from their beginning, and continues after an outage of the broker. */
  async read(topics: readonly string[]): Promise<TopicReader> {
    const messages: ReceivedMessage[] = [];
    const consumer: Consumer = this.kafka.consumer({ groupId: randomUUID(), maxWaitTimeInMs: 100 });
    this.#open.push(() => consumer.disconnect());
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      eachBatch: ({ batch }) => {
        for (const message of batch.messages) messages.push(toReceivedMessage(batch.topic, batch.partition, message));
        return Promise.resolve();
      },
    });
    return {
      messages,
      async until(enough) {
        const seen = () => `${messages.length} messages, the last ${JSON.stringify(messages.slice(-3))}`;
        await eventually(() => enough(messages), seen);
        return messages;
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((close) => close()));
  }
}

function toReceivedMessage(
  topic: string,
  partition: number,
  { key, value, headers, offset }: KafkaMessage,
): ReceivedMessage {
  return {
    topic,
    partition,
    offset,
    key: key?.toString(),
    text: value?.toString(),
    headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, each]) => [name, String(each)])),
  };
}
