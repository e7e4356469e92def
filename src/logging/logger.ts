/** The logger: JSON lines on stderr with the current trace, without secrets and personal data. */
import { trace } from '@opentelemetry/api';
import { pino, type DestinationStream, type LogFn, type Logger } from 'pino';
import { PasswordsBusy } from '../engines/passwords.js';
import { isUnavailable } from '../engines/postgres/failures.js';
import { describeError } from './errors.js';
import { countOutages } from './outage.js';
import { scrub } from './scrub.js';

export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  const counted = countOutages((error) => isUnavailable(error) || error instanceof PasswordsBusy);
  return pino(
    {
      level,
      mixin: traceIds,
      serializers: { err: describeError },
      hooks: {
        logMethod(args, method, level) {
          counted.call(this as Logger, withMessage(args), method, level);
        },
        streamWrite: scrub,
      },
    },
    destination,
  );
}

function traceIds(): object {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/** Without a message, pino would use that of the error, including its values. */
function withMessage(args: Parameters<LogFn>): Parameters<LogFn> {
  const alone = args.length === 1 && typeof args[0] === 'object';
  return alone ? [args[0], ''] : args;
}
