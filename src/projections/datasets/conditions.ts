/**
 * SQL conditions on the values of records. The values in a condition are already checked against the column's type.
 * Values are compared as JSON and never cast, because the planner may evaluate records of other datasets. There, the
 * same column code may have a different type.
 */
import { sql, type RawBuilder } from 'kysely';
import { isNear, metresFrom, type Position } from '../core/geo.js';

export const OPERATORS = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'between',
  'in',
  'contains',
  'starts_with',
  'empty',
  'within_m',
  'within',
  'broken',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** A ring of `[longitude, latitude]` positions. The first one is also the last one. */
export type Ring = readonly (readonly [number, number])[];

/** A dataset whose records are identified by the values of this column, or by their ids. */
export interface ReferenceTarget {
  readonly dataset: number;
  readonly key: string | undefined;
}

export type Condition = { readonly column: string } & (
  | { readonly op: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'; readonly value: unknown }
  | { readonly op: 'between'; readonly value: readonly [unknown, unknown] }
  | { readonly op: 'in'; readonly value: readonly unknown[] }
  | { readonly op: 'contains'; readonly in: 'text' | 'list'; readonly value: string }
  | { readonly op: 'contains'; readonly in: 'polygon'; readonly value: Position }
  | { readonly op: 'starts_with'; readonly value: string }
  | { readonly op: 'empty'; readonly value: boolean }
  | { readonly op: 'within_m'; readonly value: Position & { readonly metres: number } }
  | { readonly op: 'within'; readonly value: Ring }
  /** True: the referenced record does not exist. False: it exists. */
  | { readonly op: 'broken'; readonly value: boolean; readonly target: ReferenceTarget }
);

const COMPARISONS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

const json = (value: unknown): RawBuilder<unknown> => sql`${JSON.stringify(value)}::jsonb`;
/** SQL condition that can use the index over all values. */
const has = (column: string, value: unknown): RawBuilder<boolean> =>
  sql<boolean>`fields @> ${json({ [column]: value })}`;
/** Escapes a text for a LIKE pattern. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
const pointOf = (column: string) => ({
  latitude: sql`(fields -> ${column}::text ->> 'latitude')::float8`,
  longitude: sql`(fields -> ${column}::text ->> 'longitude')::float8`,
});

/** Condition on rows of `records.records`. */
export function conditionOf(condition: Condition): RawBuilder<boolean> {
  const { column } = condition;
  const value = sql`fields -> ${column}::text`;
  switch (condition.op) {
    case 'eq':
      return has(column, condition.value);
    case 'ne':
      return sql<boolean>`(${value} is distinct from ${json(condition.value)})`;
    case 'in':
      return sql<boolean>`(${sql.join(
        condition.value.map((one) => has(column, one)),
        sql` or `,
      )})`;
    case 'between':
      return sql<boolean>`(${value} between ${json(condition.value[0])} and ${json(condition.value[1])})`;
    case 'contains':
      if (condition.in === 'polygon') return holds(value, condition.value);
      if (condition.in === 'list') return has(column, [condition.value]);
      return sql<boolean>`(fields ->> ${column}::text) ilike ${`%${escaped(condition.value)}%`}`;
    case 'starts_with':
      return sql<boolean>`(fields ->> ${column}::text) ilike ${`${escaped(condition.value)}%`}`;
    case 'empty':
      return sql<boolean>`(${value} is null) = ${condition.value}`;
    case 'within_m':
      return isNear(condition.value, condition.value.metres, pointOf(column));
    case 'within': {
      const { latitude, longitude } = pointOf(column);
      return sql<boolean>`point(${longitude}, ${latitude}) <@ ${polygonText(condition.value)}::polygon`;
    }
    case 'broken':
      return sql<boolean>`(${value} is not null and ${condition.value ? sql`not ` : sql``}${leads(column, condition.target)})`;
    default:
      return sql<boolean>`(${value} ${sql.raw(COMPARISONS[condition.op])} ${json(condition.value)})`;
  }
}

/**
 * Whether the value refers to an existing record of an existing dataset. `r` is the alias of the rows. The `exists`
 * uses equality only, so that a million records are joined at once instead of being looked up one by one.
 */
function leads(column: string, { dataset, key }: ReferenceTarget): RawBuilder<boolean> {
  const value = sql`r.fields -> ${column}::text`;
  // Only numbers in the integer range are treated as ids.
  const id = sql`case when jsonb_typeof(${value}) = 'number' then
    case when (${value})::numeric between 1 and 2147483647 then (${value})::numeric::int end end`;
  const named = key === undefined ? sql`t.id = ${id}` : sql`t.fields -> ${key}::text = ${value}`;
  return sql<boolean>`exists (
    select from records.records t join datasets.datasets d on d.id = t.dataset_id and not d.archived
     where t.dataset_id = ${dataset} and not t.removed and ${named})`;
}

/** Distance in metres from a position to the point in a column. */
export const distanceTo = (column: string, position: Position): RawBuilder<number> =>
  metresFrom(position, pointOf(column));

const polygonText = (ring: Ring): string => `(${ring.map(([x, y]) => `(${x},${y})`).join()})`;

/** Rows whose polygon contains the position. */
const holds = (value: RawBuilder<unknown>, { latitude, longitude }: Position): RawBuilder<boolean> =>
  sql<boolean>`(jsonb_typeof(${value}) = 'array' and point(${longitude}::float8, ${latitude}::float8) <@ (
    select ('(' || string_agg('(' || (c.at ->> 0) || ',' || (c.at ->> 1) || ')', ',' order by c.n) || ')')::polygon
      from jsonb_array_elements(case when jsonb_typeof(${value}) = 'array' then ${value} end) with ordinality c (at, n)))`;
