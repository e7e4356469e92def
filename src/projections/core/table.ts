/**
 * A read model with one table and one or more rows per stream. Table SQL, `load` and `save` are derived from its
 * columns.
 */
import type { EventType } from '../../events/core/event-types.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { Columns, RowOf } from './columns.js';
import type { Projection } from './projection.js';

export interface TableDefinition<C extends Columns> {
  /** Name of the read model, and of the schema that contains its table. */
  readonly name: string;
  /** Name of the table. Absent: the name of the read model. */
  readonly table?: string;
  /** Increase it when the columns or the fold change. */
  readonly version: number;
  /** Prefixes of the streams that have rows in this table. */
  readonly prefixes: readonly string[];
  readonly columns: C;
  /** The column that contains the rest of the stream name, after the prefix. Absent: `id`. */
  readonly key?: keyof C & string;
  /** The SQL that follows `create index on <table>`. */
  readonly indexes?: readonly string[];
  /**
   * For streams with several rows. `member`: the event member that is the key of the row. `made`: the event that
   * creates a row. Events without that member change no row.
   */
  readonly rows?: { readonly member: string; readonly made: Pick<EventType, 'type'> };
  readonly fold: (row: RowOf<C> | undefined, event: StoredEvent) => RowOf<C>;
}

/** The key of events that change no row: see `keyOf`. */
export const NO_ROW = '';

export function table<C extends Columns>(definition: TableDefinition<C>): Projection<RowOf<C>> {
  const { name, version, prefixes, columns, indexes = [], rows, fold } = definition;
  const { table: tableName = name, key = 'id' } = definition;
  const names = Object.keys(columns);
  const lines = names.map((column) => `${column} ${columns[column]!.sql}${column === key ? ' primary key' : ''}`);
  const changes = names.filter((column) => column !== key).map((column) => `${column} = excluded.${column}`);
  return {
    name,
    version,
    prefixes,
    tables: [
      `create table :schema.${tableName} (${lines.join(', ')});`,
      ...indexes.map((index) => `create index on :schema.${tableName} ${index};`),
    ].join('\n'),
    keyOf: ({ stream, data }) => (rows ? String(data[rows.member] ?? NO_ROW) : stream.slice(stream.indexOf('-') + 1)),
    rowPerStream: !rows,
    ...(rows && { makesRow: ({ type }) => type === rows.made.type }),
    fold: rows ? (row, event) => (event.data[rows.member] === undefined ? row! : fold(row, event)) : fold,
    async load(db, schema, keys) {
      const existing = keys.filter((one) => one !== NO_ROW);
      const found = await db.query<RowOf<C>>(`select * from ${schema}.${tableName} where ${key} = any ($1)`, [
        existing,
      ]);
      return new Map(found.rows.map((row) => [String(row[key]), row]));
    },
    async save(db, schema, changed) {
      await db.query(
        `insert into ${schema}.${tableName} select * from json_populate_recordset(null::${schema}.${tableName}, $1)
         on conflict (${key}) do update set ${changes.join(', ')}`,
        [JSON.stringify([...changed.values()].filter((row) => row !== undefined))],
      );
    },
  };
}

/** A fold that is defined by the changes of each event type. */
export interface Fold<Row> {
  (row: Row | undefined, event: StoredEvent): Row;
  /** `change` returns the changed columns. Personal data in the event's data is encrypted. */
  on<Data>(type: EventType<Data>, change: (data: Data, row: Row, event: StoredEvent) => Partial<Row>): Fold<Row>;
}

/**
 * The fold of a stream whose first event creates the row. A column `revision` is set to the revision of the last event.
 * Throws if another event comes first, which quarantines the stream.
 */
export function startsWith<Row extends object, Data>(
  first: EventType<Data>,
  make: (data: Data, event: StoredEvent) => Row,
): Fold<Row> {
  const changes = new Map<string, (row: Row, event: StoredEvent) => Partial<Row>>();
  const fold = (row: Row | undefined, event: StoredEvent): Row => {
    if (!row) {
      if (event.type !== first.type) throw new Error(`The stream has ${event.type} before ${first.type}.`);
      return make(event.data as Data, event);
    }
    if ('revision' in row) row.revision = event.revision;
    return Object.assign(row, changes.get(event.type)?.(row, event));
  };
  return Object.assign(fold, {
    on<Other>({ type }: EventType<Other>, change: (data: Other, row: Row, event: StoredEvent) => Partial<Row>) {
      changes.set(type, (row, event) => change(event.data as Other, row, event));
      return this as unknown as Fold<Row>;
    },
  });
}

/** Time at which an event was recorded, RFC 3339 in UTC. */
export const recordedAt = ({ metadata }: StoredEvent): string => metadata['recorded_at'] as string;
