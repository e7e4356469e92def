/** Tracing of the service. Without an endpoint, no tracing code is loaded or executed. */
import type { RequestListener } from 'node:http';
import { unwrapped, type WrapBatch } from '../events/core/wrap-batch.js';
import type { EventLog } from '../events/core/log.js';
import { currentTraceparent } from './traceparent.js';

export interface Tracing {
  readonly requests: (listener: RequestListener) => RequestListener;
  readonly log: (log: EventLog) => EventLog;
  readonly wrap: WrapBatch;
  /** The traceparent to store with events of the current request. */
  readonly traceparent: () => string | undefined;
  stop(): Promise<void>;
}

const OFF: Tracing = {
  requests: (listener) => listener,
  log: (log) => log,
  wrap: unwrapped,
  traceparent: () => undefined,
  stop: async () => undefined,
};

/** `endpoint`: OTLP over HTTP, without `/v1/traces`; undefined: no traces. */
export async function startTracing(endpoint: string | undefined): Promise<Tracing> {
  if (endpoint === undefined) return OFF;
  const [{ startProvider }, { traceRequests }, { traceLog }, { traceBatches }] = await Promise.all([
    import('./provider.js'),
    import('./requests.js'),
    import('./log.js'),
    import('./batches.js'),
  ]);
  const { tracer, stop } = await startProvider(endpoint);
  return {
    requests: (listener) => traceRequests(tracer, listener),
    log: (log) => traceLog(tracer, log),
    wrap: traceBatches(tracer),
    traceparent: currentTraceparent,
    stop,
  };
}
