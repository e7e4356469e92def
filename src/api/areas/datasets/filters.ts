/** Filter conditions on records. Each condition is checked against its column. */
import { z } from 'zod';
import type { Column, ColumnType } from '../../../events/datasets/columns.js';
import { OPERATORS, type Condition, type Operator } from '../../../projections/datasets/conditions.js';
import { fieldError } from '../../core/errors.js';
import { positionInput } from '../../core/geo.js';
import { polygonInput } from './polygons.js';
import { checkAtPath, valueSchemaOf, invalidInput } from './values.js';

export const codeInput = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/)
  .describe('Code: lower-case letters, digits and underscores, such as `opening_time`.');

export const filterInput = z
  .strictObject({
    column: codeInput,
    op: z.enum(OPERATORS),
    value: z
      .unknown()
      .optional()
      .describe(
        'Value for the comparison, of the type of the column. `between`: a list of two values. `in`: a list of values. `empty`, and `broken` for references: true (default) or false. `within_m`: an object with latitude, longitude and metres. `within`: a polygon. `contains`, for polygons: an object with latitude and longitude.',
      ),
  })
  .meta({ id: 'DatasetFilterInput' });
export type Filter = z.infer<typeof filterInput>;

const ORDERED_OPERATORS: readonly Operator[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'in', 'empty'];
const TEXT_OPERATORS: readonly Operator[] = ['eq', 'ne', 'in', 'contains', 'starts_with', 'empty'];
const OPERATORS_BY_TYPE: Readonly<Record<ColumnType, readonly Operator[]>> = {
  text: TEXT_OPERATORS,
  number: ORDERED_OPERATORS,
  integer: ORDERED_OPERATORS,
  money: ['eq', 'ne', 'in', 'empty'],
  boolean: ['eq', 'ne', 'empty'],
  date: ORDERED_OPERATORS,
  time: ORDERED_OPERATORS,
  datetime: ORDERED_OPERATORS,
  select: TEXT_OPERATORS,
  multi_select: ['contains', 'empty'],
  email: TEXT_OPERATORS,
  phone: TEXT_OPERATORS,
  url: TEXT_OPERATORS,
  address: ['empty'],
  point: ['within_m', 'within', 'empty'],
  polygon: ['contains', 'empty'],
  tracking_number: TEXT_OPERATORS,
  reference: ['eq', 'ne', 'in', 'empty', 'broken'],
};
const SORTABLE = new Set<ColumnType>([
  'text',
  'number',
  'integer',
  'boolean',
  'date',
  'time',
  'datetime',
  'select',
  'tracking_number',
]);

/** Part of a text. It need not be a valid value of the type itself. */
const textInput = z.string().min(1).max(200);
const nearbyInput = positionInput.extend({ metres: z.number().positive().max(1_000_000) }).meta({ id: 'NearbyInput' });

function filterValueSchema({ type, ...column }: Column, op: Operator): z.ZodType {
  // Without the pattern, so that values stored before the pattern was set can be found too.
  const valueSchema = valueSchemaOf({ type, ...column, pattern: undefined });
  switch (op) {
    case 'between':
      return z.tuple([valueSchema, valueSchema]);
    case 'in':
      return z.array(valueSchema).min(1).max(200);
    case 'empty':
    case 'broken':
      return z.boolean().default(true);
    case 'within_m':
      return nearbyInput;
    case 'within':
      return polygonInput;
    case 'starts_with':
      return textInput;
    case 'contains':
      return type === 'polygon' ? positionInput : textInput;
    default:
      return valueSchema;
  }
}

/** The checked conditions. Throws for unknown columns, and NOT_FILTERABLE for operators that a column lacks. */
export const conditionsOf = (columns: readonly Column[], filters: readonly Filter[], path = '/filters'): Condition[] =>
  filters.map(({ column: code, op, value }, index) => {
    const at = `${path}/${index}`;
    const column = expectVisibleColumn(columns, code, `${at}/column`);
    const { reference, reference_key: key } = column;
    const typeOperators = OPERATORS_BY_TYPE[column.type].filter((one) => one !== 'broken' || reference !== undefined);
    const allowed = column.personal ? [] : typeOperators;
    if (!allowed.includes(op))
      throw fieldError('NOT_FILTERABLE', 'op', { column: code, allowed: allowed.join(', ') || 'q' }, `${at}/op`);
    const checked = checkAtPath(z.object({ value: filterValueSchema(column, op) }), { value }, at)['value'];
    const kind = column.type === 'polygon' ? 'polygon' : column.type === 'multi_select' ? 'list' : 'text';
    return {
      column: code,
      op,
      value: checked,
      ...(op === 'contains' && { in: kind }),
      ...(op === 'broken' && { target: { dataset: reference, key } }),
    } as unknown as Condition;
  });

/** Throws NOT_FILTERABLE for columns that cannot be sorted. */
export function checkSort(columns: readonly Column[], sort: readonly { readonly column: string }[]): void {
  sort.forEach(({ column: code }, index) => {
    const { type, personal } = expectVisibleColumn(columns, code, `/sort/${index}/column`);
    if (personal || !SORTABLE.has(type))
      throw fieldError('NOT_FILTERABLE', 'column', { column: code, allowed: '-' }, `/sort/${index}/column`);
  });
}

/** The visible column with this code. Throws INVALID_VALUE, with the codes of all visible columns. */
export function expectVisibleColumn(columns: readonly Column[], code: string, path: string): Column {
  const visibleColumns = columns.filter(({ hidden }) => !hidden);
  const found = visibleColumns.find((column) => column.code === code);
  if (found) return found;
  const params = { allowed: visibleColumns.map((column) => column.code).join(', ') };
  throw invalidInput([{ field: 'column', path, code: 'INVALID_VALUE', params }]);
}
