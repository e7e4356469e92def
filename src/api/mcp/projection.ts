/**
 * Fits results into a model's context: only the members that the tool shows or the call selects, no null members, and
 * pages of a limited size. Rows beyond the limit are never dropped silently: `next` or `omitted` reports them.
 */
import type { z } from 'zod';
import { pickFields, readFields, withoutNull, type Fields } from '../core/fields.js';

/**
 * Objects of the result that `fields` selects from, and the members that are returned by default. `orders[].order` is
 * `order` of each entry of `orders`; an empty path is the result itself.
 */
export type ProjectedFields = Readonly<Record<string, string>>;

/** Maximum size of a page as JSON. Bytes. */
export const MAX_PAGE_BYTES = 36_000;

/** The result of a tool. */
export interface Projected {
  readonly shown: unknown;
  /**
   * Set if the page is too large: the number of rows that fit. The caller must read the page again with this number,
   * because the cursor continues after all rows.
   */
  readonly fitting?: number;
}

/** Converts the operation's result to the tool's result. */
export type Project = (result: unknown, args: Readonly<Record<string, unknown>>) => Projected;

type Members = Readonly<Record<string, unknown>>;

interface Target {
  readonly steps: readonly { readonly name: string; readonly isList: boolean }[];
  readonly schema: z.core.$ZodType;
  readonly usual: Fields | undefined;
}

/** Throws if a path or a default names a member that the output lacks. */
export function createProjection(projected: ProjectedFields, output: z.core.$ZodType) {
  const targets = Object.entries(projected).map(([path, usual]) => targetOf(path, usual, output));
  const schemas = targets.map(({ schema }) => schema);
  const lists = targets.flatMap(({ steps: [first] }) => (first?.isList ? [first.name] : []));

  /** Parses the selection before the operation runs; throws INVALID_INPUT. */
  return (text: string | undefined): Project => {
    const selected = text === undefined ? undefined : { fields: readFields(text, schemas) };
    return (result, args) => {
      const shown = targets.reduce(
        (value, { steps, usual }) => pickAt(value, steps, selected ? selected.fields : usual),
        withoutNull(result),
      ) as Members;
      const { result: succeeded, next_cursor: cursor } = result as Members;
      const whole = { ...(succeeded !== undefined && { result: succeeded }), ...shown };
      const list = rowsOf(shown, lists);
      return cursor === undefined ? { shown: bounded(whole, list, args) } : continued(whole, list, cursor);
    };
  };
}

/** Returns the name of the first list that has rows; if none has, the first name. */
const rowsOf = (result: Members, lists: readonly string[]): string | undefined =>
  lists.find((name) => Array.isArray(result[name]) && result[name].length > 0) ?? lists[0];

function targetOf(path: string, usual: string, output: z.core.$ZodType): Target {
  const steps = (path === '' ? [] : path.split('.')).map((step) => ({
    name: step.replace('[]', ''),
    isList: step.endsWith('[]'),
  }));
  const schema = steps.reduce((at, { name }) => memberOf(at, name), output);
  try {
    return { steps, schema, usual: readFields(usual, [schema]) };
  } catch (cause) {
    throw new Error(`The output lacks one of the members ${usual}. Change \`fields\` of the tool.`, { cause });
  }
}

interface SchemaInternals {
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
}

function memberOf(schema: z.core.$ZodType, name: string): z.core.$ZodType {
  const { innerType, element, shape } = schema._zod.def as unknown as SchemaInternals;
  const inside = innerType ?? element;
  if (inside) return memberOf(inside, name);
  const found = shape?.[name];
  if (!found) throw new Error(`The output has no member ${name}. Change \`fields\` of the tool.`);
  return found;
}

