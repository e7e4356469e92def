/** What a projection is: a fold per row key, and the tables that hold the rows. The runner does the rest. */
import type { ClientBase } from 'pg';
import type { StoredEvent } from '../events/log.js';

export interface Projection<Row = unknown> {
  /** Also the name of the database schema that holds its tables. */
  readonly name: string;
  /** Raise it when fold or tables change: the service rebuilds the read model beside the old one and switches. */
  readonly version: number;
  /** Only streams that begin with one of these reach it. */
  readonly prefixes: readonly string[];
  /** SQL that makes the tables in schema `:schema`. */
  readonly tables: string;
  /** The row that an event changes. */
  readonly keyOf: (event: StoredEvent) => string;
  /** Each stream has its own row, which its first event makes. */
  readonly rowPerStream: boolean;
  /** The next row; the old one may be changed and returned. Total as far as input validation goes; what it throws on quarantines the stream. */
  readonly fold: (row: Row | undefined, event: StoredEvent) => Row;
  readonly load: (db: ClientBase, schema: string, keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  /** One statement per table, whatever the number of rows. */
  readonly save: (db: ClientBase, schema: string, rows: ReadonlyMap<string, Row>) => Promise<void>;
}

/** A stream that a fold could not take. */
export interface Quarantined {
  readonly stream: string;
  readonly position: string;
  readonly error: string;
}

/**
 * Folds a batch into the rows of one schema: load the rows of the batch's keys, fold in memory, save all at once. A stream whose
 * event throws keeps the row it had before the batch's first bad event and is left out from then on; it is returned.
 */
export async function foldBatch<Row>(projection: Projection<Row>, db: ClientBase, schema: string, events: readonly StoredEvent[], skip: ReadonlySet<string>): Promise<Quarantined[]> {
  const taken = skip.size === 0 ? events : events.filter(({ stream }) => !skip.has(stream));
  if (taken.length === 0) return [];
  const before = await projection.load(db, schema, keysToLoad(projection, taken));
  const changed = new Map<string, Row>();
  const bad = new Map<string, Quarantined>();
  for (const event of taken) {
    if (bad.has(event.stream)) continue;
    const key = projection.keyOf(event);
    try {
      changed.set(key, projection.fold(changed.get(key) ?? before.get(key), event));
    } catch (error) {
      bad.set(event.stream, { stream: event.stream, position: event.position, error: String(error) });
    }
  }
  if (changed.size > 0) await projection.save(db, schema, changed);
  return [...bad.values()];
}

/** Keys whose row may exist already: a row that stands for one stream does not before the stream's first event. */
function keysToLoad<Row>({ keyOf, rowPerStream }: Projection<Row>, events: readonly StoredEvent[]): string[] {
  const keys = new Map<string, boolean>();
  for (const event of events) {
    const key = keyOf(event);
    if (!keys.has(key)) keys.set(key, !(rowPerStream && event.revision === 0));
  }
  return [...keys].flatMap(([key, load]) => (load ? [key] : []));
}
