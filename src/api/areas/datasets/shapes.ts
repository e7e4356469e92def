/** Datasets, columns, groups and records as they come in and go out. */
import { z } from 'zod';
import { COLUMN_TYPES, GEOCODING_COLUMNS, type Column } from '../../../events/datasets/columns.js';
import { DATASET_KINDS, datasetStream, type Group } from '../../../events/datasets/events.js';
import type { Via } from '../../../projections/alliances/open.js';
import type { DatasetRow } from '../../../projections/datasets/datasets.js';
import type { DatasetRecord, Shared } from '../../../projections/datasets/readable-records.js';
import { viaSchema } from '../alliances/taking.js';
import { idSchema } from '../../core/ids.js';
import { codeInput } from './filters.js';
import { matcherOf, MOST_PATTERN } from './patterns.js';
import { invalid } from './values.js';
import { ownVersionSchema, versionBy } from '../../core/versions.js';

const MOST_COLUMNS = 200;

export const groupId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,40}$/)
  .describe('Letters, digits, hyphen, dot, underscore.');
export const nameInput = z.string().trim().min(1).max(200);

/** Types that name or locate a person where nobody says otherwise. */
const PERSONAL = new Set<Column['type']>(['email', 'phone', 'address']);

export const columnInput = z.strictObject({
  code: codeInput,
  name: nameInput.optional().describe('Absent: as the code.'),
  type: z.enum(COLUMN_TYPES),
  required: z.boolean().default(false),
  personal: z
    .boolean()
    .optional()
    .describe('Sealed in each record, erasable, found by words alone. Absent: true for email, phone and address.'),
  hidden: z.boolean().default(false).describe('Takes no values any more and is not shown.'),
  options: z.array(z.string().trim().min(1).max(100)).min(1).max(500).optional(),
  reference: idSchema
    .optional()
    .describe('Of `reference`: the dataset whose records are named, by its key where it has one, else by `record_id`.'),
  min: z.number().optional().describe('Of numbers; of texts their length.'),
  max: z.number().optional(),
  pattern: z
    .string()
    .min(1)
    .max(MOST_PATTERN)
    .optional()
    .describe(
      'Of `text`: a regular expression (RE2 syntax) that a value matches as a whole. Such values have at most 200 letters.',
    ),
});
/** Also none: those of a dataset of the kind `geocoding` come with it. */
export const ownColumnsInput = z.array(columnInput).max(MOST_COLUMNS);
export const columnsInput = ownColumnsInput.min(1);

/** As they are kept; throws INVALID_INPUT for what the members say together. */
export function toColumns(given: readonly z.infer<typeof columnInput>[]): Column[] {
  const errors = given.flatMap(({ code, type, options, reference, pattern }, index) => {
    const at = `/columns/${index}`;
    const chooses = type === 'select' || type === 'multi_select';
    const refers = type === 'reference';
    return [
      ...(given.findIndex((other) => other.code === code) < index
        ? [{ field: 'code', path: `${at}/code`, code: 'INVALID_FORM' }]
        : []),
      ...(chooses === (options !== undefined)
        ? []
        : [{ field: 'options', path: `${at}/options`, code: chooses ? 'REQUIRED' : 'INVALID_FORM' }]),
      ...(refers === (reference !== undefined)
        ? []
        : [{ field: 'reference', path: `${at}/reference`, code: refers ? 'REQUIRED' : 'INVALID_FORM' }]),
      ...(pattern === undefined || (type === 'text' && matcherOf(pattern))
        ? []
        : [{ field: 'pattern', path: `${at}/pattern`, code: 'INVALID_FORM' }]),
    ];
  });
  if (errors.length > 0) throw invalid(errors);
  return given.map(({ name, personal, ...column }) => ({
    ...column,
    name: name ?? column.code,
    personal: personal ?? PERSONAL.has(column.type),
  }));
}

/** Those that every dataset for geocoding has come first. */
export function withGeocoding(columns: readonly Column[]): Column[] {
  const own = new Set(GEOCODING_COLUMNS.map(({ code }) => code));
  const taken = columns.findIndex(({ code }) => own.has(code));
  if (taken >= 0) throw invalid([{ field: 'code', path: `/columns/${taken}/code`, code: 'INVALID_FORM' }]);
  return [...GEOCODING_COLUMNS, ...columns];
}

/** The key is a column in which each record has a value that anybody of the office may read. */
export function checkKey(columns: readonly Column[], key: string | undefined): void {
  if (key === undefined) return;
  const column = columns.find(({ code }) => code === key);
  const fits =
    column?.required === true &&
    !column.personal &&
    !column.hidden &&
    ['text', 'integer', 'select', 'tracking_number', 'url'].includes(column.type);
  if (!fits) throw invalid([{ field: 'key_column', path: '/key_column', code: 'INVALID_FORM' }]);
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
    reference: z.int().optional().describe('The dataset whose records are named; not told to partners.'),
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
    record_count: z.int().describe('Without those of the groups in it.'),
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
    values: z.record(z.string(), z.unknown()).describe('By the codes of their columns.'),
    updated_at: z.string(),
    updated_by: z.int().nullable().describe('The user who put this version.'),
    match: z
      .object({ score: z.number().describe('From 0 to 1.'), columns: z.array(z.string()) })
      .optional()
      .describe('Where one searched by words.'),
    broken_references: z
      .array(z.string())
      .optional()
      .describe("Columns that name a record which is not there any more; not told of a partner's dataset."),
  })
  .meta({ id: 'DatasetRecord' });

/** `via`: of a partner's, through which grant. */
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

/** Values in the order of the columns, without hidden ones; of `only`, where it is given. */
export function shownValues(
  columns: readonly Column[],
  values: Readonly<Record<string, unknown>>,
  only?: readonly string[],
): Record<string, unknown> {
  const shown = columns.filter(({ code, hidden }) => !hidden && code in values && (only?.includes(code) ?? true));
  return Object.fromEntries(shown.map(({ code }) => [code, values[code]]));
}

export interface HowShown {
  /** Of a partner's dataset: not who wrote it. */
  readonly shared?: Shared | undefined;
  /** Only these columns. */
  readonly only?: readonly string[] | undefined;
  /** Columns whose references lead nowhere. */
  readonly broken?: readonly string[] | undefined;
}

/** A record as it is told. */
export const shownRecord = (
  record: DatasetRecord,
  columns: readonly Column[],
  { shared, only, broken = [] }: HowShown,
): z.infer<typeof recordOutput> => ({
  id: record.id,
  group_id: record.group_id,
  version: record.version,
  values: shownValues(columns, record.values, only),
  updated_at: record.updated_at,
  updated_by: shared ? null : record.updated_by,
  ...(record.match && { match: { score: record.match.score, columns: [...record.match.columns] } }),
  ...(broken.length > 0 && { broken_references: [...broken] }),
});
