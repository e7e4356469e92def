/** Tables that a request imports: CSV text, or an uploaded file. The columns have the names of fields. */
import { z } from 'zod';
import type { TableLimits } from '../../../engines/file-reader/limits.js';
import type { FileContent } from '../../../engines/file-reader/readers.js';
import type { Files } from '../../../engines/files/files.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { unescapeFormulas } from '../../core/csv.js';
import { ApiError, fieldError, invalidField, invalidForm } from '../../core/errors.js';
import { loadFile } from './load-file.js';
import { readAll, type Readers } from './read-pieces.js';

const CSV = 'text/csv';
/** Limit per table. */
const MAX_LINES = 5_000;

export const tableInput = {
  csv: z.string().min(1).max(1_000_000).optional().describe('The complete table. Required unless `file_id` is given.'),
  file_id: z.uuid().optional().describe('Uploaded CSV file with the purpose `import`, instead of `csv`.'),
};

/** The input member that maps columns of a table to fields. `id`: name of the schema of one column. */
export const mappingInput = <const Columns extends readonly [string, ...string[]]>(columns: Columns, id: string) =>
  z
    .array(z.strictObject({ from: z.string().max(100), to: z.union([z.enum(columns), z.literal('')]) }).meta({ id }))
    .max(200)
    .default([])
    .describe('`from`: name of a column in the table. `to`: field that the column sets.');

export const endLineOutput = z
  .int()
  .nullable()
  .describe(
    'Number of the last line before the blank rows that ended the table. Null: the service read the whole table.',
  );

/** Errors of operations that import a table. */
export const TABLE_ANSWERS = {
  422: '`IMPORT_REJECTED`: some lines are invalid, and `on_error` is `stop`. `TABLE_TOO_WIDE`, `TABLE_TOO_LARGE`, `FILE_READ_MEMORY`, `FILE_READ_TIME`, `FILE_READ_FAILED`: the table cannot be read within the limits.',
  429: '`TOO_MANY_JOBS`: too many jobs are queued.',
  503: '`UNAVAILABLE`: too many files of the business are read at the moment.',
};

export interface ImportTableOptions {
  readonly files: Pick<Files, 'find' | 'open' | 'release'> & { readonly readers: Readers };
  readonly tableLimits: TableLimits;
}

interface Requested {
  readonly csv?: string | undefined;
  readonly file_id?: string | undefined;
  readonly mapping: readonly { readonly from: string; readonly to: string }[];
}

/** A line with text, by column. Empty cells and ignored columns are absent. */
export interface TableLine {
  /** Line number in the file, from 1; the header is line 1. */
  readonly line: number;
  readonly cells: ReadonlyMap<string, string>;
}

export interface ImportedTable {
  /** Lines that are not blank. */
  readonly lines: readonly TableLine[];
  /** Line after which blank rows ended the table; undefined: it was read to its end. */
  readonly endLine: number | undefined;
}

/** `exported`: the first columns of tables that this service exported. Their cells may have apostrophes to remove. */
export interface TableColumns {
  readonly columns: readonly string[];
  readonly exported?: readonly string[];
}

export type ReadImportTable = ReturnType<typeof createReadImportTable>;

/**
 * Throws INVALID_INPUT for text that is not a table, for unknown columns and too many lines; and the codes of files
 * that end their reader process.
 */
export function createReadImportTable({ files, tableLimits: limits }: ImportTableOptions) {
  /** Only the user who uploaded a file may import it. */
  async function contentOf({ csv, file_id }: Requested, caller: Caller): Promise<FileContent> {
    if (csv === undefined && file_id === undefined) throw invalidField('REQUIRED', 'csv');
    if (csv !== undefined && file_id !== undefined) throw invalidForm('file_id', 'absent if `csv` is present');
    if (file_id === undefined) return Buffer.from(csv!);
    const file = await files.find(file_id);
    if (!file || file.business !== businessOf(caller) || file.owner !== userOf(caller).userId)
      throw new ApiError('FILE_NOT_FOUND');
    if (file.purpose !== 'import' || file.media_type !== CSV)
      throw fieldError('UNSUPPORTED_MEDIA_TYPE', 'file_id', { allowed: CSV });
    return () => loadFile(files, file_id);
  }

  return async (
    requested: Requested,
    caller: Caller,
    { columns, exported = [] }: TableColumns,
  ): Promise<ImportedTable> => {
    const content = await contentOf(requested, caller);
    const options = { mediaType: CSV, headerRow: 1, csv: { trim: true, strict: true }, maxRows: MAX_LINES + 1, limits };
    const field = requested.csv === undefined ? 'file_id' : 'csv';
    const by = { business: businessOf(caller), field };
    const pieces = await readAll(files.readers.requests, 'table', content, options, by).catch((error: unknown) => {
      throw error instanceof ApiError && error.code === 'TABLE_UNREADABLE' ? notATable(error) : error;
    });
    const written = pieces.flatMap((piece) => ('header' in piece ? piece.header : [])).map(String);
    const isExport = exported.length > 0 && exported.every((name, index) => written[index] === name);
    const original = (cell: string): string => (isExport ? unescapeFormulas(cell) : cell);
    const members = membersOf(written.map(original), columns, requested.mapping);
    const rows = pieces.flatMap((piece) => ('rows' in piece ? piece.rows : []));
    if (rows.length > MAX_LINES)
      throw new ApiError('INVALID_INPUT', {
        errors: [{ field: 'csv', path: '/csv', code: 'TOO_MANY_ITEMS', params: { max: MAX_LINES } }],
      });
    const cellOf = (cells: readonly unknown[], index: number): string =>
      original(String((cells[index] as string) ?? ''));
    const lines = rows.map(({ line, cells }) => ({
      line,
      cells: new Map(
        members
          .map((member, index) => [member, cellOf(cells, index)] as const)
          .filter(([member, cell]) => member !== '' && cell !== ''),
      ),
    }));
    const [endLine] = pieces.flatMap((piece) => ('endLine' in piece ? piece.endLine : []));
    return { lines, endLine };
  };
}

/** The field of each column; empty: the column is ignored. Throws INVALID_INPUT. */
function membersOf(names: readonly string[], columns: readonly string[], mapping: Requested['mapping']): string[] {
  const mapped = new Map(mapping.map(({ from, to }) => [from, to]));
  const members = names.map((name) => mapped.get(name) ?? name);
  members.forEach((member, index) => {
    if (member !== '' && !columns.includes(member)) throw unknownColumn(names[index]!, columns);
    if (member !== '' && members.indexOf(member) < index) throw invalidField('NOT_UNIQUE', member, '/csv');
  });
  return members;
}

/** The reason is in English, as the CSV parser describes it. */
function notATable({ params: { reason } }: ApiError): ApiError {
  const table = 'a table of comma-separated values';
  return invalidForm('csv', reason === undefined ? table : `${table} (${reason})`);
}

const unknownColumn = (field: string, columns: readonly string[]): ApiError =>
  new ApiError('INVALID_INPUT', {
    errors: [{ field, path: '/csv', code: 'UNKNOWN_COLUMN', params: { column: field, known: columns.join(', ') } }],
  });
