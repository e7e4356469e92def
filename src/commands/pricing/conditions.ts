/** Compiles the conditions of surcharges and taxes. */
import { decimal, type Decimal } from '../../events/core/money.js';
import type { Condition } from '../../events/pricing/conditions.js';
import { AMOUNTS, isPackageField, LISTS, MEASURES, TEXTS } from './fields.js';
import { thousandths } from './measures.js';
import type { Parcel } from './parcel.js';
import type { Shipment } from './shipment.js';

type Test<Subject> = (subject: Subject) => boolean;

export interface Conditions {
  /** Whether the conditions on packages select packages. */
  readonly arePerPackage: boolean;
  /**
   * The packages that satisfy all conditions on packages; without such conditions all packages. Undefined: the
   * conditions do not hold.
   */
  readonly select: (shipment: Shipment) => readonly Parcel[] | undefined;
}

export function compileConditions(when: readonly Condition[] = []): Conditions {
  const ofShipment: Test<Shipment>[] = [];
  const ofPackage: Test<Parcel>[] = [];
  for (const condition of when)
    if (isOfPackage(condition)) ofPackage.push(packageTest(condition));
    else ofShipment.push(shipmentTest(condition));
  const arePerPackage = ofPackage.length > 0;
  return {
    arePerPackage,
    select: (shipment) => {
      // Conditions on the shipment come first, because those on packages may need missing dimensions.
      if (!ofShipment.every((holds) => holds(shipment))) return undefined;
      if (!arePerPackage) return shipment.parcels;
      const parcels = shipment.parcels.filter((parcel) => ofPackage.every((holds) => holds(parcel)));
      return parcels.length === 0 ? undefined : parcels;
    },
  };
}

type PackageCondition = Extract<Condition, { field: Parameters<Parcel['measureOf']>[0] }>;
const isOfPackage = (condition: Condition): condition is PackageCondition => isPackageField(condition.field);

function packageTest(condition: PackageCondition): Test<Parcel> {
  const holds = comparison(condition, thousandths, compareNumbers);
  return (parcel) => holds(parcel.measureOf(condition.field));
}

function shipmentTest(condition: Exclude<Condition, PackageCondition>): Test<Shipment> {
  switch (condition.field) {
    case 'packages':
    case 'distance_km':
    case 'window_hours':
    case 'weekday':
      return onShipment(MEASURES[condition.field], comparison(condition, thousandths, compareNumbers));
    case 'declared_value':
    case 'cod_amount':
      return onShipment(AMOUNTS[condition.field], comparison(condition, decimal, compareDecimals));
    case 'option':
    case 'customer_tag':
      return listTest(condition);
    case 'residential': {
      const { op, value } = condition;
      return ({ inputs: { is_residential } }) =>
        is_residential !== undefined && (is_residential === value) === (op === '=');
    }
    default:
      return onShipment(
        TEXTS[condition.field],
        comparison(condition, (text: string) => text, compareTexts),
      );
  }
}

/** A missing value makes a condition false. */
const onShipment =
  <V>(read: (shipment: Shipment) => V | undefined, holds: Test<V>): Test<Shipment> =>
  (shipment) => {
    const value = read(shipment);
    return value !== undefined && holds(value);
  };

function listTest(condition: Extract<Condition, { field: 'option' | 'customer_tag' }>): Test<Shipment> {
  const read = LISTS[condition.field];
  if (condition.op === 'in') return (shipment) => condition.value.some((value) => read(shipment).includes(value));
  return (shipment) => read(shipment).includes(condition.value) === (condition.op === '=');
}

type Compare<V> = (a: V, b: V) => number;
const compareNumbers: Compare<number> = (a, b) => a - b;
const compareDecimals: Compare<Decimal> = (a, b) => a.cmp(b);
const compareTexts: Compare<string> = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

type Comparison<Raw> =
  | { readonly op: '=' | '!=' | '>' | '>=' | '<' | '<='; readonly value: Raw }
  | { readonly op: 'in'; readonly value: readonly Raw[] }
  | { readonly op: 'between'; readonly value: readonly [Raw, Raw] };

const OPERATORS: Readonly<Record<'=' | '!=' | '>' | '>=' | '<' | '<=', (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
};

/** Compares a value with those of the condition, which are parsed once. */
function comparison<Raw, V>(condition: Comparison<Raw>, parse: (raw: Raw) => V, compare: Compare<V>): Test<V> {
  if (condition.op === 'in') {
    const values = condition.value.map(parse);
    return (value) => values.some((one) => compare(value, one) === 0);
  }
  if (condition.op === 'between') {
    const [low, high] = [parse(condition.value[0]), parse(condition.value[1])];
    return (value) => compare(value, low) >= 0 && compare(value, high) <= 0;
  }
  const wanted = parse(condition.value);
  const holds = OPERATORS[condition.op];
  return (value) => holds(compare(value, wanted));
}
