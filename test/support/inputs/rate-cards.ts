/** Random rate cards without faults, and random inputs for them, from small sets of codes that often meet. */
import fc from 'fast-check';
import { checkCard } from '../../../src/commands/pricing/check-card.js';
import type { CardTerms } from '../../../src/commands/pricing/compile.js';
import { STORAGE_MEASURES } from '../../../src/events/pricing/bases.js';
import type { Card, Surcharge } from '../../../src/events/pricing/card.js';
import { FAMILIES } from '../../../src/events/pricing/families.js';
import {
  AMOUNT_FIELDS,
  MEASURE_FIELDS,
  NUMERIC_FIELDS,
  PACKAGE_FIELDS,
  type Condition,
} from '../../../src/events/pricing/conditions.js';
import type { PriceInputs } from '../../../src/events/pricing/inputs.js';

const SERVICES = ['ROAD', 'AIR'] as const;
const ZONES = ['Z1', 'Z2'] as const;
const LANES = ['L1', 'L2'] as const;
const OPTIONS = ['SIGN', 'COD'] as const;

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 });
const often = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 9 });
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 9 }, { arbitrary, weight: 1 });
/** Members that are undefined are absent, as in JSON. */
const record = <T extends object>(members: { [K in keyof T]?: fc.Arbitrary<T[K] | undefined> }): fc.Arbitrary<T> =>
  fc
    .record(members as Record<string, fc.Arbitrary<unknown>>)
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown as T);

const decimals = (max: number, scale: number) =>
  fc
    .tuple(fc.nat(max), fc.nat(10 ** scale - 1))
    .map(([whole, part]) => `${whole}.${String(part).padStart(scale, '0')}`);
/** Rarely the largest amount, because few prices with it are valid money. */
const amount = fc.oneof(
  { arbitrary: fc.oneof(decimals(500, 4), decimals(500, 2), fc.nat(999).map(String), oneOf('0')), weight: 99 },
  { arbitrary: oneOf('999999999999.9999'), weight: 1 },
);
const percent = fc.oneof(decimals(99, 3), oneOf('0', '100'));
const measure = (max: number) => fc.nat(max * 1_000).map((value) => value / 1_000);
const date = fc
  .integer({ min: 20_000, max: 20_800 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
const clock = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const position = record({ latitude: measure(90), longitude: measure(180) });
const country = oneOf('DE', 'FR', 'US');
const postal = oneOf('10115', '10-999', '80331', 'SW1A 1AA', '750');

const ascending = (max: number) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max }), { minLength: 1, maxLength: 5 })
    .map((values) => values.sort((a, b) => a - b));

