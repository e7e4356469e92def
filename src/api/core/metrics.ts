/** Metrics for Prometheus. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Parts } from './parts.js';

export type Metrics = ReturnType<typeof createMetrics>;

export interface MetricsOptions extends Parts<'progress'> {
  /** Names of the projections. */
  readonly projections: readonly string[];
  /** Lag of a projection or follower in milliseconds, independent of the process that runs it. */
  readonly lag: (reader: string) => Promise<number>;
  /** Names of the followers of the log in addition to the projections. */
  readonly followers?: readonly string[];
}

export function createMetrics({ progress, projections, followers = [], lag }: MetricsOptions) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  });
  const ingested = new Counter({
    name: 'ingested_events_total',
    help: 'Pushed events by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const folded = new Counter({
    name: 'projection_events_total',
    help: 'Events that this process folded.',
    labelNames: ['projection'],
    registers: [registry],
  });
  const lagGauge = (label: 'projection' | 'follower', names: readonly string[], help: string) =>
    new Gauge({
      name: `${label}_lag_seconds`,
      help: `${help}; 0 when there is none, NaN if the database does not respond.`,
      labelNames: [label],
      registers: [registry],
      async collect() {
        await Promise.all(
          names.map(async (name) =>
            this.set(
              { [label]: name },
              await lag(name).then(
                (ms) => ms / 1_000,
                () => Number.NaN,
              ),
            ),
          ),
        );
      },
    });
  lagGauge('projection', projections, 'Age of the oldest event that no process has folded');
  lagGauge('follower', followers, 'Age of the oldest event that no process has followed');
  const quarantined = new Counter({
    name: 'projection_quarantined_streams_total',
    help: 'Streams that a projection could not process.',
    labelNames: ['projection'],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'projection_failures_total',
    help: 'Batches that failed and are retried.',
    labelNames: ['projection'],
    registers: [registry],
  });

  progress.onBatch((projection, { events }) => {
    if (events.length > 0) folded.inc({ projection }, events.length);
  });

  return {
    registry,
    observeRequest: (method: string, route: string, status: number, seconds: number): void =>
      requests.observe({ method, route, status }, seconds),
    countEvents: (outcome: 'accepted' | 'updated' | 'duplicate' | 'rejected', count: number): void =>
      ingested.inc({ outcome }, count),
    quarantined: (projection: string, streams: number): void => quarantined.inc({ projection }, streams),
    projectionFailed: (projection: string): void => failures.inc({ projection }),
  };
}
