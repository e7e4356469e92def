/** Prometheus metrics of the relay and the ingest of this process. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Delivery } from '../../events/core/broker.js';

export interface RelayMetricsOptions {
  readonly registry: Registry;
  /** Milliseconds. */
  readonly lag: () => Promise<number>;
}

export function createRelayMetrics({ registry, lag }: RelayMetricsOptions) {
  const relayed = new Counter({
    name: 'relay_events_total',
    help: 'Events that the broker acknowledged to this process.',
    registers: [registry],
  });
  const failures = new Counter({
    name: 'relay_failures_total',
    help: 'Batches that the broker or the database did not accept and that are retried.',
    registers: [registry],
  });
  new Gauge({
    name: 'relay_lag_seconds',
    help: 'Age of the oldest event that no process has relayed; 0 when there is none, NaN if the database does not respond.',
    registers: [registry],
    async collect() {
      this.set(
        await lag().then(
          (ms) => ms / 1_000,
          () => Number.NaN,
        ),
      );
    },
  });
  return { relayed: (events: number) => relayed.inc(events), failed: () => failures.inc() };
}

export function createIngestMetrics(registry: Registry) {
  const messages = new Counter({
    name: 'kafka_ingest_messages_total',
    help: 'Pushes by message that were accepted or rejected, with a response.',
    labelNames: ['provider'],
    registers: [registry],
  });
  const behind = new Gauge({
    name: 'kafka_ingest_behind',
    help: 'Messages that wait behind the last ones processed by this process.',
    labelNames: ['topic', 'partition'],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'kafka_ingest_failures_total',
    help: 'Deliveries and pushes that failed and are retried.',
    registers: [registry],
  });
  return {
    delivered(provider: string, delivery: Delivery) {
      messages.inc({ provider }, delivery.messages.length);
      behind.set({ topic: delivery.topic, partition: delivery.partition }, delivery.behind);
    },
    failed: () => failures.inc(),
  };
}
