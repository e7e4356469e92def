/** Tables as CSV (RFC 4180), in and out: one writer and one reader for all areas. */
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';

/** Lines of a table, each ended. Absent values are empty cells. */
export const csvOf = (lines: readonly (readonly unknown[])[]): string =>
  stringify(
    lines.map((cells) => cells.map((cell) => harmless(textOf(cell)))),
    { record_delimiter: '\r\n' },
  );

const textOf = (cell: unknown): string =>
  cell === undefined || cell === null ? '' : String(cell as string | number | boolean);

/** Numbers and phones begin as formulas do, and are none. */
const NUMBER = /^[+-][\d\s()./,-]*$/;

/** What begins so by itself gets one apostrophe more, so that `asGiven` finds the text that it was. */
const GUARDED = /^'+[=+\-@\t\r]/;

/** A cell that a spreadsheet would take for a formula begins with an apostrophe. */
const harmless = (text: string): string =>
  GUARDED.test(text) || (/^[=+\-@\t\r]/.test(text) && !NUMBER.test(text)) ? `'${text}` : text;

/** The text of a cell that `csvOf` wrote. */
export const asGiven = (text: string): string => (GUARDED.test(text) ? text.slice(1) : text);

/** Of comma, semicolon and tab the one that the first line has most of: spreadsheets write what their country uses. */
export function delimiterOf(text: string): string {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const count = (sign: string): number => first.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

export interface CsvRecord {
  /** The line of the text on which it ends, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The records of a text, one after the other; cells are unchanged. Throws where it is not a table. */
export async function* readCsv(text: string): AsyncIterable<CsvRecord> {
  const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true } as const;
  const records = parse(text, { ...options, delimiter: delimiterOf(text), max_record_size: MOST_LETTERS });
  for await (const { record, info } of records as AsyncIterable<{ record: string[]; info: { lines: number } }>)
    yield { line: info.lines, cells: record };
}

/** Of one record: a quote that is never closed swallows no whole file. */
const MOST_LETTERS = 1_000_000;
