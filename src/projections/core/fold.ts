/**
 * Takes events into the rows of one schema: as a batch, and in parts where the batch holds an event that cannot be
 * taken.
 */
import type { ClientBase } from 'pg';
import { decoded, type EventTypes } from '../../events/core/codec.js';
import { WrittenByNewerVersion } from '../../events/core/event-types.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { Projection, Quarantined } from './projection.js';
import { inSavepoint } from './transaction.js';

/** Which rows. */
export interface Target<Row = unknown> {
  readonly projection: Projection<Row>;
  /** Schema of the tables: the live one, or one that is being made next to it. */
  readonly schema: string;
  readonly types: EventTypes;
}

/** Both ways of folding: what could not be taken is returned. */
export type Fold = (db: ClientBase, target: Target, events: readonly StoredEvent[]) => Promise<readonly Quarantined[]>;

/** An event of the batch cannot be taken; nothing else is wrong. */
export class CannotFold extends Error {
  override readonly name = 'CannotFold';
}

/**
 * Data that the tables refuse (SQLSTATE classes 22 and 23), that is too big for them (54), or that a fold stumbles over
 * (no SQLSTATE).
 */
function isFaultOfEvent(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return !(error instanceof WrittenByNewerVersion) && (typeof code !== 'string' || /^(22|23|54)/.test(code));
}

/**
 * Load the rows of the batch's keys, fold in memory, save all at once. Throws `CannotFold`; the transaction is of no
 * use then.
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

/** The key of each event: one string for those of a stream that follow each other, so that it is hashed once. */
function keysOf({ keyOf, rowPerStream }: Projection, events: readonly StoredEvent[]): string[] {
  let [stream, key] = ['', ''];
  return events.map((event) => {
    if (!rowPerStream || event.stream !== stream) key = keyOf(event);
    stream = event.stream;
    return key;
  });
}

/** Keys whose row may exist already: a row that stands for one stream does not before the stream's first event. */
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
 * In halves, down to the events that cannot be taken. A stream keeps the row that it had before its first bad event,
 * wherever batches begin and end, and is left out from then on.
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
 * `attempt` runs the fold it is given in a transaction or a savepoint of its own: once, and again in parts where the
 * batch cannot be taken.
 */
export async function foldSafely<T>(attempt: (fold: Fold) => Promise<T>): Promise<T> {
  try {
    return await attempt(foldBatch);
  } catch (error) {
    if (!(error instanceof CannotFold)) throw error;
    return attempt(foldInParts);
  }
}
