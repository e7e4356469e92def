/** Columns of a dataset: their content is declared, never guessed. */
import { z } from 'zod';

export const COLUMN_TYPES = [
  'text',
  'number',
  'integer',
  'money',
  'boolean',
  'date',
  'time',
  'datetime',
  'select',
  'multi_select',
  'email',
  'phone',
  'url',
  'address',
  'point',
  'polygon',
  'tracking_number',
  'reference',
] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

export const columnSchema = z.object({
  code: z.string(),
  name: z.string(),
  type: z.enum(COLUMN_TYPES),
  required: z.boolean(),
  /** Names or locates a person: sealed in each record, found by search alone. For good, like the type. */
  personal: z.boolean(),
  /** It takes no values any more and is not shown. */
  hidden: z.boolean(),
  /** Of select and multi_select. */
  options: z.array(z.string()).optional(),
  /** The dataset whose records values name: by its key (`reference_key`), where it has one, else by their ids. */
  reference: z.int().optional(),
  reference_key: z.string().optional(),
  /** Of numbers; of texts their length. */
  min: z.number().optional(),
  max: z.number().optional(),
  /** Of texts: RE2 syntax; a value matches it as a whole. */
  pattern: z.string().optional(),
});
export type Column = z.infer<typeof columnSchema>;

/** Columns that a dataset for geocoding begins with: places with their positions, and nobody who lives there. */
export const GEOCODING_COLUMNS: readonly Column[] = (
  [
    ['street', 'Street and number', 'text', false],
    ['postal_code', 'Postal code', 'text', false],
    ['city', 'City', 'text', false],
    ['country', 'Country', 'text', true],
    ['position', 'Position', 'point', true],
  ] as const
).map(([code, name, type, required]) => ({ code, name, type, required, personal: false, hidden: false }));
