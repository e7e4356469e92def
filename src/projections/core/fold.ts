/**
 * Folds events into the rows of one schema: as a whole batch, or in parts if the batch contains an event that cannot be
 * folded.
 */
import type { ClientBase } from 'pg';
import { decoded, type EventTypes } from '../../events/core/codec.js';
import { WrittenByNewerVersion } from '../../events/core/event-types.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { Projection, Quarantined } from './projection.js';
import { inSavepoint } from './transaction.js';

/** The rows to change. */
export interface Target<Row = unknown> {
  readonly projection: Projection<Row>;
  /** Schema of the tables: the live schema, or a new one that a rebuild fills next to it. */
  readonly schema: string;
  readonly types: EventTypes;
}

/** Signature of `foldBatch` and `foldInParts`. Returns the streams that could not be folded. */
export type Fold = (db: ClientBase, target: Target, events: readonly StoredEvent[]) => Promise<readonly Quarantined[]>;

/** Thrown when an event of the batch cannot be folded and there is no other fault. */
export class CannotFold extends Error {
  override readonly name = 'CannotFold';
}

/**
 * Whether the event caused the error: the tables reject its data (SQLSTATE classes 22 and 23), the data is too large
 * (54), or the fold threw (no SQLSTATE).
 */
function isFaultOfEvent(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return !(error instanceof WrittenByNewerVersion) && (typeof code !== 'string' || /^(22|23|54)/.test(code));
}

/**
 * Loads the rows of the batch's keys, folds in memory, and saves all rows at once. Throws `CannotFold`; the transaction
 * cannot be used after that.
 */
export const foldBatch: Fold = async (db, { projection, schema, types }, events) => {
  if (events.length === 0) return [];
  try {
    const keys = keysOf(projection, events);
    const toLoad = keysToLoad(projection, events, keys);
    const loaded = toLoad.length > 0 ? await projection.load(db, schema, toLoad, events) : undefined;
    const changed = new Map<string, unknown>();
    events.forEach((event, index) => {
      const key = keys[index]!;
      const row = changed.has(key) ? changed.get(key) : loaded?.get(key);
      changed.set(key, projection.fold(row, projection.asStored ? event : decoded(event, types)));
    });
    await projection.save(db, schema, changed);
    return [];
  } catch (error) {
    throw !projection.asStored && isFaultOfEvent(error) ? new CannotFold(String(error), { cause: error }) : error;
  }
};

/** The key of each event. Consecutive events of one stream share one string object, so the string is hashed once. */
function keysOf({ keyOf, rowPerStream }: Projection, events: readonly StoredEvent[]): string[] {
  let [stream, key] = ['', ''];
  return events.map((event) => {
    if (!rowPerStream || event.stream !== stream) key = keyOf(event);
    stream = event.stream;
    return key;
  });
}

/**
 * Keys whose row may already exist. A row that represents one stream does not exist before the first event of the
 * stream.
 */
function keysToLoad(
  { rowPerStream, makesRow }: Projection,
  events: readonly StoredEvent[],
  keys: readonly string[],
): string[] {
  const seen = new Set<string>();
  return keys.filter((key, index) => {
    if (seen.has(key)) return false;
    seen.add(key);
    const event = events[index]!;
    return !((rowPerStream && event.revision === 0) || makesRow?.(event));
  });
}

/**
 * Folds the batch in halves, down to the single events that cannot be folded. A stream keeps the row that it had before
 * its first bad event, and is skipped from then on. The result does not depend on where batches begin and end.
 */
export const foldInParts: Fold = async (db, target, events) => {
  try {
    return await inSavepoint(db, () => foldBatch(db, target, events));
  } catch (error) {
    if (!(error instanceof CannotFold)) throw error;
    if (events.length === 1)
      return [{ stream: events[0]!.stream, position: events[0]!.position, error: error.message }];
    const middle = events.length >> 1;
    const bad = await foldInParts(db, target, events.slice(0, middle));
    const left = new Set(bad.map(({ stream }) => stream));
    return [
      ...bad,
      ...(await foldInParts(
        db,
        target,
        events.slice(middle).filter(({ stream }) => !left.has(stream)),
      )),
    ];
  }
};

/**
 * `attempt` runs the given fold in its own transaction or savepoint. It is called once, and a second time with
 * `foldInParts` if the batch cannot be folded.
 */
export async function foldSafely<T>(attempt: (fold: Fold) => Promise<T>): Promise<T> {
  try {
    return await attempt(foldBatch);
  } catch (error) {
    if (!(error instanceof CannotFold)) throw error;
    return attempt(foldInParts);
  }
}
