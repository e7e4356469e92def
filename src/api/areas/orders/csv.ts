/** Orders as rows of a table: maps columns to fields, in both directions. */
import type { Order } from '../../../projections/orders/queries.js';
import { csvOf } from '../../core/csv.js';
import { toPackage } from './sizes.js';

export const STOP_FIELDS = [
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

/** Values are not interpreted: the postal code `01067` stays a text. Empty cells are omitted. */
export function orderOf(cells: ReadonlyMap<string, string>): Record<string, unknown> {
  const order: Record<string, unknown> = { type: 'D' };
  const groupOf = (name: string): Record<string, unknown> => (order[name] ??= {}) as Record<string, unknown>;
  for (const [member, text] of cells) {
    const value = NUMERIC_COLUMNS.test(member) ? numberIn(text) : text;
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

/** The number that a cell contains; a text that is not a number is kept, and rejected later. */
export const numberIn = (text: string): unknown =>
  text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;

export const toBoolean = (text: string): unknown =>
  /^(true|1)$/i.test(text) ? true : /^(false|0)$/i.test(text) ? false : text;

/** Columns of an export that an import does not accept. */
export const EXPORT_ONLY_COLUMNS = ['order_id', 'status', 'tracking_numbers', 'created_at'] as const;
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
