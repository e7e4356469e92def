/**
 * Writes CSV tables (RFC 4180) for all areas. Cells are safe in spreadsheets (OWASP, CSV injection): no line of a cell
 * begins as a formula.
 */
import { stringify } from 'csv-stringify/sync';

/** The lines of a table as CSV, each with a line break. Absent values become empty cells. */
export const csvOf = (lines: readonly (readonly unknown[])[]): string =>
  stringify(
    lines.map((cells) => cells.map((cell) => escapeFormulas(textOf(cell)))),
    { record_delimiter: '\r\n', quoted_match: NEEDS_QUOTES },
  );

/** Single line breaks (RFC 4180, section 2.6), and separators of spreadsheets in other countries. */
const NEEDS_QUOTES = /[\r\n;\t]/;

const textOf = (cell: unknown): string =>
  cell === undefined || cell === null ? '' : String(cell as string | number | boolean);

/** Signs that begin a formula. The full-width ones count in East Asian versions of spreadsheets. */
const SIGNS = '=+\\-@\uff1d\uff0b\uff0d\uff20';
/** Parts that a spreadsheet may take for separate cells: after a line break, or after a separator of another country. */
const PARTS = /[\r\n;\t]/;

/** Negative numbers and phone numbers begin like formulas but are not formulas. */
const NUMBER = /^[+-][\d ()./,-]*$/;
/**
 * Spreadsheets ignore white space and U+FEFF before a sign. A reader with another separator takes a quote sign inside of
 * a cell for the start of a quoted cell.
 */
const IGNORED = '["\\s\\ufeff]*';
const FORMULA = new RegExp(`^${IGNORED}[${SIGNS}]`);
/** Text that looks escaped gets one more apostrophe, so that `unescapeFormulas` restores the original text. */
const ESCAPED = new RegExp(`^'+${IGNORED}[${SIGNS}]`);

/**
 * Each part that a spreadsheet would interpret as a formula gets an apostrophe as a prefix, and so does a cell that
 * begins with a line break or a tab.
 */
function escapeFormulas(text: string): string {
  const escaped = eachPart(text, (part) =>
    ESCAPED.test(part) || (FORMULA.test(part) && !NUMBER.test(part)) ? `'${part}` : part,
  );
  return STARTS_WITH_BREAK.test(text) ? `'${escaped}` : escaped;
}

const STARTS_WITH_BREAK = /^'*[\r\n\t]/;

/** The original text of a cell that `csvOf` wrote. */
export function unescapeFormulas(text: string): string {
  const cell = /^'+[\r\n\t]/.test(text) ? text.slice(1) : text;
  return eachPart(cell, (part) => (ESCAPED.test(part) ? part.slice(1) : part));
}

function eachPart(text: string, change: (part: string) => string): string {
  // Most cells have one part.
  if (!PARTS.test(text)) return change(text);
  return text
    .split(/([\r\n;\t])/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}
