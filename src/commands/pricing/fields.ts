/** Reads the fields of conditions from a shipment. */
import { decimal, type Decimal } from '../../events/core/money.js';
import {
  PACKAGE_FIELDS,
  type AmountField,
  type ListField,
  type MeasureField,
  type NumericField,
  type PackageField,
  type TextField,
} from '../../events/pricing/conditions.js';
import { minutesOf, weekdayOf } from './dates.js';
import { measureDecimal, thousandths } from './measures.js';
import type { Parcel } from './parcel.js';
import type { Shipment } from './shipment.js';

type Readers<Field extends string, Value> = Readonly<Record<Field, (shipment: Shipment) => Value>>;

/** In thousandths. */
export const MEASURES: Readers<MeasureField, number | undefined> = {
  packages: ({ parcels }) => parcels.length * 1_000,
  distance_km: ({ inputs }) => optional(inputs.distance_km, thousandths),
  window_hours: ({ inputs }) => optional(inputs.window, windowHours),
  weekday: ({ shipDate }) => weekdayOf(shipDate) * 1_000,
};

export const AMOUNTS: Readers<AmountField, Decimal | undefined> = {
  declared_value: ({ parcels }) => {
    const values = parcels.flatMap(({ declaredValue }) => (declaredValue === undefined ? [] : [declaredValue]));
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum.plus(value), decimal('0'));
  },
  cod_amount: ({ inputs }) => optional(inputs.cod_amount, decimal),
};

export const TEXTS: Readers<TextField, string | undefined> = {
  from_zone: ({ from_zone }) => from_zone,
  to_zone: ({ to_zone }) => to_zone,
  lane: ({ lane }) => lane,
  country_pair: ({ inputs }) => `${inputs.from.country}-${inputs.to.country}`,
  date: ({ shipDate }) => shipDate,
  window_start: ({ inputs }) => inputs.window?.start,
};

export const LISTS: Readers<ListField, readonly string[]> = {
  option: ({ inputs }) => inputs.options ?? [],
  customer_tag: ({ inputs }) => inputs.customer_tags ?? [],
};

export const isPackageField = (field: string): field is PackageField =>
  (PACKAGE_FIELDS as readonly string[]).includes(field);
const isAmountField = (field: string): field is AmountField => Object.hasOwn(AMOUNTS, field);

/** Value of a numeric field; of a package field: the sum over these packages. */
export function quantityOf(field: NumericField, shipment: Shipment, parcels: readonly Parcel[]): Decimal | undefined {
  if (isPackageField(field)) return measureDecimal(parcels.reduce((sum, parcel) => sum + parcel.measureOf(field), 0));
  if (isAmountField(field)) return AMOUNTS[field](shipment);
  return optional(MEASURES[field](shipment), measureDecimal);
}

/** Length of a time window in thousandths of an hour, rounded half up. */
function windowHours({ start, end }: { readonly start: string; readonly end: string }): number {
  const minutes = minutesOf(end) - minutesOf(start);
  return Math.floor(((minutes > 0 ? minutes : minutes + 1_440) * 1_000 + 30) / 60);
}

const optional = <V, R>(value: V | undefined, convert: (value: V) => R): R | undefined =>
  value === undefined ? undefined : convert(value);
