/**
 * Lag of a reader of the log, calculated from its stored position. The value is correct in every process, even if no
 * process works on the reader.
 */
import { START, type Position } from '../../events/core/log.js';
import { checkpoints } from './checkpoints.js';
import type { Parts } from './parts.js';

export type LagOptions = Parts<'log' | 'pool' | 'now'>;

export interface LogReader {
  readonly name: string;
  /** Absent: the reader reads all streams. */
  readonly prefixes?: readonly string[];
  /**
   * Table of events that the reader has read, but not handled. Its columns `position` and `recorded_at` (RFC 3339) come
   * from the events.
   */
  readonly queue?: string;
}

/**
 * Age in milliseconds of the first event that the reader has not processed; 0 if there is none. Throws if the database
 * or the log does not respond.
 */
export async function lagOf(reader: LogReader, options: LagOptions): Promise<number> {
  const position = (await checkpoints(options.pool)).find(({ name }) => name === reader.name)?.position ?? START;
  const lag = await lagAt(reader, { position, head: await options.log.head() }, options);
  if (lag === undefined) throw new Error(`The lag of ${reader.name} was not found within ${SEARCH_MS} ms.`);
  return lag;
}

/** Maximum duration of the search for the first event of a reader, in milliseconds. */
const SEARCH_MS = 1_000;
/** Number of events in one step of the search. */
const STEP = 500;

/**
 * The same for a known position of the reader, and of the end of the log. Undefined if the first event was not found in
 * time: the log contains many events of other readers in between.
 */
export async function lagAt(
  { prefixes, queue }: LogReader,
  { position, head }: { readonly position: Position; readonly head: Position },
  { log, pool, now }: LagOptions,
): Promise<number | undefined> {
  const ageOf = (recordedAt: unknown): number => {
    const recorded = Date.parse(String(recordedAt));
    return Number.isNaN(recorded) ? 0 : Math.max(0, now() - recorded);
  };
  if (queue !== undefined) {
    const { rows } = await pool.query<{ recorded_at: string }>(
      `select recorded_at from ${queue} order by position limit 1`,
    );
    // Queued events precede events that are not read yet.
    if (rows[0]) return ageOf(rows[0].recorded_at);
  }
  if (position >= head) return 0;
  const found = new AbortController();
  const batches = log.subscribe(position, {
    batch: STEP,
    signal: AbortSignal.any([found.signal, AbortSignal.timeout(SEARCH_MS)]),
    isAwaited: () => true,
    ...(prefixes && { prefixes }),
  });
  for await (const { events, position: upTo, caughtUp } of batches) {
    // While others write, the end of the log moves on: the events until the given end decide.
    if (events.length === 0 && !caughtUp && upTo < head) continue;
    found.abort();
    return events.length === 0 ? 0 : ageOf(events[0]!.metadata['recorded_at']);
  }
  return undefined;
}
