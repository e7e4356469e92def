/** Orders as rows of a table: maps columns to fields, in both directions. */
import type { TableLimits } from '../../../engines/file-reader/limits.js';
import type { FileContent, FileReaders } from '../../../engines/file-reader/readers.js';
import type { Order } from '../../../projections/orders/queries.js';
import { csvOf, unescapeFormulas } from '../../core/csv.js';
import { ApiError, invalidField, invalidForm } from '../../core/errors.js';
import { readAll } from '../files/read-pieces.js';
import { toPackage } from './sizes.js';

const STOP_FIELDS = [
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
];
const stopColumns = (stop: string) => [...STOP_FIELDS, 'latitude', 'longitude'].map((member) => `${stop}.${member}`);

/** Columns of an import, named by the fields that they fill. A line is an order with one package. */
export const IMPORT_COLUMNS = [
  'order_ref',
  'type',
  'schedule_date',
  'customer_id',
  'self_delivery',
  ...stopColumns('delivery'),
  ...stopColumns('pickup'),
  'package.external_tracking_number',
  'package.description',
  'package.weight_kg',
  'package.length_cm',
  'package.width_cm',
  'package.height_cm',
  'window.from',
  'window.to',
  'pickup_window.from',
  'pickup_window.to',
  'delivery_instruction',
  'note',
  'return_reason',
  'return_note',
] as const;

const NUMERIC_COLUMNS = /^(customer_id|.*\.(latitude|longitude|weight_kg|(length|width|height)_cm))$/;

export interface CsvLine {
  /** Line number in the file, from 1; the header is line 1. */
  readonly line: number;
  /** The order in the form of a request; not validated yet. */
  readonly order: Readonly<Record<string, unknown>>;
}

export interface CsvTable {
  /** Lines that are not blank. */
  readonly lines: readonly CsvLine[];
  /** Line after which blank rows ended the table; undefined: it was read to its end. */
  readonly endLine: number | undefined;
}

export interface ReadOrdersOptions {
  readonly readers: FileReaders;
  readonly limits: TableLimits;
  /** Reading stops after this number of lines. */
  readonly maxRows: number;
  readonly business: number;
  /** Member of the input with the table. */
  readonly field: string;
}

/**
 * Reads the lines of a CSV file. `mapping`: column names to fields; unmapped columns must have the names of fields.
 * Throws INVALID_INPUT for text that is not a table, and for unknown columns; and the codes of files that end their
 * reader process.
 */
export async function readOrders(
  content: FileContent,
  mapping: ReadonlyMap<string, string>,
  { readers, limits, maxRows, business, field }: ReadOrdersOptions,
): Promise<CsvTable> {
  const options = { mediaType: 'text/csv', headerRow: 1, csv: { trim: true, strict: true }, maxRows, limits };
  const pieces = await readAll(readers, 'table', content, options, { business, field }).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'TABLE_UNREADABLE' ? notATable(error) : error;
  });
  const header = pieces.flatMap((piece) => ('header' in piece ? piece.header : []));
  const written = header.map(String);
  // Tables that this service exported: the apostrophes before formulas are removed.
  const isExport = EXPORT_ONLY_COLUMNS.every((name, index) => written[index] === name);
  const original = (cell: string): string => (isExport ? unescapeFormulas(cell) : cell);
  const names = written.map(original);
  const members = names.map((name) => mapping.get(name) ?? name);
  members.forEach((member, index) => {
    if (member !== '' && !(IMPORT_COLUMNS as readonly string[]).includes(member)) throw unknownColumn(names[index]!);
    if (member !== '' && members.indexOf(member) < index) throw invalidField('NOT_UNIQUE', member, '/csv');
  });
  const rows = pieces.flatMap((piece) => ('rows' in piece ? piece.rows : []));
  const lines = rows.map(({ line, cells }) => ({
    line,
    order: orderOf(
      new Map(members.map((member, index) => [member, original(String((cells[index] as string | null) ?? ''))])),
    ),
  }));
  const [endLine] = pieces.flatMap((piece) => ('endLine' in piece ? piece.endLine : []));
  return { lines, endLine };
}

