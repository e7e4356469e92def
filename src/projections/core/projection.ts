/**
 * The definition of a projection: a fold per row key, and the tables that contain the rows. The runner does the rest.
 */
import type { ClientBase } from 'pg';
import type { StoredEvent } from '../../events/core/log.js';

/**
 * All read models by name, each with its tables (`<schema>.<table>`) and their rows; `true` if no query is built on its
 * tables. Each read model adds its own entry. The compiler then rejects misspelled names where code waits for a read
 * model.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface ReadModels {}
export type ReadModelName = keyof ReadModels & string;

type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer Each) => void
  ? Each
  : never;

/** The tables of all read models, with their rows. */
export interface Tables extends All<Exclude<ReadModels[ReadModelName], true>> {}

export interface Projection<Row = unknown> {
  /** Also the name of the database schema that contains its tables. */
  readonly name: string;
  /**
   * Increase it when the fold or the tables change. The service then rebuilds the read model next to the old tables and
   * switches.
   */
  readonly version: number;
  /** The projection receives only streams that begin with one of these prefixes. Absent: all streams. */
  readonly prefixes?: readonly string[];
  /**
   * The projection receives every event as stored, without upcasting. No stream is quarantined: an event that its fold
   * or its tables reject stops the projection.
   */
  readonly asStored?: boolean;
  /** SQL that creates the tables in the schema `:schema`. */
  readonly tables: string;
  /** The key of the row that an event changes. */
  readonly keyOf: (event: StoredEvent) => string;
  /**
   * No caller waits for this projection after a write. It yields to the other projections for at most this many
   * milliseconds. A read that sends a position waits five seconds.
   */
  readonly background?: number;
  /** Each stream has its own row, which its first event creates. */
  readonly rowPerStream: boolean;
  /** Other events that create a new row. The row cannot exist before such an event. */
  readonly makesRow?: (event: StoredEvent) => boolean;
  /**
   * Returns the next row; it may change and return the old row. The fold accepts all validated input; if it throws, the
   * stream is quarantined.
   */
  readonly fold: (row: Row | undefined, event: StoredEvent) => Row;
  /** Converts a row to the form that readers get, if the stored form differs. */
  readonly read?: (row: Row) => unknown;
  /** Loads the existing rows of these keys, as far as the batch needs them. */
  readonly load: (
    db: ClientBase,
    schema: string,
    keys: readonly string[],
    batch: readonly StoredEvent[],
  ) => Promise<ReadonlyMap<string, Row>>;
  /** One statement per table, for any number of rows. The statements are sent together and run in order. */
  readonly save: (db: ClientBase, schema: string, rows: ReadonlyMap<string, Row>) => Promise<void>;
}

/** A stream with an event that a fold could not process. */
export interface Quarantined {
  readonly stream: string;
  readonly position: string;
  readonly error: string;
}
