/** Prometheus metrics of effects and of the inbox. */
import { Gauge, type Registry } from 'prom-client';
import type { EffectList } from '../engines/postgres/effect-list.js';

export interface EffectMetricsOptions {
  readonly registry: Registry;
  readonly list: Pick<EffectList, 'counts'>;
}

export function createEffectMetrics({ registry, list }: EffectMetricsOptions): void {
  const unknown = { pending: Number.NaN, open: Number.NaN, failedMessages: Number.NaN };
  type Counts = typeof unknown;
  let counting: Promise<Counts> | undefined;
  /** All gauges are collected at the same time, with one query. */
  const counts = (): Promise<Counts> =>
    (counting ??= list
      .counts()
      .catch(() => unknown)
      .finally(() => (counting = undefined)));
  const gauge = (name: string, help: string, valueOf: (counts: Counts) => number) =>
    new Gauge({
      name,
      help: `${help}; NaN if the database does not respond.`,
      registers: [registry],
      async collect() {
        this.set(valueOf(await counts()));
      },
    });
  gauge('effects_open', 'Effects with an unknown result that staff must settle', ({ open }) => open);
  gauge('effects_pending', 'Effects that workers continue', ({ pending }) => pending);
  gauge('inbox_failed', 'Messages of external systems that failed eight times', (found) => found.failedMessages);
}
