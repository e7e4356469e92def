/** Faults of rate cards: each kind with its JSON Pointer. */
import { expect } from 'chai';
import { checkCard, MAX_FAULTS } from '../../../src/commands/pricing/check-card.js';
import { cardSchema, type Card } from '../../../src/events/pricing/card.js';
import type { Family } from '../../../src/events/pricing/families.js';
import type { Condition } from '../../../src/events/pricing/conditions.js';
import type { ZoneMatch } from '../../../src/events/pricing/zones.js';
import { BREAKS, cardOf, TABLE } from '../../support/inputs/prices.js';

/** Path and code of each fault. */
const faultsOf = (card: Card, family: Family = 'shipping_service'): string[] =>
  checkCard(cardSchema.parse(card), { family }).map(({ path, code }) => `${path} ${code}`);

const table = (breaks: NonNullable<Card['table']>[number]['breaks']) =>
  faultsOf(cardOf({ table: [{ service: 'ROAD', lane: '*', breaks }] }));

/** A card with zones, lanes and a table for each of the lanes. */
const laned = (members: Partial<Card>): string[] =>
  faultsOf({
    services: [{ code: 'ROAD', options: ['SIGN'] }, { code: 'AIR' }],
    zones: [
      { code: 'DE', match: [{ country: 'DE' }] },
      { code: 'FR', match: [{ country: 'FR' }] },
    ],
    lanes: [
      { from: 'DE', to: 'FR', lane: 'OUT' },
      { from: '*', to: '*', lane: 'ANY' },
    ],
    table: [{ service: 'ROAD', lane: 'OUT', breaks: BREAKS }],
    ...members,
  });

