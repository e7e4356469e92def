/** Sends messages: one request at a time, acknowledged by all in-sync replicas. */
import { Partitioners, type Kafka, type Producer, type TopicMessages } from 'kafkajs';
import { BrokerUnavailable, type Message } from '../../events/core/broker.js';

/**
 * In a request, the messages of one partition form one record batch. The broker accepts it up to its
 * `max.message.bytes` (1,048,588 by default). The sum over all partitions is kept below that. A single longer message
 * is sent alone.
 */
const REQUEST_BYTES = 900_000;

export type Sender = ReturnType<typeof createSender>;

export function createSender(kafka: Kafka) {
  /**
   * The client must not retry. After a change of leaders, it applies an earlier response of a broker to partitions that
   * have moved there since. Their messages are then lost. The caller sends the whole batch again instead.
   */
  const producer: Producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
    retry: { retries: 0 },
  });
  let connected: Promise<void> | undefined;

  return {
    async send(messages: readonly Message[]): Promise<void> {
      try {
        connected ??= producer.connect().catch((error: unknown) => {
          connected = undefined;
          throw error;
        });
        await connected;
        for (const topicMessages of requests(messages)) await producer.sendBatch({ acks: -1, topicMessages });
      } catch (error) {
        throw new BrokerUnavailable(`Kafka did not accept the messages: ${(error as Error).message}`, { cause: error });
      }
    },
    close: (): Promise<void> => producer.disconnect(),
  };
}

function* requests(messages: readonly Message[]): Iterable<TopicMessages[]> {
  let topics = new Map<string, TopicMessages>();
  let bytes = 0;
  for (const { topic, ...message } of messages) {
    const size = sizeOf(message);
    if (bytes > 0 && bytes + size > REQUEST_BYTES) {
      yield [...topics.values()];
      topics = new Map();
      bytes = 0;
    }
    const known = topics.get(topic) ?? { topic, messages: [] };
    topics.set(topic, known);
    known.messages.push(message as TopicMessages['messages'][number]);
    bytes += size;
  }
  if (topics.size > 0) yield [...topics.values()];
}

/** An upper bound: three bytes for each UTF-16 unit, plus room for lengths and deltas. */
function sizeOf({ key, value, headers }: Omit<Message, 'topic'>): number {
  const length = (part: unknown): number =>
    part === null || part === undefined
      ? 0
      : Buffer.isBuffer(part)
        ? part.length
        : Array.isArray(part)
          ? part.reduce<number>((sum, each) => sum + length(each), 0)
          : Buffer.byteLength(part as string);
  return Object.entries(headers).reduce(
    (sum, [name, each]) => sum + name.length + length(each) + 10,
    70 + length(key) + length(value),
  );
}