/** The reason is in English, as the CSV parser describes it. */
function notATable({ params: { reason } }: ApiError): ApiError {
  const table = 'a table of comma-separated values';
  return invalidForm('csv', reason === undefined ? table : `${table} (${reason})`);
}

const unknownColumn = (field: string): ApiError =>
  new ApiError('INVALID_INPUT', {
    errors: [
      { field, path: '/csv', code: 'UNKNOWN_COLUMN', params: { column: field, known: IMPORT_COLUMNS.join(', ') } },
    ],
  });

/** Values are not interpreted: the postal code `01067` stays a text. Empty cells are omitted. */
function orderOf(cells: ReadonlyMap<string, string>): Record<string, unknown> {
  const order: Record<string, unknown> = { type: 'D' };
  const groupOf = (name: string): Record<string, unknown> => (order[name] ??= {}) as Record<string, unknown>;
  for (const [member, text] of cells) {
    if (member === '' || text === '') continue;
    const value =
      NUMERIC_COLUMNS.test(member) && text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
    const [group, name] = member.split('.') as [string, string | undefined];
    if (name === undefined) order[group] = group === 'self_delivery' ? toBoolean(text) : value;
    else if (name === 'latitude' || name === 'longitude')
      groupOf(group)['position'] = { ...(groupOf(group)['position'] as object | undefined), [name]: value };
    else groupOf(group)[name] = value;
  }
  const { package: parcel = {}, window, pickup_window, ...rest } = order;
  const windows = [
    ...(window ? [{ stop: 'delivery', ...(window as object) }] : []),
    ...(pickup_window ? [{ stop: 'pickup', ...(pickup_window as object) }] : []),
  ];
  return { ...rest, packages: [parcel], ...(windows.length > 0 && { time_windows: windows }) };
}

const toBoolean = (text: string): unknown =>
  /^(true|1)$/i.test(text) ? true : /^(false|0)$/i.test(text) ? false : text;

/** Columns of an export that an import does not accept. */
const EXPORT_ONLY_COLUMNS = ['order_id', 'status', 'tracking_numbers', 'created_at'] as const;
export const EXPORT_COLUMNS = [...EXPORT_ONLY_COLUMNS, ...IMPORT_COLUMNS] as const;

/** Lines of an export, with line endings. Additional packages appear only in `tracking_numbers`. */
export const csvHeader = (): string => csvOf([EXPORT_COLUMNS]);
export const csvLines = (orders: readonly Order[]): string =>
  csvOf(orders.map((order) => EXPORT_COLUMNS.map((column) => cellOf(order, column))));

function cellOf(order: Order, column: (typeof EXPORT_COLUMNS)[number]): string {
  const [first] = order.packages;
  const window = (stop: 'pickup' | 'delivery') => order.time_windows.find((one) => one.stop === stop);
  const [group, name = ''] = column.split('.') as [string, string | undefined];
  const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
  switch (group) {
    case 'order_id':
      return String(order.id);
    case 'tracking_numbers':
      return order.packages.map(({ tracking_number }) => tracking_number).join(' ');
    case 'delivery':
    case 'pickup': {
      const stop = order[group];
      return text(
        name === 'latitude' || name === 'longitude' ? stop?.position?.[name] : stop?.[name as keyof typeof stop],
      );
    }
    case 'package':
      return name === 'description'
        ? text(order.descriptions?.[first?.tracking_number ?? ''])
        : text(first && toPackage(first)[name as 'weight_kg']);
    case 'window':
      return text(window('delivery')?.[name as 'from']);
    case 'pickup_window':
      return text(window('pickup')?.[name as 'from']);
    case 'note':
      return text(order.internal_note);
    // An import accepts the return of a pick-up, and none of a scan.
    case 'return_reason':
      return order.type === 'P' ? text(order.return_reason?.code) : '';
    case 'return_note':
      return order.type === 'P' ? text(order.return_note) : '';
    default:
      return text(order[group as 'status']);
  }
}
