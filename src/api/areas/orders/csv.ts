/** Orders as rows of a table: maps columns to fields, in both directions. */
import { parse } from 'csv-parse/sync';
import type { Order } from '../../../projections/orders/queries.js';
import { csvOf, delimiterOf } from '../../core/csv.js';
import { ApiError, invalidField, invalidForm } from '../../core/errors.js';
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
] as const;

const NUMERIC_COLUMNS = /^(customer_id|.*\.(latitude|longitude|weight_kg|(length|width|height)_cm))$/;

export interface CsvLine {
  /** Line number in the file, from 1; the header is line 1. */
  readonly line: number;
  /** The order in the form of a request; not validated yet. */
  readonly order: Readonly<Record<string, unknown>>;
}

/**
 * Reads the lines of a file. `mapping`: column names to fields; unmapped columns must have the names of fields. Throws
 * INVALID_INPUT for text that is not a table, and for unknown columns.
 */
export function readOrders(text: string, mapping: ReadonlyMap<string, string>, maxRows: number): CsvLine[] {
  const rows = tableOf(text, maxRows);
  const [header, ...lines] = rows;
  const names = header?.record ?? [];
  const members = names.map((name) => mapping.get(name) ?? name);
  members.forEach((member, index) => {
    if (member !== '' && !(IMPORT_COLUMNS as readonly string[]).includes(member)) throw unknownColumn(names[index]!);
    if (member !== '' && members.indexOf(member) < index) throw invalidField('NOT_UNIQUE', member, '/csv');
  });
  return lines.map(({ record, info }) => ({
    line: info.lines,
    order: orderOf(new Map(members.map((member, index) => [member, record[index] ?? '']))),
  }));
}

const unknownColumn = (field: string): ApiError =>
  new ApiError('INVALID_INPUT', {
    errors: [
      { field, path: '/csv', code: 'UNKNOWN_COLUMN', params: { column: field, known: IMPORT_COLUMNS.join(', ') } },
    ],
  });

interface Row {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

function tableOf(text: string, maxRows: number): Row[] {
  const options = { bom: true, trim: true, skip_empty_lines: true, info: true, to: maxRows + 2 } as const;
  try {
    return parse(text, { ...options, delimiter: delimiterOf(text) }) as unknown as Row[];
  } catch (error) {
    throw invalidForm('csv', `a table of comma-separated values (${(error as Error).message.slice(0, 120)})`);
  }
}

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

export const EXPORT_COLUMNS = ['order_id', 'status', 'tracking_numbers', 'created_at', ...IMPORT_COLUMNS] as const;

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
    default:
      return text(order[group as 'status']);
  }
}
