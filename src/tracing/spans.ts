import { SpanStatusCode, type Span, type SpanOptions, type Tracer } from '@opentelemetry/api';

/** Runs `work` in a new span. Records only the name of an error, because messages may contain user input. */
export function inSpan<T>(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

export function failed(span: Span, error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error;
  span.setAttribute('error.type', name).setStatus({ code: SpanStatusCode.ERROR });
}
