/**
 * Writes many rows in one statement, with one array per column. The arrays are serialized here, because the client
 * library checks every element for characters to quote. Values that are equal in all rows are sent once.
 */
import type { ClientBase } from 'pg';

type Type = 'boolean' | 'integer' | 'json' | 'numeric' | 'text' | 'uuid';
/** Column types, by name. */
export type Types<Name extends string = string> = Readonly<Record<Name, Type>>;
type Row<Name extends string> = Readonly<Record<Name, unknown>>;

/** `values` as the text of a PostgreSQL array; null and undefined become null. */
export const arrayOf = (type: Type, values: readonly unknown[]): string =>
  `{${values.map((value) => elementOf(type, value)).join()}}`;

const OIDS = { integer: 23, text: 25, json: 114 } as const;

/**
 * Long texts, or JSON documents, as elements of an array in PostgreSQL's binary format: the server copies them without
 * parsing quotes. Each is preceded by its length.
 */
export function elementsOf(values: readonly string[]): Buffer {
  const lengths = values.map((value) => Buffer.byteLength(value));
  const elements = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 0));
  let at = 0;
  values.forEach((value, index) => {
    at = elements.writeInt32BE(lengths[index]!, at);
    at += elements.write(value, at);
  });
  return elements;
}

/** The text of the element at offset `at`; `elementBehind` returns the offset of the next element. */
export const elementAt = (elements: Buffer, at: number): string =>
  elements.toString('utf8', at + 4, elementBehind(elements, at));
export const elementBehind = (elements: Buffer, at: number): number => at + 4 + elements.readInt32BE(at);

/** The binary array of `length` elements, which may be in several buffers. */
export const binaryArrayOf = (type: keyof typeof OIDS, length: number, elements: readonly Buffer[]): Buffer =>
  Buffer.concat([headOf(type, length), ...elements]);

/** 32-bit integers as a binary array. */
export function integersOf(values: readonly number[]): Buffer {
  const elements = Buffer.allocUnsafe(8 * values.length);
  let at = 0;
  for (const value of values) at = elements.writeInt32BE(value, elements.writeInt32BE(4, at));
  return binaryArrayOf('integer', values.length, [elements]);
}

/** Array header: dimensions, null flag, type, length, lower bound. */
function headOf(type: keyof typeof OIDS, length: number): Buffer {
  const head = Buffer.allocUnsafe(20);
  [1, 0, OIDS[type], length, 1].forEach((word, index) => head.writeInt32BE(word, index * 4));
  return head;
}

/** Inserts rows. `conflict`: an `on conflict` clause for existing rows. */
export async function insertRows<Name extends string>(
  db: ClientBase,
  table: string,
  types: Types<Name>,
  rows: readonly Row<NoInfer<Name>>[],
  conflict = '',
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(types) as Name[];
  await db.query(
    `insert into ${table} (${names.join(', ')}) select * from unnest(${names.map((name, index) => `$${index + 1}::${types[name]}[]`).join(', ')}) ${conflict}`,
    names.map((name) =>
      arrayOf(
        types[name],
        rows.map((row) => row[name]),
      ),
    ),
  );
}

/** Sets the columns of `types` in the rows with the same integer `key`. */
export async function updateRows<Name extends string, Key extends string>(
  db: ClientBase,
  table: string,
  key: Key,
  types: Types<Name>,
  rows: readonly Row<NoInfer<Name | Key>>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const alike = (name: Name): boolean => rows.every((row) => row[name] === first[name]);
  const values: unknown[] = [
    arrayOf(
      'integer',
      rows.map((row) => row[key]),
    ),
  ];
  const set: string[] = [];
  const joined = [`$1::integer[]`];
  const named: string[] = [key];
  for (const name of Object.keys(types) as Name[]) {
    const type = types[name];
    if (alike(name)) {
      values.push(scalarOf(type, first[name]));
      set.push(`${name} = $${values.length}::${type}`);
    } else {
      values.push(
        arrayOf(
          type,
          rows.map((row) => row[name]),
        ),
      );
      set.push(`${name} = n.${name}`);
      joined.push(`$${values.length}::${type}[]`);
      named.push(name);
    }
  }
  await db.query(
    `update ${table} t set ${set.join(', ')} from unnest(${joined.join(', ')}) n (${named.join(', ')}) where t.${key} = n.${key}`,
    values,
  );
}

const scalarOf = (type: Type, value: unknown): unknown =>
  type === 'json' && value != null ? JSON.stringify(value) : value;

function elementOf(type: Type, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  // The JSON text has no control characters, so JSON quoting is valid array quoting.
  if (type === 'json') return JSON.stringify(JSON.stringify(value));
  if (type !== 'text') return String(value);
  const text = String(value);
  return NEEDS_ESCAPE.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

const NEEDS_ESCAPE = /["\\]/;
