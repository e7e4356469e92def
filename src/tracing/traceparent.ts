/** W3C Trace Context: links an event to the trace in which it was created. */
import { isSpanContextValid, trace, TraceFlags, type SpanContext } from '@opentelemetry/api';

/** The `traceparent` of the current span; undefined if there is no span or it is not sampled. */
export function currentTraceparent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  if (!span || !isSpanContextValid(span) || (span.traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
  return `00-${span.traceId}-${span.spanId}-01`;
}

export function parseTraceparent(text: unknown): SpanContext | undefined {
  const [, traceId, spanId] =
    typeof text === 'string' ? (/^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(text) ?? []) : [];
  return traceId !== undefined && spanId !== undefined
    ? { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
    : undefined;
}
