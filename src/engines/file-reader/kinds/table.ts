/** Reads a table, CSV or the sheet of a workbook, within limits: the header first, then its rows in pieces. */
import type { TableLimits } from '../limits.js';
import { FileRefused, tooManyCells, tooWide } from '../refused.js';
import { csvRows, type CsvForm } from './csv.js';
import type { Cell, Row } from './row.js';

export interface TableOptions {
  readonly mediaType: string;
  /** Name of the sheet; undefined: the first one. */
  readonly sheet?: string | undefined;
  /** Number of the header among the rows that are not empty lines, from 1. */
  readonly headerRow: number;
  readonly csv: CsvForm;
  /** Reading stops after this number of rows; undefined: at the end of the table. */
  readonly maxRows?: number | undefined;
  readonly limits: TableLimits;
}

export type TablePiece =
  | { readonly header: readonly Cell[] }
  | { readonly rows: readonly Row[] }
  /** The last piece: blank rows ended the table after this line. */
  | { readonly endLine: number };

/** A piece has at most this many rows, and roughly at most this many characters. */
const PIECE_ROWS = 250;
const PIECE_CHARACTERS = 262_144;

/**
 * Yields the header, then the rows that are not blank. Cells beyond the header are dropped. Throws FileRefused:
 * TABLE_UNREADABLE, TABLE_TOO_WIDE, TABLE_TOO_LARGE, SHEET_NOT_FOUND, WRONG_BYTE, INVALID_ENCODING.
 */
export async function* readTable(content: Buffer, options: TableOptions): AsyncIterable<TablePiece> {
  const { limits, headerRow, maxRows = Infinity } = options;
  let width: number | undefined;
  let [number, rowCount, cellCount, blankRows, lastLine, characters] = [0, 0, 0, 0, 0, 0];
  let rows: Row[] = [];
  for await (const { line, cells } of await rowsOf(content, options)) {
    if (cells.length > limits.columns) throw tooWide(limits);
    if ((cellCount += cells.length) > limits.cells) throw tooManyCells(limits);
    number += 1;
    if (width === undefined) {
      if (number < headerRow) continue;
      width = cells.length;
      lastLine = line;
      yield { header: cells };
      continue;
    }
    if (isBlank(cells)) {
      if ((blankRows += 1) < limits.blankRows) continue;
      if (rows.length > 0) yield { rows };
      return yield { endLine: lastLine };
    }
    blankRows = 0;
    lastLine = line;
    const kept = cells.slice(0, width);
    rows.push({ line, cells: kept });
    characters += sizeOf(kept);
    if ((rowCount += 1) >= maxRows) break;
    if (rows.length < PIECE_ROWS && characters < PIECE_CHARACTERS) continue;
    yield { rows };
    rows = [];
    characters = 0;
  }
  if (width === undefined) throw new FileRefused('TABLE_UNREADABLE');
  if (rows.length > 0) yield { rows };
}

async function rowsOf(content: Buffer, { mediaType, sheet, csv, limits }: TableOptions): Promise<AsyncIterable<Row>> {
  if (mediaType === 'text/csv') return csvRows(content, csv);
  // Loaded here, so that a process that reads no workbook starts faster.
  const { workbookRows } = await import('./workbook.js');
  return workbookRows(content, sheet, limits);
}

const isBlank = (cells: readonly Cell[]): boolean => cells.every((cell) => cell === null || cell === '');

/** Characters of a row, with a few for each cell. */
const sizeOf = (cells: readonly Cell[]): number =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0) + 8, 0);
