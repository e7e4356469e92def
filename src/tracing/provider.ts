/**
 * The OpenTelemetry SDK, loaded only if tracing is enabled. It reads its standard variables (OTEL_TRACES_SAMPLER,
 * OTEL_EXPORTER_OTLP_HEADERS, ...).
 */
import { randomUUID } from 'node:crypto';
import { context, propagation, trace, type Tracer } from '@opentelemetry/api';

const NAME = 'open-transport';
/** Maximum time that an unavailable collector may delay a stop. */
const FLUSH_MS = 3_000;

export interface Provider {
  readonly tracer: Tracer;
  /** Sends the pending spans. */
  stop(): Promise<void>;
}

/** One per process, because the OpenTelemetry API is global. `endpoint`: OTLP over HTTP, without `/v1/traces`. */
export async function startProvider(endpoint: string): Promise<Provider> {
  const [
    { BatchSpanProcessor, NodeTracerProvider },
    { OTLPTraceExporter },
    { defaultResource, resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const provider = new NodeTracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': NAME, 'service.instance.id': randomUUID() }),
    ),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))],
  });
  provider.register();
  return {
    tracer: trace.getTracer(NAME),
    async stop() {
      const late = new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}