const conditionOf = (fields: readonly string[], ops: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc.record({ field: oneOf(...fields), op: oneOf(...ops), value }).map((one) => one as Condition);
const ORDERED = ['=', '!=', '>', '>=', '<', '<='];
const condition = fc.oneof(
  conditionOf([...PACKAGE_FIELDS, ...MEASURE_FIELDS], ORDERED, measure(50)),
  conditionOf(AMOUNT_FIELDS, ORDERED, amount),
  conditionOf(
    AMOUNT_FIELDS,
    ['in'],
    amount.map((one) => [one]),
  ),
  conditionOf(['option'], ['=', '!='], oneOf(...OPTIONS)),
  conditionOf(['residential'], ['=', '!='], fc.boolean()),
  conditionOf(['country_pair'], ['='], oneOf('DE-DE', 'DE-FR')),
  conditionOf(['date'], ['<', '>='], date),
  conditionOf(['from_zone', 'to_zone'], ['=', '!='], oneOf(...ZONES)),
);
const when = maybe(fc.array(condition, { maxLength: 2 }));

const surcharge = (code: string): fc.Arbitrary<Surcharge> =>
  record<Surcharge>({
    code: fc.constant(code),
    names: oneOf(undefined, { en: 'Extra' }),
    when,
    amount: fc.oneof(
      record({ flat: amount }),
      record({ percent_of: fc.constant('base' as const), percent }),
      record({ per_kg: amount }),
      record({ per_package: amount }),
      record({ per_unit: amount, field: oneOf(...NUMERIC_FIELDS) }),
    ),
    max: maybe(amount),
    fuelable: fc.boolean(),
    taxable: fc.boolean(),
  });

const table: fc.Arbitrary<Card['table']> = fc
  .tuple(ascending(60), amount, amount, fc.boolean())
  .map(([bounds, one, other, isOpen]) => {
    const breaks = [
      ...bounds.map((up_to_kg, at) => ({ up_to_kg, amount: at % 2 ? one : other })),
      ...(isOpen ? [{ above_kg: bounds.at(-1)!, base: one, per_kg: other }] : []),
    ];
    return SERVICES.flatMap((service) => LANES.map((lane) => ({ service, lane, breaks })));
  });

const distance: fc.Arbitrary<Card['distance']> = fc
  .tuple(ascending(100), amount, amount)
  .map(([bounds, base, per_km]) => ({ bands: bounds.map((up_to_km) => ({ up_to_km, base, per_km })) }));

const storage: fc.Arbitrary<Card['storage']> = fc
  .tuple(ascending(30), amount, oneOf(...STORAGE_MEASURES), fc.boolean())
  .map(([days, per_day, per, hasClasses]) => ({
    free_days: days[0]! - 1,
    tiers: days.map((from_day) => ({ from_day, per, per_day })),
    ...(hasClasses && {
      classes: [
        { code: 'S', max_side_cm: 60, factor: '1' },
        { code: 'M', factor: '1.75' },
      ],
    }),
  }));

const device: fc.Arbitrary<Card['device']> = fc
  .tuple(ascending(3_000), amount, maybe(amount))
  .map(([bounds, price, day_cap]) => [
    {
      cell_size: 'M',
      bands: bounds.map((minutes_to, at) => ({ minutes_from: bounds[at - 1] ?? 0, minutes_to, amount: price })),
      ...(day_cap && { day_cap }),
    },
  ]);

const base: fc.Arbitrary<Partial<Card>> = fc.oneof(
  record<Partial<Card>>({
    table,
    packages: maybe(
      record({
        first: fc.oneof(fc.constant('each'), amount),
        further: fc.oneof(record({ percent }), record({ flat: amount })),
      }),
    ),
  }),
  record<Partial<Card>>({
    distance,
    packages: maybe(
      record({ first: fc.constant('each'), further: fc.oneof(record({ percent }), record({ flat: amount })) }),
    ),
  }),
  record<Partial<Card>>({ storage }),
  record<Partial<Card>>({ device }),
  record<Partial<Card>>({}),
);

const service = (code: string) =>
  record<Card['services'][number]>({
    code: fc.constant(code),
    days_min: maybe(fc.nat(3)),
    days_max: maybe(fc.integer({ min: 3, max: 9 })),
    cutoff: maybe(clock),
    weekdays: rarely(fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })),
    max_weight_kg: rarely(measure(60)),
    max_side_cm: rarely(measure(200)),
    max_packages: rarely(fc.integer({ min: 1, max: 5 })),
    options: fc.constant([...OPTIONS]),
  });

const match = record<NonNullable<Card['zones']>[number]['match'][number]>({
  country,
  postal_prefix: maybe(oneOf('1', 'SW1')),
  region: maybe(oneOf('NY')),
  circle: maybe(record({ latitude: measure(90), longitude: measure(180), km: measure(20_000) })),
});
const zone = (code: string) =>
  record<NonNullable<Card['zones']>[number]>({
    code: fc.constant(code),
    match: fc
      .array(match, { minLength: 1, maxLength: 3 })
      .map((matches) => [...matches, { country: 'US', postal_from: '10-000', postal_to: '19999' }]),
  });

export const terms: fc.Arbitrary<CardTerms> = record({
  family: oneOf(...FAMILIES),
  currency: oneOf('EUR', 'JPY', 'KWD', 'CLF'),
});

