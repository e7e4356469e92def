/** Converts a cell of a table to the value of a column. The file or `as` determines the format; nothing is guessed. */
import type { Column, ColumnType } from '../../../../events/datasets/columns.js';
import type { Cell } from '../../../../engines/file-reader/kinds/row.js';

/** Formats of cells that differ from the standard format of their type. */
export const CELL_FORMATS = [
  'general',
  'utc',
  'decimal_comma',
  'decimal_point',
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'YYYY/MM/DD',
  'YYYYMMDD',
] as const;
export type CellFormat = (typeof CELL_FORMATS)[number];

/** Thrown for a cell that cannot be converted. `code` is the code of a message. */
export class CellError extends Error {
  constructor(
    readonly code: 'NUMBER_IN_TEXT_COLUMN' | 'INVALID_FORM' | 'FORMAT_NEEDED',
    readonly column: string,
  ) {
    super(code);
  }
}

/** Members of column types whose values consist of several cells. */
export const CELL_MEMBERS: Partial<Readonly<Record<ColumnType, readonly string[]>>> = {
  money: ['amount', 'currency'],
  point: ['latitude', 'longitude'],
  address: [
    'name',
    'company',
    'phone',
    'email',
    'street',
    'street_2',
    'city',
    'region',
    'postal_code',
    'country',
    'position',
  ],
};

/** Kind of the value of a cell. */
type Kind = 'text' | 'amount' | 'number' | 'boolean' | 'date' | 'datetime' | 'list' | 'json';

const KINDS: Partial<Readonly<Record<ColumnType, Kind>>> = {
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  multi_select: 'list',
  polygon: 'json',
};
const MEMBER_KINDS: Readonly<Record<string, Kind>> = {
  amount: 'amount',
  latitude: 'number',
  longitude: 'number',
  position: 'json',
};

export const kindOf = ({ type }: Pick<Column, 'type'>, member: string | undefined): Kind =>
  (member === undefined ? KINDS[type] : MEMBER_KINDS[member]) ?? 'text';

/** Formats that apply to each kind of cell. */
const FORMATS: Readonly<Record<Kind, readonly CellFormat[]>> = {
  text: ['general'],
  list: ['general'],
  number: ['decimal_comma', 'decimal_point'],
  amount: ['decimal_comma', 'decimal_point'],
  boolean: [],
  date: ['DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY/MM/DD', 'YYYYMMDD'],
  datetime: ['utc'],
  json: [],
};
export const isFormatOf = (format: CellFormat, kind: Kind): boolean => FORMATS[kind].includes(format);

/** The value of a cell, not yet checked for its column; undefined for an empty cell. Throws CellRefused. */
export function parseCell(cell: Cell | undefined, kind: Kind, as: CellFormat | undefined, column: string): unknown {
  if (cell === undefined || cell === null || cell === '') return undefined;
  const cellError = (code: CellError['code']) => new CellError(code, column);
  switch (kind) {
    case 'text':
      if (typeof cell === 'string') return cell;
      if (as === 'general') return cell instanceof Date ? cell.toISOString() : String(cell);
      throw cellError('NUMBER_IN_TEXT_COLUMN');
    case 'list':
      if (typeof cell !== 'string' && as !== 'general') throw cellError('NUMBER_IN_TEXT_COLUMN');
      return String(cell as string)
        .split(';')
        .map((part) => part.trim());
    case 'number': {
      const text = typeof cell === 'string' ? decimalOf(cell, as) : cell;
      const number = typeof text === 'number' ? text : Number(text);
      if (text === undefined || typeof text === 'object' || typeof text === 'boolean' || Number.isNaN(number))
        throw cellError('INVALID_FORM');
      return number;
    }
    case 'amount': {
      const text = typeof cell === 'number' ? String(cell) : typeof cell === 'string' ? decimalOf(cell, as) : undefined;
      if (text === undefined) throw cellError('INVALID_FORM');
      return text;
    }
    case 'boolean':
      if (typeof cell === 'boolean') return cell;
      if (typeof cell === 'string' && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
      throw cellError('INVALID_FORM');
    case 'date':
      if (cell instanceof Date) return cell.toISOString().slice(0, 10);
      if (typeof cell !== 'string') throw cellError('FORMAT_NEEDED');
      return dateOf(cell, as) ?? cell;
    case 'datetime':
      // A date cell of a workbook has no time zone.
      if (cell instanceof Date || (typeof cell === 'string' && as === 'utc' && !/(Z|[+-]\d\d:?\d\d)$/i.test(cell))) {
        if (as !== 'utc') throw cellError('FORMAT_NEEDED');
        return cell instanceof Date
          ? cell.toISOString()
          : `${cell.replace(' ', 'T')}${/:\d\d:/.test(cell) ? '' : ':00'}Z`;
      }
      if (typeof cell !== 'string') throw cellError('FORMAT_NEEDED');
      return cell;
    case 'json':
      try {
        return JSON.parse(String(cell as string)) as unknown;
      } catch {
        throw cellError('INVALID_FORM');
      }
  }
}

/** The number in JSON notation; undefined if the text is not a number. */
function decimalOf(text: string, as: CellFormat | undefined): string | undefined {
  const [group, point] = as === 'decimal_comma' ? ['.', ','] : as === 'decimal_point' ? [',', '.'] : ['', '.'];
  const plain = group !== '' && isGrouped(text, group, point) ? text.replaceAll(group, '') : text;
  const decimal = plain.replace(point, '.');
  const isValidPoint = point === '.' || !plain.includes('.');
  return isValidPoint && /^-?\d+(\.\d+)?$/.test(decimal) ? decimal : undefined;
}

/** Whether the thousands separators are valid: groups of three digits, so `1.23` is not 123. */
const isGrouped = (text: string, group: string, point: string): boolean =>
  /^-?\d{1,3}(_\d{3})+$/.test(text.split(point)[0]!.replaceAll(group, '_'));

/** The date in ISO 8601; undefined if the text does not match the format `as`. */
function dateOf(text: string, as: CellFormat | undefined): string | undefined {
  if (as === undefined) return undefined;
  const parts = as.split(/(YYYY|MM|DD)/).filter((part) => part !== '');
  const pattern = parts.map((part) => (part === 'YYYY' ? '(\\d{4})' : /^[MD]/.test(part) ? '(\\d{1,2})' : `\\${part}`));
  const found = new RegExp(`^${pattern.join('')}$`).exec(text);
  const placeholders = parts.filter((part) => /^[YMD]/.test(part));
  const partOf = (name: string): string => found![placeholders.indexOf(name) + 1]!.padStart(2, '0');
  return found ? `${partOf('YYYY')}-${partOf('MM')}-${partOf('DD')}` : undefined;
}
