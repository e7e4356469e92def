/** Reads the rows of an uploaded table, CSV or XLSX, in a reader process. */
import type { Cell, Row } from '../../../../engines/file-reader/kinds/row.js';
import type { TablePiece } from '../../../../engines/file-reader/kinds/table.js';
import type { TableLimits } from '../../../../engines/file-reader/limits.js';
import type { FileContent, FileReaders } from '../../../../engines/file-reader/readers.js';
import { readPieces } from '../../files/read-pieces.js';

export type { Cell, Row };

export interface Table {
  readonly header: readonly Cell[];
  /** Non-empty rows after the header, in chunks. The next chunk is read when the caller asks for it. */
  readonly chunks: AsyncIterable<readonly Row[]>;
  /** Line after which blank rows ended the table; undefined: its end was reached, or the chunks are not read yet. */
  endLine(): number | undefined;
  /** Ends the reading. Must be called, also after an error. */
  close(): Promise<void>;
}

export interface TableFile {
  readonly mediaType: string;
  readonly content: FileContent;
}

export interface ReadTableOptions {
  readonly readers: FileReaders;
  readonly limits: TableLimits;
  readonly business: number;
  readonly signal: AbortSignal;
}

/**
 * Throws SHEET_NOT_FOUND, TABLE_UNREADABLE, TABLE_TOO_WIDE, TABLE_TOO_LARGE, the codes of files that end their reader
 * process, and INVALID_INPUT for an invalid byte.
 */
export async function readTable(
  { content, mediaType }: TableFile,
  { sheet, header_row }: { readonly sheet?: string | undefined; readonly header_row: number },
  { readers, limits, business, signal }: ReadTableOptions,
): Promise<Table> {
  const options = { mediaType, sheet, headerRow: header_row, csv: { trim: false, strict: false }, limits };
  const pieces = readPieces(readers, 'table', content, options, { business, field: 'file_id', signal });
  // The first piece of a table is its header.
  const first = (await pieces.next()).value as TablePiece & { readonly header: readonly Cell[] };
  let endLine: number | undefined;
  async function* chunks(): AsyncIterable<readonly Row[]> {
    for await (const piece of pieces) {
      if ('rows' in piece) yield piece.rows;
      else if ('endLine' in piece) endLine = piece.endLine;
    }
  }
  return {
    header: first.header,
    chunks: chunks(),
    endLine: () => endLine,
    close: async () => void (await pieces.return()),
  };
}
