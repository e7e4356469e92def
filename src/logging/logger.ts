/** The log: JSON lines on stderr, with the trace they belong to, and without secrets or personal data. */
import { trace } from '@opentelemetry/api';
import { pino, type DestinationStream, type LogFn, type Logger } from 'pino';
import { describeError } from './errors.js';
import { scrub } from './scrub.js';

export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      mixin: traceIds,
      serializers: { err: describeError },
      hooks: { logMethod: withMessage, streamWrite: scrub },
    },
    destination,
  );
}

function traceIds(): object {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/** Where there is no message pino takes that of the error, values and all. */
function withMessage(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const alone = args.length === 1 && typeof args[0] === 'object';
  method.apply(this, alone ? [args[0], ''] : args);
}
