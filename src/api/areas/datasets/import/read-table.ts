/** Reads the rows of an uploaded table, CSV or XLSX. */
import type { FileInfo } from '../../../../engines/files/files.js';
import { readWorkbook, WorkbookRefused, type Cell } from '../../../../engines/tables/xlsx.js';
import { readCsv } from '../../../core/csv.js';
import { ApiError } from '../../../core/errors.js';
import { decodeText } from '../../files/decode-text.js';

export interface Row {
  /** Line in the file, starting at 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

export interface Table {
  readonly header: readonly Cell[];
  /** Non-empty rows after the header, in chunks. */
  readonly chunks: AsyncIterable<readonly Row[]>;
}

const CHUNK_SIZE = 1_000;

/** Throws SHEET_NOT_FOUND, TABLE_UNREADABLE, and INVALID_INPUT for an invalid byte. */
export async function readTable(
  { content, media_type }: Pick<FileInfo, 'media_type'> & { readonly content: Buffer },
  { sheet, header_row }: { readonly sheet?: string | undefined; readonly header_row: number },
): Promise<Table> {
  const chunks = (media_type === 'text/csv' ? csvRows(content) : workbookRows(content, sheet))[Symbol.asyncIterator]();
  let skippedRows = 0;
  for (;;) {
    const next = await chunks.next();
    if (next.done) throw new ApiError('TABLE_UNREADABLE');
    if (skippedRows + next.value.length < header_row) {
      skippedRows += next.value.length;
      continue;
    }
    const at = header_row - skippedRows;
    const rest = next.value.slice(at);
    return { header: next.value[at - 1]!.cells, chunks: dataRows(rest, chunks) };
  }
}

async function* dataRows(first: readonly Row[], more: AsyncIterator<readonly Row[]>): AsyncIterable<readonly Row[]> {
  try {
    for (let chunk = first; ;) {
      yield chunk.filter(({ cells }) => cells.some((cell) => cell !== null && cell !== ''));
      const next = await more.next();
      if (next.done) return;
      chunk = next.value;
    }
  } finally {
    await more.return?.();
  }
}

async function* csvRows(content: Buffer): AsyncIterable<readonly Row[]> {
  let chunk: Row[] = [];
  try {
    for await (const row of readCsv(decodeText(content, 'file_id'))) {
      chunk.push(row);
      if (chunk.length < CHUNK_SIZE) continue;
      yield chunk;
      chunk = [];
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('TABLE_UNREADABLE', { cause: error });
  }
  if (chunk.length > 0) yield chunk;
}

async function* workbookRows(content: Buffer, sheet: string | undefined): AsyncIterable<readonly Row[]> {
  let line = 0;
  try {
    for await (const rows of readWorkbook(content, sheet)) yield rows.map((cells) => ({ line: (line += 1), cells }));
  } catch (error) {
    if (!(error instanceof WorkbookRefused)) throw error;
    if (error.reason === 'file') throw new ApiError('TABLE_UNREADABLE', { cause: error });
    throw new ApiError('SHEET_NOT_FOUND', { params: { sheet: sheet ?? '1' } });
  }
}
