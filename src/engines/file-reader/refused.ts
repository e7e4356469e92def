/** The error of a file that cannot be read. Its code is an error code of the API. */
import type { TableLimits } from './limits.js';

/** Codes of faults of the content. */
export type RefusalCode =
  | 'FILE_SUSPICIOUS'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'GEOJSON_INVALID'
  | 'INVALID_ENCODING'
  | 'SHEET_NOT_FOUND'
  | 'TABLE_UNREADABLE'
  | 'TABLE_TOO_WIDE'
  | 'TABLE_TOO_LARGE'
  | 'WRONG_BYTE'
  | EndCode;
/** Codes of files that ended the process that read them. */
export type EndCode = 'FILE_READ_MEMORY' | 'FILE_READ_TIME' | 'FILE_READ_FAILED';

export type RefusalParams = Readonly<Record<string, string | number>>;

export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  constructor(
    readonly code: RefusalCode,
    readonly params: RefusalParams = {},
  ) {
    super(code);
  }
}

/** So many files of the business wait for a process that the next one is refused. */
export class ReadersBusy extends Error {
  override readonly name = 'ReadersBusy';
}

export const tooManyCells = ({ cells }: TableLimits): FileRefused => new FileRefused('TABLE_TOO_LARGE', { max: cells });
export const tooWide = ({ columns }: TableLimits): FileRefused =>
  new FileRefused('TABLE_TOO_WIDE', { columns, rows: MAX_ROWS });

/** Last row of a sheet (ECMA-376 part 1, section 18.3.1.73, and the limits of spreadsheet programs). */
export const MAX_ROWS = 1_048_576;
