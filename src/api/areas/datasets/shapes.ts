/** Input and output schemas of datasets, columns, groups and records. */
import { z } from 'zod';
import { COLUMN_TYPES, GEOCODING_COLUMNS, type Column } from '../../../events/datasets/columns.js';
import { DATASET_KINDS, type Group, datasetStream } from '../../../events/datasets/events.js';
import type { Via } from '../../../projections/alliances/active-grants.js';
import type { DatasetRow } from '../../../projections/datasets/datasets.js';
import type { DatasetRecord, Shared } from '../../../projections/datasets/readable-records.js';
import { viaSchema } from '../alliances/grantee.js';
import { formatError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { codeInput } from './filters.js';
import { matcherOf, MAX_PATTERN_LENGTH } from './patterns.js';
import { invalidInput } from './values.js';
import { ownVersionSchema, versionBy } from '../../core/versions.js';

const MAX_COLUMNS = 200;

export const groupId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,40}$/)
  .describe('Id of a group: letters, digits, hyphens, dots and underscores.');
export const nameInput = z.string().trim().min(1).max(200);

/** Types that are personal by default, because their values identify or locate a person. */
const PERSONAL_TYPES = new Set<Column['type']>(['email', 'phone', 'address']);

export const columnInput = z
  .strictObject({
    code: codeInput,
    name: nameInput.optional().describe('Display name. Default: the code.'),
    type: z.enum(COLUMN_TYPES),
    required: z.boolean().default(false),
    personal: z
      .boolean()
      .optional()
      .describe(
        'Whether values are personal data. Personal data is encrypted, can be erased, and can be searched only by words. Default: true for email, phone and address.',
      ),
    hidden: z
      .boolean()
      .default(false)
      .describe('Whether the column is hidden: it accepts no values and is not returned.'),
    options: z.array(z.string().trim().min(1).max(100)).min(1).max(500).optional(),
    reference: idSchema
      .optional()
      .describe(
        'For type `reference`: id of the dataset referred to. Values are its keys, or record ids if it has no key.',
      ),
    min: z.number().optional().describe('Minimum value of numbers, or minimum length of texts.'),
    max: z.number().optional(),
    pattern: z
      .string()
      .min(1)
      .max(MAX_PATTERN_LENGTH)
      .optional()
      .describe(
        'For type `text`: regular expression (RE2 syntax) that the whole value must match. Values then have at most 200 characters.',
      ),
  })
  .meta({ id: 'DatasetColumnInput' });
/** May be empty, because a dataset of the kind `geocoding` has predefined columns. */
export const ownColumnsInput = z.array(columnInput).max(MAX_COLUMNS);
export const columnsInput = ownColumnsInput.min(1);

/** The columns in their stored form. Throws INVALID_INPUT for inconsistent members. */
export function toColumns(inputColumns: readonly z.infer<typeof columnInput>[]): Column[] {
  const errors = inputColumns.flatMap(({ code, type, options, reference, pattern }, index) => {
    const at = `/columns/${index}`;
    const hasOptions = type === 'select' || type === 'multi_select';
    const isReference = type === 'reference';
    return [
      ...(inputColumns.findIndex((other) => other.code === code) < index
        ? [formatError('code', 'a code that no other column has', `${at}/code`)]
        : []),
      ...(hasOptions === (options !== undefined)
        ? []
        : [
            hasOptions
              ? { field: 'options', path: `${at}/options`, code: 'REQUIRED' }
              : formatError('options', 'absent unless `type` is `select` or `multi_select`', `${at}/options`),
          ]),
      ...(isReference === (reference !== undefined)
        ? []
        : [
            isReference
              ? { field: 'reference', path: `${at}/reference`, code: 'REQUIRED' }
              : formatError('reference', 'absent unless `type` is `reference`', `${at}/reference`),
          ]),
      ...(pattern === undefined || (type === 'text' && matcherOf(pattern))
        ? []
        : [formatError('pattern', 'a regular expression (RE2) for a column of the type `text`', `${at}/pattern`)]),
    ];
  });
  if (errors.length > 0) throw invalidInput(errors);
  return inputColumns.map(({ name, personal, ...column }) => ({
    ...column,
    name: name ?? column.code,
    personal: personal ?? PERSONAL_TYPES.has(column.type),
  }));
}

/** Puts the predefined columns of geocoding datasets before the given columns. */
export function withGeocoding(columns: readonly Column[]): Column[] {
  const geocodingCodes = new Set(GEOCODING_COLUMNS.map(({ code }) => code));
  const conflictIndex = columns.findIndex(({ code }) => geocodingCodes.has(code));
  if (conflictIndex >= 0)
    throw invalidInput([
      formatError('code', 'a code that no column of a geocoding dataset has', `/columns/${conflictIndex}/code`),
    ]);
  return [...GEOCODING_COLUMNS, ...columns];
}