/** A card with its family and currency. The card passes the check. */
export const validCard: fc.Arbitrary<readonly [Card, CardTerms]> = fc
  .tuple(
    record<Card>({
      services: fc.tuple(...SERVICES.map(service)).map((services) => [...services]),
      zones: fc.tuple(...ZONES.map(zone)).map((zones) => [...zones]),
      lanes: oneOf([
        { from: 'Z1', to: 'Z2', lane: 'L1' },
        { from: '*', to: '*', lane: 'L2', service: 'AIR' },
        { from: '*', to: '*', lane: 'L2' },
      ]),
      weight: maybe(
        fc.oneof(
          record({ basis: fc.constant('actual' as const), step_kg: maybe(oneOf(0.5, 1)), min_kg: maybe(measure(3)) }),
          record({
            basis: oneOf('volumetric' as const, 'greater' as const),
            divisor: oneOf(4_000, 5_000, 6_000),
            side_rounding: oneOf('none' as const, 'up' as const, 'nearest' as const),
            step_kg: maybe(oneOf(0.1, 0.5)),
          }),
        ),
      ),
      items: maybe(
        fc.constant([
          { code: 'BOX', amount: '1.995' },
          { code: 'TAPE', from_catalogue: true as const },
        ]),
      ),
      surcharges: fc.tuple(...['S1', 'S2', 'S3'].map(surcharge)).map((surcharges) => [...surcharges]),
      fuel: maybe(
        percent.map((one) => [
          { date_from: '2024-10-01', date_to: '2025-09-30', percent: one },
          { date_from: '2025-10-01', percent: one },
        ]),
      ),
      minimum: rarely(amount),
      taxes: maybe(
        fc
          .array(fc.record({ percent, inclusive: fc.boolean(), when }), { maxLength: 3 })
          .map((taxes) => taxes.map((tax, at) => ({ code: `T${at}`, ...tax }))),
      ),
    }),
    base,
    terms,
  )
  .map(([card, members, one]) => [JSON.parse(JSON.stringify({ ...card, ...members })) as Card, one] as const)
  .filter(([card, one]) => checkCard(card, one).length === 0);

const place = record<PriceInputs['from']>({
  country,
  postal_code: maybe(postal),
  region: maybe(oneOf('ny')),
  position: maybe(position),
});

/** Most packages have all dimensions. */
const parcel = fc.oneof(
  {
    arbitrary: record({
      weight_kg: measure(60),
      length_cm: measure(150),
      width_cm: measure(80),
      height_cm: measure(80),
      declared_value: maybe(amount),
    }),
    weight: 9,
  },
  { arbitrary: record({ weight_kg: maybe(measure(60)), length_cm: maybe(measure(150)) }), weight: 1 },
);

export const priceInputs: fc.Arbitrary<PriceInputs> = record<PriceInputs>({
  from: place,
  to: place,
  packages: fc.array(parcel, { maxLength: 5 }),
  requested: record({ date, time: clock }),
  schedule_date: maybe(date),
  window: maybe(record({ start: clock, end: clock })),
  service_codes: maybe(fc.array(oneOf(...SERVICES, 'SEA'), { maxLength: 3 })),
  options: maybe(fc.array(oneOf(...OPTIONS), { maxLength: 2 })),
  cod_amount: maybe(amount),
  is_residential: maybe(fc.boolean()),
  distance_km: often(measure(50)),
  storage: often(
    record({ received_on: date, until_on: date, class_code: rarely(oneOf('M')), litres: maybe(measure(100)) }),
  ),
  device: often(record({ cell_size: oneOf('M', 'M', 'L'), minutes: measure(1_000) })),
  items: rarely(
    fc.array(record({ code: oneOf('BOX', 'TAPE'), quantity: fc.integer({ min: 1, max: 50 }), amount: maybe(amount) }), {
      maxLength: 2,
    }),
  ),
  cost: often(amount),
  markup_percent: maybe(
    fc.oneof(
      percent,
      percent.map((one) => (one === '0' || one === '100' ? '-100' : `-${one}`)),
    ),
  ),
});
