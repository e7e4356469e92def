/** Reads the rows of an uploaded table, CSV or XLSX. */
import type { FileInfo } from '../../../../engines/files/files.js';
import { readWorkbook, WorkbookRefused, type Cell } from '../../../../engines/tables/xlsx.js';
import { readCsv } from '../../../core/csv.js';
import { ApiError } from '../../../core/errors.js';
import { textOf } from '../../files/text.js';

export interface Row {
  /** Line in the file, starting at 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

export interface Table {
  readonly header: readonly Cell[];
  /** Non-empty rows after the header, in chunks. */
  readonly pieces: AsyncIterable<readonly Row[]>;
}

const PIECE = 1_000;

/** Throws SHEET_NOT_FOUND, TABLE_UNREADABLE, and INVALID_INPUT for an invalid byte. */
export async function tableOf(
  { content, media_type }: Pick<FileInfo, 'media_type'> & { readonly content: Buffer },
  { sheet, header_row }: { readonly sheet?: string | undefined; readonly header_row: number },
): Promise<Table> {
  const pieces = (media_type === 'text/csv' ? ofText(content) : ofWorkbook(content, sheet))[Symbol.asyncIterator]();
  let passed = 0;
  for (;;) {
    const next = await pieces.next();
    if (next.done) throw new ApiError('TABLE_UNREADABLE');
    if (passed + next.value.length < header_row) {
      passed += next.value.length;
      continue;
    }
    const at = header_row - passed;
    const rest = next.value.slice(at);
    return { header: next.value[at - 1]!.cells, pieces: behind(rest, pieces) };
  }
}

async function* behind(first: readonly Row[], more: AsyncIterator<readonly Row[]>): AsyncIterable<readonly Row[]> {
  try {
    for (let piece = first; ;) {
      yield piece.filter(({ cells }) => cells.some((cell) => cell !== null && cell !== ''));
      const next = await more.next();
      if (next.done) return;
      piece = next.value;
    }
  } finally {
    await more.return?.();
  }
}

async function* ofText(content: Buffer): AsyncIterable<readonly Row[]> {
  let piece: Row[] = [];
  try {
    for await (const row of readCsv(textOf(content, 'file_id'))) {
      piece.push(row);
      if (piece.length < PIECE) continue;
      yield piece;
      piece = [];
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('TABLE_UNREADABLE', { cause: error });
  }
  if (piece.length > 0) yield piece;
}

async function* ofWorkbook(content: Buffer, sheet: string | undefined): AsyncIterable<readonly Row[]> {
  let line = 0;
  try {
    for await (const rows of readWorkbook(content, sheet)) yield rows.map((cells) => ({ line: (line += 1), cells }));
  } catch (error) {
    if (!(error instanceof WorkbookRefused)) throw error;
    if (error.reason === 'file') throw new ApiError('TABLE_UNREADABLE', { cause: error });
    throw new ApiError('SHEET_NOT_FOUND', { params: { sheet: sheet ?? '1' } });
  }
}
