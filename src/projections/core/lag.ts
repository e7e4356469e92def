/**
 * Lag of a reader of the log, calculated from its stored position. The value is correct in every process, even if no
 * process works on the reader.
 */
import { START } from '../../events/core/log.js';
import { checkpoints } from './checkpoints.js';
import type { Parts } from './parts.js';

export type LagOptions = Parts<'log' | 'pool' | 'now'>;

export interface LogReader {
  readonly name: string;
  /** Absent: the reader reads all streams. */
  readonly prefixes?: readonly string[];
}

/**
 * Age in milliseconds of the first event that the reader has not processed; 0 if there is none. Throws if the database
 * or the log does not respond.
 */
export async function lagOf({ name, prefixes }: LogReader, { log, pool, now }: LagOptions): Promise<number> {
  const position = (await checkpoints(pool)).find((checkpoint) => checkpoint.name === name)?.position ?? START;
  if (position >= (await log.head())) return 0;
  const found = new AbortController();
  for await (const { events, caughtUp } of log.subscribe(position, {
    batch: 1,
    signal: found.signal,
    ...(prefixes && { prefixes }),
  })) {
    if (events.length === 0 && !caughtUp) continue;
    found.abort();
    const recorded = Date.parse(String(events[0]?.metadata['recorded_at']));
    return Number.isNaN(recorded) ? 0 : Math.max(0, now() - recorded);
  }
  return 0;
}
