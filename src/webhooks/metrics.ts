/** Prometheus metrics of webhooks. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Outcome } from './attempts.js';

export type WebhookMetrics = ReturnType<typeof createWebhookMetrics>;

export interface WebhookMetricsOptions {
  readonly registry: Registry;
  readonly backlog: () => Promise<{ readonly due: number; readonly oldestMs: number }>;
}

export function createWebhookMetrics({ registry, backlog }: WebhookMetricsOptions) {
  const attempts = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Attempts of this process to deliver a webhook, by outcome: delivered, retried (a retry follows), failed (no more retries), skipped (not sent).',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'webhook_failures_total',
    help: 'Internal errors while collecting or sending webhooks.',
    registers: [registry],
  });
  const due = new Gauge({
    name: 'webhook_backlog_deliveries',
    help: 'Webhooks that are due and not sent; NaN if the database does not respond.',
    registers: [registry],
  });
  new Gauge({
    name: 'webhook_backlog_seconds',
    help: 'Seconds for which the oldest due webhook has been waiting; NaN if the database does not respond.',
    registers: [registry],
    async collect() {
      const found = await backlog().catch(() => ({ due: Number.NaN, oldestMs: Number.NaN }));
      due.set(found.due);
      this.set(found.oldestMs / 1_000);
    },
  });
  return { attempted: (outcome: Outcome): void => attempts.inc({ outcome }), failed: (): void => failures.inc() };
}