function pickAt(value: unknown, [step, ...rest]: Target['steps'], fields: Fields | undefined): unknown {
  if (!step) return pickFields(value, fields);
  if (Array.isArray(value)) return value.map((entry) => pickAt(entry, [step, ...rest], fields));
  if (typeof value !== 'object' || value === null || !(step.name in value)) return value;
  const member = (value as Members)[step.name];
  const inside = step.isList
    ? (member as readonly unknown[]).map((entry) => pickAt(entry, rest, fields))
    : pickAt(member, rest, fields);
  return { ...value, [step.name]: inside };
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The page, cut if it is too large, with the parameters of the next page. A single row is never cut. */
function bounded(result: Members, list: string | undefined, args: Members): Members {
  const rows = list === undefined ? undefined : (result[list] as readonly unknown[] | undefined);
  if (!rows || list === undefined) return trimmed(result);
  const { page, per_page: perPage } = args as { page?: number; per_page?: number };
  const fitting = countWithin(rows, MAX_PAGE_BYTES - bytesOf({ ...result, [list]: [] }));
  if (page === undefined || perPage === undefined)
    return fitting < rows.length
      ? {
          ...result,
          [list]: rows.slice(0, fitting),
          omitted: rows.length - fitting,
          hint: 'The result is too large. Select fewer `fields`, or narrow the query.',
        }
      : result;
  const before = (page - 1) * perPage;
  const size = fitting < rows.length ? pageWithin(before, fitting) : perPage;
  const shown = rows.slice(0, size);
  const isLast = before + shown.length >= Number(result['total']);
  return {
    ...result,
    [list]: shown,
    page: before / size + 1,
    per_page: size,
    ...(!isLast && { next: { page: before / size + 2, per_page: size } }),
  };
}

/** Bytes of the report about omitted rows. */
const REPORT_BYTES = 500;

/** A single object, such as a plan: the longest lists inside it are cut until it fits. */
function trimmed(result: Members): Members {
  const omitted: Record<string, number> = {};
  let shown = result;
  for (
    let excess = bytesOf(shown) - MAX_PAGE_BYTES;
    excess > 0;
    excess = bytesOf(shown) + REPORT_BYTES - MAX_PAGE_BYTES
  ) {
    const [path, rows] = listsIn(shown).reduce((longest, one) => (one[2] > longest[2] ? one : longest), NO_LIST);
    const fitting = countWithin(rows, bytesOf(rows) - excess - REPORT_BYTES);
    if (fitting >= rows.length) break;
    shown = replaced(shown, path, rows.slice(0, fitting)) as Members;
    const name = path.join('.');
    omitted[name] = (omitted[name] ?? 0) + rows.length - fitting;
  }
  return Object.keys(omitted).length === 0
    ? result
    : {
        ...shown,
        omitted_rows: omitted,
        hint: 'The result is too large, so lists were cut. Select fewer `fields`, or use a tool with pages.',
      };
}

type List = readonly [path: readonly string[], rows: readonly unknown[], bytes: number];
const NO_LIST: List = [[], [], 0];

/** The lists inside an object, except those inside lists. */
const listsIn = (value: unknown, path: readonly string[] = []): List[] =>
  Array.isArray(value)
    ? [[path, value, bytesOf(value)]]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) => listsIn(member, [...path, name]))
      : [];

const replaced = (value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown =>
  name === undefined ? by : { ...(value as Members), [name]: replaced((value as Members)[name], rest, by) };

/** The page with the cursor of the next page, or the number of its rows that fit. */
function continued(result: Members, list: string | undefined, cursor: unknown): Projected {
  const { next_cursor: _cursor, ...members } = result;
  const rows = list === undefined ? [] : (result[list] as readonly unknown[]);
  const fitting = countWithin(
    rows,
    MAX_PAGE_BYTES - bytesOf({ ...members, ...(list !== undefined && { [list]: [] }) }),
  );
  return {
    shown: { ...members, ...(cursor !== null && { next: { cursor, per_page: members['per_page'] } }) },
    ...(fitting < rows.length && { fitting }),
  };
}

function countWithin(rows: readonly unknown[], bytes: number): number {
  let left = bytes;
  const count = rows.findIndex((row) => (left -= bytesOf(row) + 1) < 0);
  return count === -1 ? rows.length : Math.max(1, count);
}

/** Preferred page sizes: later, smaller pages can continue from multiples of them. */
const ROUND = [100, 50, 25, 20, 10, 5, 2];

/** The largest page size up to `most` for which `before` rows are complete pages. */
function pageWithin(before: number, most: number): number {
  if (before === 0) return ROUND.find((size) => size <= most) ?? 1;
  for (let size = most; size > 1; size--) if (before % size === 0) return size;
  return 1;
}