/** Checks the key column: it must be required, visible, not personal, and of a suitable type. */
export function checkKey(columns: readonly Column[], key: string | undefined): void {
  if (key === undefined) return;
  const column = columns.find(({ code }) => code === key);
  const fits =
    column?.required === true &&
    !column.personal &&
    !column.hidden &&
    ['text', 'integer', 'select', 'tracking_number', 'url'].includes(column.type);
  if (!fits)
    throw invalidInput([
      formatError(
        'key_column',
        'a required column, neither personal nor hidden, of the type text, integer, select, tracking_number or url',
      ),
    ]);
}

const columnOutput = z
  .object({
    code: z.string(),
    name: z.string(),
    type: z.enum(COLUMN_TYPES),
    required: z.boolean(),
    personal: z.boolean(),
    hidden: z.boolean(),
    options: z.array(z.string()).optional(),
    reference: z.int().optional().describe('Id of the dataset that the column refers to. Omitted for partners.'),
    min: z.number().optional(),
    max: z.number().optional(),
    pattern: z.string().optional(),
  })
  .meta({ id: 'DatasetColumn' });

export const groupOutput = z
  .object({
    id: z.string(),
    name: z.string(),
    parent: z.string().nullable(),
    record_count: z.int().describe('Number of records in the group. Records of subgroups do not count.'),
  })
  .meta({ id: 'DatasetGroup' });

export const datasetOutput = z
  .object({
    id: z.int(),
    code: z.string(),
    name: z.string(),
    kind: z.enum(DATASET_KINDS),
    key_column: z.string().nullable(),
    columns: z.array(columnOutput),
    group_count: z.int(),
    record_count: z.int(),
    updated_at: z.string(),
    version: ownVersionSchema,
    via_alliance: viaSchema,
  })
  .meta({ id: 'Dataset' });

/** Groups are in the stream of their dataset. Records have streams and versions of their own. */
export const DATASET_VERSION = versionBy('dataset_id', datasetStream);

export const recordOutput = z
  .object({
    id: z.int(),
    group_id: z.string().nullable(),
    version: z.int(),
    values: z.record(z.string(), z.unknown()).describe('Values by column code.'),
    updated_at: z.string(),
    updated_by: z
      .int()
      .nullable()
      .describe('Id of the user who wrote this version. Null for the dataset of a partner.'),
    match: z
      .object({ score: z.number().describe('Relevance of the record, from 0 to 1.'), columns: z.array(z.string()) })
      .meta({ id: 'DatasetRecordMatch' })
      .optional()
      .describe('Match of the record. Present only in searches by words.'),
    broken_references: z
      .array(z.string())
      .optional()
      .describe('Columns that refer to a removed record. Omitted for the dataset of a partner.'),
  })
  .meta({ id: 'DatasetRecord' });

/** `via`: the grant of a partner's dataset. */
export const toDataset = (row: DatasetRow, records: number, via?: Via): z.infer<typeof datasetOutput> => ({
  id: row.id,
  code: row.code,
  name: row.name,
  kind: row.kind,
  key_column: row.key_column,
  columns: row.columns.map(({ reference_key: _key, ...column }) => column),
  group_count: row.groups.length,
  record_count: records,
  updated_at: row.updated_at,
  ...(via ? { via_alliance: via } : { version: row.revision }),
});

export const toGroup = (
  { group_id, name, parent = undefined }: Group,
  counts: ReadonlyMap<string, number>,
): z.infer<typeof groupOutput> => ({
  id: group_id,
  name,
  parent: parent ?? null,
  record_count: counts.get(group_id) ?? 0,
});

/** Values in column order, without hidden columns. `only`: codes of the columns to return. */
export function visibleValues(
  columns: readonly Column[],
  values: Readonly<Record<string, unknown>>,
  only?: readonly string[],
): Record<string, unknown> {
  const visibleColumns = columns.filter(
    ({ code, hidden }) => !hidden && code in values && (only?.includes(code) ?? true),
  );
  return Object.fromEntries(visibleColumns.map(({ code }) => [code, values[code]]));
}

export interface RecordResponseOptions {
  /** Set for a partner's dataset: the author is omitted. */
  readonly shared?: Shared | undefined;
  /** Codes of the columns to return; undefined: all. */
  readonly only?: readonly string[] | undefined;
  /** Columns with broken references. */
  readonly broken?: readonly string[] | undefined;
}

/** A record as the API returns it. */
export const toRecordResponse = (
  record: DatasetRecord,
  columns: readonly Column[],
  { shared, only, broken = [] }: RecordResponseOptions,
): z.infer<typeof recordOutput> => ({
  id: record.id,
  group_id: record.group_id,
  version: record.version,
  values: visibleValues(columns, record.values, only),
  updated_at: record.updated_at,
  updated_by: shared ? null : record.updated_by,
  ...(record.match && { match: { score: record.match.score, columns: [...record.match.columns] } }),
  ...(broken.length > 0 && { broken_references: [...broken] }),
});
