/** Lists topics and creates missing topics. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';
import { BrokerUnavailable, type Topic } from '../../events/core/broker.js';

const MAX_CHECKS = 50;
const CHECK_INTERVAL_MS = 100;

export async function listTopics(kafka: Kafka): Promise<readonly string[]> {
  return withAdmin(kafka, (admin) => admin.listTopics());
}

/** Partitions and replicas have the broker's default. Operators who need other values create the topic first. */
export async function createMissing(kafka: Kafka, topics: readonly Topic[]): Promise<void> {
  await withAdmin(kafka, async (admin) => {
    const present = new Set(await admin.listTopics());
    const missing = topics.filter(({ name }) => !present.has(name));
    if (missing.length === 0) return;
    // Returns false, without an error, for topics that another process has created in the meantime.
    await admin.createTopics({
      topics: missing.map(({ name, maxMessageBytes }) => ({
        topic: name,
        configEntries: [{ name: 'max.message.bytes', value: String(maxMessageBytes) }],
      })),
    });
    for (const { name } of missing) await waitForLeaders(admin, name);
  });
}

/**
 * Waits until the topic has leaders. A new topic is visible before its leaders accept messages. Messages that are sent
 * too early reach only some partitions, and are then sent again to all.
 */
async function waitForLeaders(admin: Admin, topic: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_CHECKS; attempt++) {
    const hasLeaders = await admin.fetchTopicOffsets(topic).then(
      () => true,
      () => false,
    );
    if (hasLeaders) return;
    await sleep(CHECK_INTERVAL_MS);
  }
}

async function withAdmin<T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin({ retry: { retries: 2 } });
  try {
    await admin.connect();
    return await work(admin);
  } catch (error) {
    throw new BrokerUnavailable(`Kafka does not list its topics: ${(error as Error).message}`, { cause: error });
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}
