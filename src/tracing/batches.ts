/** Creates a span for each batch of a projection or the relay, with links to the requests that created its events. */
import { SpanKind, type Link, type Tracer } from '@opentelemetry/api';
import { unwrapped, type WrapBatch } from '../events/core/wrap-batch.js';
import type { StoredEvent } from '../events/core/log.js';
import { inSpan } from './spans.js';
import { parseTraceparent } from './traceparent.js';

const MAX_LINKS = 32;

export const traceBatches =
  (tracer: Tracer): WrapBatch =>
  (what, events, work) => {
    if (events.length === 0) return unwrapped(what, events, work);
    const options = {
      root: true,
      kind: SpanKind.CONSUMER,
      links: linksOf(events),
      attributes: { 'log.events': events.length, 'log.position': events.at(-1)!.position },
    };
    return inSpan(tracer, what, options, work);
  };

function linksOf(events: readonly StoredEvent[]): Link[] {
  const traceparents = new Set<unknown>();
  for (const { metadata } of events) {
    traceparents.add(metadata['traceparent']);
    if (traceparents.size > MAX_LINKS) break;
  }
  return [...traceparents].flatMap((text) => {
    const context = parseTraceparent(text);
    return context ? [{ context }] : [];
  });
}
