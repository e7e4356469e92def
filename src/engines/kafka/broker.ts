/** Implements the message broker port with Kafka. */
import type { Broker } from '../../events/core/broker.js';
import { timeLimits } from '../../events/core/time-limits.js';
import { createClient, type KafkaOptions } from './client.js';
import { receive } from './receiver.js';
import { createSender } from './sender.js';
import { createMissing, listTopics } from './topics.js';

/** Connects on first use, and reconnects after an error. `receive` ends with its own signal, not with `close`. */
export function createKafkaBroker(options: KafkaOptions, { brokerSessionMs } = timeLimits()): Broker {
  const kafka = createClient(options);
  const sender = createSender(kafka);
  return {
    send: sender.send,
    receive: (receiving) => receive(kafka, receiving, brokerSessionMs),
    topics: () => listTopics(kafka),
    ensureTopics: (topics) => createMissing(kafka, topics),
    close: () => sender.close(),
  };
}
