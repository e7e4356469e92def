/** Parses a past moment of the log from a command-line argument. */
import { START, type EventLog, type Position } from '../../events/core/log.js';
import { instantOf } from '../../events/otep/time.js';
import type { Moment } from '../../projections/rebuild/moment.js';
import { UsageError } from '../command.js';

/**
 * `text`: RFC 3339 with offset, or a position of this log. Throws `UsageError` for any other form, and an error for a
 * position that the log has not reached yet.
 */
export async function readMoment(text: string, log: EventLog): Promise<Moment> {
  const instant = instantOf(text);
  if (instant) return { instant };
  return {
    position: await readPosition('--at', text, log, 'an RFC 3339 time with its offset (2026-01-31T12:00:00Z) or '),
  };
}

export async function readPosition(option: string, text: string, log: EventLog, or = ''): Promise<Position> {
  if (text === START || !log.isPosition(text))
    throw new UsageError(`${option} requires ${or}a position of the log, exactly as it is displayed.`);
  const head = await log.head();
  if (text > head)
    throw new Error(
      `The position ${text} is after the end of the log, which is at ${head === START ? 'its start' : head}.`,
    );
  return text;
}
