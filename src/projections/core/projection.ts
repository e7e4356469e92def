/** What a projection is: a fold per row key, and the tables that hold the rows. The runner does the rest. */
import type { ClientBase } from 'pg';
import type { StoredEvent } from '../../events/core/log.js';

/**
 * The read models there are, by name, each with its tables, `<schema>.<table>`, and their rows; `true` where no query
 * is built on its tables. Each adds its own, so that whoever waits for one cannot misspell it.
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
  /** Also the name of the database schema that holds its tables. */
  readonly name: string;
  /** Raise it when fold or tables change: the service rebuilds the read model next to the old one and switches. */
  readonly version: number;
  /** Only streams that begin with one of these reach it; absent: all. */
  readonly prefixes?: readonly string[];
  /**
   * It takes every event, as it is stored, without an upcast: nothing is left out, and what its fold or its tables
   * refuse stops it.
   */
  readonly asStored?: boolean;
  /** SQL that makes the tables in schema `:schema`. */
  readonly tables: string;
  /** The row that an event changes. */
  readonly keyOf: (event: StoredEvent) => string;
  /**
   * Nobody waits for it after a write: it gives way to the others, for so many milliseconds at most. A read that brings
   * a position waits five seconds.
   */
  readonly background?: number;
  /** Each stream has its own row, which its first event makes. */
  readonly rowPerStream: boolean;
  /** Of other events, those that make a row which there cannot be yet. */
  readonly makesRow?: (event: StoredEvent) => boolean;
  /**
   * The next row; the old one may be changed and returned. Total as far as input validation goes; what it throws on
   * quarantines the stream.
   */
  readonly fold: (row: Row | undefined, event: StoredEvent) => Row;
  /** A row as readers see it, where it is kept in another form. */
  readonly read?: (row: Row) => unknown;
  /** The rows that there are of these keys, as far as the batch needs them. */
  readonly load: (
    db: ClientBase,
    schema: string,
    keys: readonly string[],
    batch: readonly StoredEvent[],
  ) => Promise<ReadonlyMap<string, Row>>;
  /** One statement per table, whatever the number of rows; sent at once, they are carried out in their order. */
  readonly save: (db: ClientBase, schema: string, rows: ReadonlyMap<string, Row>) => Promise<void>;
}

/** A stream that a fold could not take. */
export interface Quarantined {
  readonly stream: string;
  readonly position: string;
  readonly error: string;
}
