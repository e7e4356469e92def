/** CSV tables (RFC 4180): one writer and one reader for all areas. */
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';

/** The lines of a table as CSV, each with a line break. Absent values become empty cells. */
export const csvOf = (lines: readonly (readonly unknown[])[]): string =>
  stringify(
    lines.map((cells) => cells.map((cell) => escapeFormula(textOf(cell)))),
    { record_delimiter: '\r\n' },
  );

const textOf = (cell: unknown): string =>
  cell === undefined || cell === null ? '' : String(cell as string | number | boolean);

/** Negative numbers and phone numbers begin like formulas but are not formulas. */
const NUMBER = /^[+-][\d\s()./,-]*$/;

/** Text that looks escaped gets one more apostrophe, so that `unescapeFormula` restores the original text. */
const ESCAPED = /^'+[=+\-@\t\r]/;

/** A cell that a spreadsheet would interpret as a formula gets an apostrophe as a prefix. */
const escapeFormula = (text: string): string =>
  ESCAPED.test(text) || (/^[=+\-@\t\r]/.test(text) && !NUMBER.test(text)) ? `'${text}` : text;

/** The original text of a cell that `csvOf` wrote. */
export const unescapeFormula = (text: string): string => (ESCAPED.test(text) ? text.slice(1) : text);

/** The most frequent of comma, semicolon and tab in the first line: spreadsheets use the separator of their country. */
export function delimiterOf(text: string): string {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const count = (sign: string): number => first.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

export interface CsvRecord {
  /** Number of the last line of the record in the text, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Yields the records of a text in order, with unchanged cells. Throws if the text is not a table. */
export async function* readCsv(text: string): AsyncIterable<CsvRecord> {
  const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true } as const;
  const records = parse(text, { ...options, delimiter: delimiterOf(text), max_record_size: MAX_RECORD_CHARACTERS });
  for await (const { record, info } of records as AsyncIterable<{ record: string[]; info: { lines: number } }>)
    yield { line: info.lines, cells: record };
}

/** Maximum length of a record in characters, so that an unclosed quote does not consume the whole file. */
const MAX_RECORD_CHARACTERS = 1_000_000;