describe('check of a rate card', () => {
  it('accepts a card without faults', () => {
    expect(faultsOf(cardOf({ table: TABLE }))).to.deep.equal([]);
    expect(laned({})).to.deep.equal([]);
  });

  it('weight breaks: gap, overlap and order', () => {
    const open = (above_kg: number) => ({ above_kg, base: '5', per_kg: '1' });
    const upTo = (up_to_kg: number) => ({ up_to_kg, amount: '1' });
    expect(table([upTo(2), upTo(2), open(2)])).to.deep.equal(['/table/0/breaks/1/up_to_kg OVERLAP']);
    expect(table([upTo(5), upTo(2)])).to.deep.equal(['/table/0/breaks/1/up_to_kg WRONG_ORDER']);
    expect(table([upTo(2), open(3)])).to.deep.equal(['/table/0/breaks/1/above_kg GAP']);
    expect(table([upTo(2), open(1)])).to.deep.equal(['/table/0/breaks/1/above_kg OVERLAP']);
    expect(table([open(1)])).to.deep.equal(['/table/0/breaks/0/above_kg GAP']);
    expect(table([open(0), upTo(2)])).to.deep.equal(['/table/0/breaks/0 WRONG_ORDER']);
  });

  it('distance bands: overlap and order', () => {
    const bands = (...bounds: number[]) =>
      faultsOf(cardOf({ distance: { bands: bounds.map((up_to_km) => ({ up_to_km, base: '5', per_km: '1' })) } }));
    expect(bands(5, 5)).to.deep.equal(['/distance/bands/1/up_to_km OVERLAP']);
    expect(bands(5, 20, 10)).to.deep.equal(['/distance/bands/2/up_to_km WRONG_ORDER']);
  });

  it('storage tiers: gap, overlap and order', () => {
    const tiers = (...days: number[]) =>
      faultsOf(
        cardOf({
          storage: { free_days: 5, tiers: days.map((from_day) => ({ from_day, per: 'package', per_day: '1' })) },
        }),
      );
    expect(tiers(6, 10)).to.deep.equal([]);
    expect(tiers(7)).to.deep.equal(['/storage/tiers/0/from_day GAP']);
    expect(tiers(6, 6)).to.deep.equal(['/storage/tiers/1/from_day OVERLAP']);
    expect(tiers(6, 20, 10)).to.deep.equal(['/storage/tiers/2/from_day WRONG_ORDER']);
  });

  it('device bands: gap, overlap and order', () => {
    const bands = (...ranges: (readonly [number, number?])[]) =>
      faultsOf(
        cardOf({
          device: [
            {
              cell_size: 'M',
              bands: ranges.map(([minutes_from, minutes_to]) => ({
                minutes_from,
                ...(minutes_to !== undefined && { minutes_to }),
                amount: '1',
              })),
            },
          ],
        }),
      );
    expect(bands([0, 60], [60])).to.deep.equal([]);
    expect(bands([10, 60])).to.deep.equal(['/device/0/bands/0/minutes_from GAP']);
    expect(bands([0, 60], [61])).to.deep.equal(['/device/0/bands/1/minutes_from GAP']);
    expect(bands([0, 60], [59])).to.deep.equal(['/device/0/bands/1/minutes_from OVERLAP']);
    expect(bands([0, 60], [60, 60])).to.deep.equal(['/device/0/bands/1/minutes_to WRONG_ORDER']);
    expect(bands([0], [60])).to.deep.equal(['/device/0/bands/0/minutes_from OVERLAP']);
    expect(bands([0, 60], [60, 90], [30])).to.deep.equal(['/device/0/bands/2/minutes_from WRONG_ORDER']);
  });

  it('fuel periods: gap, overlap and order', () => {
    const periods = (...dates: (readonly [string, string?])[]) =>
      faultsOf(
        cardOf({
          table: TABLE,
          fuel: dates.map(([date_from, date_to]) => ({ date_from, ...(date_to && { date_to }), percent: '1' })),
        }),
      );
    expect(periods(['2026-01-01', '2026-02-28'], ['2026-03-01'])).to.deep.equal([]);
    expect(periods(['2026-01-01', '2026-02-28'], ['2026-03-02'])).to.deep.equal(['/fuel/1/date_from GAP']);
    expect(periods(['2026-01-01', '2026-02-28'], ['2026-02-28'])).to.deep.equal(['/fuel/1/date_from OVERLAP']);
    expect(periods(['2026-01-02', '2026-01-01'])).to.deep.equal(['/fuel/0/date_to WRONG_ORDER']);
    expect(periods(['2026-01-01'], ['2026-02-01'])).to.deep.equal(['/fuel/0/date_from OVERLAP']);
    expect(periods(['2026-02-01', '2026-02-28'], ['2026-01-01', '2026-01-31'])).to.deep.equal([
      '/fuel/1/date_from WRONG_ORDER',
    ]);
  });

  it('days of a service and bounds of a condition: order', () => {
    expect(faultsOf(cardOf({ services: [{ code: 'ROAD', days_min: 3, days_max: 2 }], table: TABLE }))).to.deep.equal([
      '/services/0/days_max WRONG_ORDER',
    ]);
    const between: Condition[] = [
      { field: 'cod_amount', op: 'between', value: ['9', '10'] },
      { field: 'cod_amount', op: 'between', value: ['10', '9'] },
      { field: 'billable_kg', op: 'between', value: [10, 9] },
    ];
    const surcharge = { code: 'X', when: between, amount: { flat: '1' }, fuelable: false, taxable: true };
    expect(faultsOf(cardOf({ table: TABLE, surcharges: [surcharge] }))).to.deep.equal([
      '/surcharges/0/when/1/value WRONG_ORDER',
      '/surcharges/0/when/2/value WRONG_ORDER',
    ]);
  });

  it('unknown zones, services, lanes and options', () => {
    const lanes = [
      { from: 'DE', to: 'IT', lane: 'OUT' },
      { from: 'DE', to: 'FR', lane: 'OUT', service: 'SEA' },
    ];
    expect(laned({ lanes })).to.deep.equal(['/lanes/0/to UNKNOWN_ZONE', '/lanes/1/service UNKNOWN_SERVICE']);
    const entry = (service: string, lane: string) => ({ service, lane, breaks: BREAKS });
    expect(laned({ table: [entry('SEA', 'OUT'), entry('AIR', 'IN'), entry('AIR', '*')] })).to.deep.equal([
      '/table/0/service UNKNOWN_SERVICE',
      '/table/1/lane UNKNOWN_LANE',
      '/table/2/lane UNKNOWN_LANE',
    ]);
    // The lane exists, but not for this service.
    expect(
      laned({ lanes: [{ from: '*', to: '*', lane: 'OUT', service: 'ROAD' }], table: [entry('AIR', 'OUT')] }),
    ).to.deep.equal(['/table/0/lane UNKNOWN_LANE']);
    const when: Condition[] = [
      { field: 'from_zone', op: '=', value: 'IT' },
      { field: 'to_zone', op: 'in', value: ['FR', 'IT'] },
      { field: 'lane', op: '!=', value: 'IN' },
      { field: 'option', op: '=', value: 'COD' },
      { field: 'customer_tag', op: '=', value: 'COD' },
    ];
    const surcharge = { code: 'X', when, amount: { flat: '1' }, fuelable: false, taxable: true };
    expect(
      laned({ surcharges: [surcharge], taxes: [{ code: 'T', percent: '1', inclusive: false, when: when.slice(3) }] }),
    ).to.deep.equal([
      '/surcharges/0/when/0/value UNKNOWN_ZONE',
      '/surcharges/0/when/1/value/1 UNKNOWN_ZONE',
      '/surcharges/0/when/2/value UNKNOWN_LANE',
      '/surcharges/0/when/3/value UNKNOWN_OPTION',
      '/taxes/0/when/0/value UNKNOWN_OPTION',
    ]);
  });

  it('lanes that earlier lanes contain', () => {
    const all = { from: '*', to: '*', lane: 'ANY' };
    expect(laned({ lanes: [all, { from: 'DE', to: 'FR', lane: 'OUT' }] })).to.deep.equal(['/lanes/1 UNREACHABLE_LANE']);
    expect(
      laned({
        lanes: [
          { ...all, from: 'DE' },
          { from: 'DE', to: 'FR', lane: 'OUT' },
        ],
      }),
    ).to.deep.equal(['/lanes/1 UNREACHABLE_LANE']);
    // The second lane is for the other service; the third one is for none.
    const first = { from: 'DE', to: '*', lane: 'ANY', service: 'AIR' };
    const second = { from: 'DE', to: 'FR', lane: 'OUT' };
    expect(laned({ lanes: [first, second] })).to.deep.equal([]);
    expect(laned({ lanes: [first, { ...first, service: 'ROAD' }, second] })).to.deep.equal([
      '/lanes/2 UNREACHABLE_LANE',
    ]);
  });

  it('polygons that cross themselves, and ranges of postal codes', () => {
    const zoned = (match: Omit<ZoneMatch, 'country'>) =>
      faultsOf(
        cardOf({ table: TABLE, zones: [{ code: 'Z', match: [{ country: 'DE' }, { country: 'DE', ...match }] }] }),
      );
    const [a, b, c, d] = [
      { latitude: 48, longitude: 11 },
      { latitude: 48, longitude: 12 },
      { latitude: 49, longitude: 12 },
      { latitude: 49, longitude: 11 },
    ] as const;
    expect(zoned({ polygon: [a, b, c, d] })).to.deep.equal([]);
    expect(zoned({ polygon: [a, b, c, d, a] })).to.deep.equal([]);
    expect(zoned({ polygon: [a, c, b, d] })).to.deep.equal(['/zones/0/match/1/polygon CROSSES_ITSELF']);
    expect(zoned({ polygon: [a, b, a] })).to.deep.equal(['/zones/0/match/1/polygon CROSSES_ITSELF']);
    expect(zoned({ postal_from: '100', postal_to: '99' })).to.deep.equal(['/zones/0/match/1/postal_to INVALID_RANGE']);
    expect(zoned({ postal_from: '100', postal_to: '099' })).to.deep.equal(['/zones/0/match/1/postal_to WRONG_ORDER']);
  });

  it('codes that occur twice', () => {
    const surcharge = { code: 'X', amount: { flat: '1' }, fuelable: false, taxable: true };
    const tax = { code: 'T', percent: '1', inclusive: false };
    const zone = { code: 'Z', match: [{ country: 'DE' }] };
    const item = { code: 'I', amount: '1' };
    expect(
      faultsOf({
        services: [{ code: 'ROAD', options: ['A', 'B', 'A'] }, { code: 'ROAD' }],
        zones: [zone, zone],
        table: [...TABLE, ...TABLE],
        surcharges: [surcharge, surcharge],
        taxes: [tax, tax],
        items: [item, { code: 'I', from_catalogue: true }],
      }),
    ).to.deep.equal(
      [
        '/services/1/code',
        '/zones/1/code',
        '/surcharges/1/code',
        '/taxes/1/code',
        '/items/1/code',
        '/table/1',
        '/services/0/options/2',
      ].map((path) => `${path} DUPLICATE_CODE`),
    );
    const size = { cell_size: 'M', bands: [{ minutes_from: 0, amount: '1' }] };
    expect(faultsOf(cardOf({ device: [size, size] }), 'device_order')).to.deep.equal([
      '/device/1/cell_size DUPLICATE_CODE',
    ]);
    const classes = [
      { code: 'S', factor: '1' },
      { code: 'S', factor: '2' },
    ];
    const storage = { free_days: 0, tiers: [{ from_day: 1, per: 'kg' as const, per_day: '1' }], classes };
    expect(faultsOf(cardOf({ storage }), 'storage_service')).to.deep.equal(['/storage/classes/1/code DUPLICATE_CODE']);
  });

  it('not exactly one base', () => {
    const distance = { bands: [{ up_to_km: 5, base: '5', per_km: '1' }] };
    expect(faultsOf(cardOf({}))).to.deep.equal([' NOT_ONE_BASE']);
    expect(faultsOf(cardOf({ table: [] }))).to.deep.equal([' NOT_ONE_BASE']);
    expect(faultsOf(cardOf({ table: TABLE, distance }))).to.deep.equal(['/distance NOT_ONE_BASE']);
    expect(faultsOf(cardOf({ items: [{ code: 'BOX', amount: '1' }] }))).to.deep.equal([]);
    expect(faultsOf(cardOf({}), 'label_service')).to.deep.equal([]);
    expect(faultsOf(cardOf({ table: TABLE }), 'label_service')).to.deep.equal(['/table NOT_ONE_BASE']);
  });

  it('a price of further packages without a table or distances', () => {
    const packages = { first: '5', further: { flat: '1' } };
    expect(faultsOf(cardOf({ packages }), 'label_service')).to.deep.equal(['/packages NOT_APPLICABLE']);
    const distance = { bands: [{ up_to_km: 5, base: '5', per_km: '1' }] };
    expect(faultsOf(cardOf({ distance, packages }))).to.deep.equal(['/packages/first NOT_APPLICABLE']);
  });

  it('limits: 2,000 zone matches, 20,000 table cells, 200 surcharges', () => {
    const many = <T>(length: number, of: (index: number) => T): T[] => Array.from({ length }, (_, index) => of(index));
    const sized = (matches: number, cells: number, surcharges: number) =>
      faultsOf(
        cardOf({
          zones: [{ code: 'Z', match: many(matches, () => ({ country: 'DE' })) }],
          table: [{ service: 'ROAD', lane: '*', breaks: many(cells, (at) => ({ up_to_kg: at + 1, amount: '1' })) }],
          surcharges: many(surcharges, (at) => ({
            code: `S${at}`,
            amount: { flat: '1' },
            fuelable: false,
            taxable: true,
          })),
        }),
      );
    expect(sized(2_000, 20_000, 200)).to.deep.equal([]);
    expect(sized(2_001, 20_001, 201)).to.deep.equal([
      '/zones TOO_MANY_ITEMS',
      '/table TOO_MANY_ITEMS',
      '/surcharges TOO_MANY_ITEMS',
    ]);
  });

  it('reports at most 100 faults', () => {
    const breaks = Array.from({ length: 150 }, () => ({ up_to_kg: 1, amount: '1' }));
    expect(table(breaks)).to.have.length(MAX_FAULTS);
  });
});
