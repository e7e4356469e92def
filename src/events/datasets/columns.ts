/** Columns of a dataset. Their types are declared, never inferred. */
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
  /**
   * The column identifies or locates a person: encrypted in each record, and found only by search. It cannot be changed
   * later; neither can the type.
   */
  personal: z.boolean(),
  /** The column accepts no values and is not shown. */
  hidden: z.boolean(),
  /** For select and multi_select. */
  options: z.array(z.string()).optional(),
  /** The dataset whose records the values refer to: by its key (`reference_key`) if it has one, otherwise by id. */
  reference: z.int().optional(),
  reference_key: z.string().optional(),
  /** Range of numbers, or length of texts. */
  min: z.number().optional(),
  max: z.number().optional(),
  /** For texts: RE2 syntax; the whole value must match. */
  pattern: z.string().optional(),
});
export type Column = z.infer<typeof columnSchema>;

/** Initial columns of a geocoding dataset: places with their positions, and no residents. */
export const GEOCODING_COLUMNS: readonly Column[] = (
  [
    ['street', 'Street and number', 'text', false],
    ['postal_code', 'Postal code', 'text', false],
    ['city', 'City', 'text', false],
    ['country', 'Country', 'text', true],
    ['position', 'Position', 'point', true],
  ] as const
).map(([code, name, type, required]) => ({ code, name, type, required, personal: false, hidden: false }));
