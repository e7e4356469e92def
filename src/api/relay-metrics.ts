/** What Prometheus sees of the relay of this process. */
import { Counter, Gauge, type Registry } from 'prom-client';

export interface RelayMetricsOptions {
  readonly registry: Registry;
  /** Recorded time of the oldest event under way, in milliseconds since 1970. */
  readonly pendingSince: () => number | undefined;
  readonly now: () => number;
}

export function createRelayMetrics({ registry, pendingSince, now }: RelayMetricsOptions) {
  const relayed = new Counter({ name: 'relay_events_total', help: 'Events that the broker acknowledged to this process.', registers: [registry] });
  const failures = new Counter({ name: 'relay_failures_total', help: 'Batches that the broker or the database did not take, and are tried again.', registers: [registry] });
  new Gauge({
    name: 'relay_lag_seconds', help: 'Age of the oldest event that this process is sending and has not seen acknowledged; 0 when there is none.', registers: [registry],
    collect() {
      const since = pendingSince();
      this.set(since === undefined ? 0 : Math.max(0, now() - since) / 1_000);
    },
  });
  return { relayed: (events: number) => relayed.inc(events), failed: () => failures.inc() };
}
