/** Receives messages as a member of a consumer group. Handled messages are committed; others are delivered again. */
import type { Batch, Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { BrokerUnavailable, type Delivery, type ReceiveOptions, type Received } from '../../events/core/broker.js';

/** Maximum number of messages in one delivery. After a crash, at most these are repeated. */
const DELIVERY = 500;
const PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;

/** `sessionMs`: time after which other members take over the partitions of a killed process. */
export async function receive(kafka: Kafka, options: ReceiveOptions, sessionMs: number): Promise<void> {
  const { group, topics, concurrency, signal } = options;
  const heartbeatInterval = sessionMs / 5;
  // A crash ends this call, and its caller starts again. The client's own restart would continue outside this call.
  const consumer = kafka.consumer({
    groupId: group,
    sessionTimeout: sessionMs,
    heartbeatInterval,
    maxWaitTimeInMs: 500,
    allowAutoTopicCreation: false,
    retry: { retries: 2, restartOnFailure: () => Promise.resolve(false) },
  });
  const over = ended(consumer, signal);
  const failures = new Map<string, number>();
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      eachBatchAutoResolve: false,
      autoCommitThreshold: DELIVERY,
      partitionsConsumedConcurrently: concurrency,
      eachBatch: (payload) => eachBatch(payload, options, { failures, heartbeatInterval }),
    });
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
  over.catch(() => undefined); // the error is reported where the promise is awaited
  return over;
}

async function eachBatch(
  { batch, heartbeat, resolveOffset, commitOffsetsIfNecessary, isRunning, isStale, pause }: EachBatchPayload,
  options: ReceiveOptions,
  { failures, heartbeatInterval }: { readonly failures: Map<string, number>; readonly heartbeatInterval: number },
): Promise<void> {
  const partition = `${batch.topic}/${batch.partition}`;
  for (let from = 0; from < batch.messages.length; from += DELIVERY) {
    if (options.signal.aborted || !isRunning() || isStale()) return;
    const part = batch.messages.slice(from, from + DELIVERY);
    const delivery = deliveryOf(batch, part);
    const lost = new AbortController();
    const beat = setInterval(() => void heartbeat().catch((error: unknown) => lost.abort(error)), heartbeatInterval);
    try {
      await options.handle(delivery, AbortSignal.any([options.signal, lost.signal]));
    } catch (error) {
      if (options.signal.aborted) return;
      // The group assigned the partition to another member, so the client rejoins.
      if (lost.signal.aborted) throw lost.signal.reason;
      options.onError(error, delivery);
      // Pauses only this partition: a thrown error would stop the others too.
      const count = (failures.get(partition) ?? 0) + 1;
      failures.set(partition, count);
      setTimeout(pause(), Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** (count - 1))).unref();
      return;
    } finally {
      clearInterval(beat);
    }
    failures.delete(partition);
    resolveOffset(part.at(-1)!.offset);
    await commitOffsetsIfNecessary();
  }
}

function deliveryOf({ topic, partition, highWatermark }: Batch, messages: readonly KafkaMessage[]): Delivery {
  const received = messages.map(({ key, value, headers, offset }): Received => ({
    topic,
    partition,
    offset,
    key,
    value,
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).filter(([, each]) => each !== undefined),
    ) as Received['headers'],
  }));
  return {
    topic,
    partition,
    messages: received,
    behind: Number(BigInt(highWatermark) - BigInt(messages.at(-1)!.offset) - 1n),
  };
}
