/** Creates a span for each append to the event log. */
import { SpanKind, type Tracer } from '@opentelemetry/api';
import type { EventLog } from '../events/core/log.js';
import { inSpan } from './spans.js';

export function traceLog(tracer: Tracer, log: EventLog): EventLog {
  return {
    ...log,
    append(appends) {
      const events = appends.reduce((sum, { events }) => sum + events.length, 0);
      return inSpan(
        tracer,
        'append',
        { kind: SpanKind.CLIENT, attributes: { 'log.streams': appends.length, 'log.events': events } },
        async (span) => {
          const outcomes = await log.append(appends);
          span.setAttribute('log.conflicts', outcomes.filter(({ outcome }) => outcome === 'conflict').length);
          return outcomes;
        },
      );
    },
  };
}
