/** Receives messages as a member of a consumer group: what was handled is committed, what was not comes again. */
import type { Batch, Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { BrokerUnavailable, type Delivery, type ReceiveOptions, type Received } from '../../events/broker.js';

/** Most messages of one delivery: what is repeated at worst after a crash. */
const DELIVERY = 500;
const SESSION_MS = 30_000;
const HEARTBEAT_MS = 3_000;

export async function receive(kafka: Kafka, { group, topics, handle, concurrency, signal }: ReceiveOptions): Promise<void> {
  // A crash ends this call, and whoever made it begins anew: the client's own restart would go on where nobody looks.
  const consumer = kafka.consumer({
    groupId: group, sessionTimeout: SESSION_MS, heartbeatInterval: HEARTBEAT_MS, maxWaitTimeInMs: 500, allowAutoTopicCreation: false,
    retry: { retries: 2, restartOnFailure: () => Promise.resolve(false) },
  });
  const over = ended(consumer, signal);
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({ eachBatchAutoResolve: false, partitionsConsumedConcurrently: concurrency, eachBatch: (payload) => eachBatch(payload, handle, signal) });
    await over;
  } catch (error) {
    throw new BrokerUnavailable(`Kafka does not deliver: ${(error as Error).message}`, { cause: error });
  } finally {
    await consumer.disconnect().catch(() => undefined);
  }
}

/** Resolves on abort, rejects when the consumer crashes. */
function ended(consumer: Consumer, signal: AbortSignal): Promise<void> {
  const over = new Promise<void>((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  over.catch(() => undefined); // told where it is awaited
  return over;
}

async function eachBatch({ batch, heartbeat, resolveOffset, commitOffsetsIfNecessary, isRunning, isStale }: EachBatchPayload, handle: ReceiveOptions['handle'], stopping: AbortSignal): Promise<void> {
  for (let from = 0; from < batch.messages.length; from += DELIVERY) {
    if (stopping.aborted || !isRunning() || isStale()) return;
    const part = batch.messages.slice(from, from + DELIVERY);
    try {
      await whileBeating(heartbeat, stopping, (signal) => handle(deliveryOf(batch, part), signal));
    } catch (error) {
      if (stopping.aborted) return;
      throw error;
    }
    resolveOffset(part.at(-1)!.offset);
    await commitOffsetsIfNecessary();
  }
}

/** The group hears of this member however long the work takes; once it takes the partition away, the work is told to end. */
async function whileBeating(heartbeat: () => Promise<void>, stopping: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const lost = new AbortController();
  const timer = setInterval(() => void heartbeat().catch((error: unknown) => lost.abort(error)), HEARTBEAT_MS);
  try {
    await work(AbortSignal.any([stopping, lost.signal]));
  } catch (error) {
    throw lost.signal.aborted ? lost.signal.reason : error;
  } finally {
    clearInterval(timer);
  }
}

function deliveryOf({ topic, partition, highWatermark }: Batch, messages: readonly KafkaMessage[]): Delivery {
  const received = messages.map(({ key, value, headers, offset }): Received => ({ topic, partition, offset, key, value, headers: Object.fromEntries(Object.entries(headers ?? {}).filter(([, each]) => each !== undefined)) as Received['headers'] }));
  return { topic, partition, messages: received, behind: Number(BigInt(highWatermark) - BigInt(messages.at(-1)!.offset) - 1n) };
}
