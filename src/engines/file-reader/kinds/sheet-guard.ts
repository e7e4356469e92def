/** Checks the references of a sheet before a library reads it, and cuts the sheet where blank rows end it. */
import type { TableLimits } from '../limits.js';
import { FileRefused, MAX_ROWS, tooManyCells, tooWide } from '../refused.js';
import { elements, type Tag } from './xml-tags.js';

const LETTERS = 26;
const REFERENCE = /\br\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

export interface GuardedSheet {
  readonly xml: string;
  /** Whether blank rows ended the sheet. */
  readonly isCut: boolean;
}

/**
 * Returns the XML of the sheet, cut behind the last row with a value if more than `blankRows` rows without values
 * follow. Throws FileRefused: TABLE_TOO_WIDE for a reference outside of a sheet (ECMA-376: the last cell is XFD1048576),
 * TABLE_TOO_LARGE if the rectangle of cells with values is too large, TABLE_UNREADABLE for a reference that is not one.
 */
export function guardSheet(xml: string, limits: TableLimits): GuardedSheet {
  let row = 0;
  let column = 0;
  /** Last row and last column with a value. */
  let [lastRow, lastColumn] = [0, 0];
  /** Start of the first row element after the last row with a value. */
  let cut: Tag | undefined;

  for (const tag of elements(xml, 'row|c|v|t')) {
    switch (tag.name) {
      case 'row':
        row = rowOf(referenceIn(tag.attributes)) ?? row + 1;
        if (row > MAX_ROWS) throw tooWide(limits);
        cut ??= tag;
        if (row - lastRow > limits.blankRows) return { xml: cutAt(xml, cut), isCut: true };
        break;
      case 'c': {
        const reference = referenceIn(tag.attributes);
        if (reference === undefined) throw new FileRefused('TABLE_UNREADABLE');
        [column, row] = addressOf(reference, limits);
        break;
      }
      default:
        if (xml[tag.end] === '<' || tag.attributes.endsWith('/')) break;
        cut = undefined;
        lastRow = Math.max(lastRow, row);
        lastColumn = Math.max(lastColumn, column);
        if (lastRow * lastColumn > limits.cells) throw tooManyCells(limits);
    }
  }
  return { xml, isCut: false };
}

/** The attribute `r`. Throws if there are several, because readers disagree on which one counts. */
function referenceIn(attributes: string): string | undefined {
  const [first, second] = [...attributes.matchAll(REFERENCE)];
  if (second) throw new FileRefused('TABLE_UNREADABLE');
  return first?.[1] ?? first?.[2];
}

function rowOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(text)) throw new FileRefused('TABLE_UNREADABLE');
  return Number(text);
}

/** Column and row of a reference such as `B7`, from 1. */
function addressOf(reference: string, limits: TableLimits): [column: number, row: number] {
  const parts = /^([A-Z]+)([1-9]\d*)$/.exec(reference);
  if (!parts) throw new FileRefused('TABLE_UNREADABLE');
  const [, letters, digits] = parts as unknown as [string, string, string];
  const column = [...letters.slice(0, 8)].reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - 64, 0);
  const row = Number(digits);
  if (column > limits.columns || row > MAX_ROWS) throw tooWide(limits);
  return [column, row];
}

const cutAt = (xml: string, { start, prefix }: Tag): string =>
  `${xml.slice(0, start)}</${prefix}sheetData></${prefix}worksheet>`;
