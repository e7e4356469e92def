/** The status codes of one carrier, and the lookup of a raw status in them. Pure. */
import type { Code } from '../codes.js';
import type { Reason } from '../reasons.js';

/** One row of a table. Each text is empty if the column is empty. */
export interface CarrierCode {
  /** Empty: the text alone identifies the row. */
  readonly raw_code: string;
  /** Regular expression on the event text, with the flags `i` and `u`. Empty: the code alone identifies the row. */
  readonly raw_text_pattern: string;
  /** Empty: the code is known and changes no status. */
  readonly status_code: Code | '';
  readonly incident_reason: Reason | '';
  /** Meaning of the code, or the reason why the row has no status. */
  readonly note: string;
}

export interface CarrierTable {
  readonly rows: readonly CarrierCode[];
  /** Number of rows with a status. */
  readonly mapped: number;
  /** The row of a raw status; undefined if the table does not contain it. */
  find(raw: { readonly code?: string | undefined; readonly text?: string | undefined }): CarrierCode | undefined;
}

/** A row with a text pattern, which is compiled at its first use. */
interface TextRow {
  readonly row: CarrierCode;
  pattern?: RegExp;
}

interface CodeRows {
  readonly byText: TextRow[];
  byCode?: CarrierCode;
}

/**
 * Maximum length of the text that patterns are applied to, in UTF-16 code units. The patterns need at most quadratic
 * time, because none of them repeats a group (a test checks this).
 */
const MAX_TEXT = 2_000;

/** The form in which codes are compared: without surrounding spaces, and in upper case. */
export const foldedCode = (code: string): string => code.trim().toUpperCase();

export function createCarrierTable(rows: readonly CarrierCode[]): CarrierTable {
  const codes = new Map<string, CodeRows>();
  const masks: { readonly mask: RegExp; readonly rows: CodeRows }[] = [];
  for (const row of rows) {
    const key = foldedCode(row.raw_code);
    let found = codes.get(key);
    if (!found) {
      found = { byText: [] };
      codes.set(key, found);
      if (key.includes('*')) masks.push({ mask: maskOf(key), rows: found });
    }
    if (row.raw_text_pattern !== '') found.byText.push({ row });
    else found.byCode ??= row;
  }
  const textsOnly = codes.get('')?.byText ?? [];

  return {
    rows,
    mapped: rows.filter(({ status_code }) => status_code !== '').length,
    find({ code = '', text = '' }) {
      const shortened = text.slice(0, MAX_TEXT);
      const key = foldedCode(code);
      const named = key === '' ? undefined : (codes.get(key) ?? masks.find(({ mask }) => mask.test(key))?.rows);
      return (named && (matching(named.byText, shortened) ?? named.byCode)) ?? matching(textsOnly, shortened);
    },
  };
}

/** The first row in file order whose pattern matches. */
function matching(rows: readonly TextRow[], text: string): CarrierCode | undefined {
  if (text === '') return undefined;
  return rows.find((one) => (one.pattern ??= new RegExp(one.row.raw_text_pattern, 'iu')).test(text))?.row;
}

/** A code in which `*` replaces one part: `LETTER.*.88.40` contains `LETTER.PRIORITY.88.40`. */
const maskOf = (code: string): RegExp => new RegExp(`^${code.split('*').map(escaped).join('[^.]+')}$`);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
