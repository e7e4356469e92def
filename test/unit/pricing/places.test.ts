/** Zones, lanes and distances. The expected numbers are calculated by hand. */
import { expect } from 'chai';
import fc from 'fast-check';
import { isWithin, sine } from '../../../src/commands/pricing/circle.js';
import { zoneFinder } from '../../../src/commands/pricing/zone-finder.js';
import type { Card } from '../../../src/events/pricing/card.js';
import type { Place, PriceInputs } from '../../../src/events/pricing/inputs.js';
import type { Zone } from '../../../src/events/pricing/zones.js';
import { cardOf, outcomesOf, shown } from '../../support/inputs/prices.js';

const at = (latitude: number, longitude: number): Place => ({ country: 'DE', position: { latitude, longitude } });
const coded = (postal_code: string, country = 'DE'): Place => ({ country, postal_code });

describe('price: zones', () => {
  it('a circle by the great-circle distance: a degree of latitude is 111.195 km', () => {
    // 6,371.0088 × π / 180 = 111.19508…
    const zoneOf = zoneFinder([
      { code: 'CITY', match: [{ country: 'DE', circle: { latitude: 52, longitude: 13, km: 111.195 } }] },
      { code: 'REGION', match: [{ country: 'DE', circle: { latitude: 52, longitude: 13, km: 111.196 } }] },
    ]);
    expect(zoneOf(at(52, 13))).to.equal('CITY');
    expect(zoneOf(at(53, 13))).to.equal('REGION');
    expect(zoneOf(at(53.001, 13))).to.equal(undefined);
    expect(zoneOf(coded('10115'))).to.equal(undefined);
    expect(zoneOf({ ...at(52, 13), country: 'PL' })).to.equal(undefined);
    // At 60° a degree of longitude is half as long. 180° apart is 20,015.1 km.
    expect(isWithin(55.6, { latitude: 60, longitude: 10 }, { latitude: 60, longitude: 11 })).to.equal(true);
    expect(isWithin(55.5, { latitude: 60, longitude: 10 }, { latitude: 60, longitude: 11 })).to.equal(false);
    expect(isWithin(20_015, { latitude: 0, longitude: -90 }, { latitude: 0, longitude: 90 })).to.equal(false);
    expect(isWithin(20_016, { latitude: 0, longitude: -90 }, { latitude: 0, longitude: 90 })).to.equal(true);
    expect(isWithin(1, { latitude: 0, longitude: 179.999 }, { latitude: 0, longitude: -179.999 })).to.equal(true);
  });

  it('the sine has fourteen digits', () =>
    fc.assert(
      fc.property(fc.double({ min: -180, max: 180, noNaN: true }), (degrees) => {
        expect(sine(degrees)).to.be.closeTo(Math.sin((degrees * Math.PI) / 180), 1e-14);
      }),
    ));

  it('a polygon, closed or open, with its edges', () => {
    const corners = [
      { latitude: 48, longitude: 11 },
      { latitude: 48, longitude: 12 },
      { latitude: 49, longitude: 12 },
      { latitude: 48.5, longitude: 11.5 },
      { latitude: 49, longitude: 11 },
    ];
    for (const polygon of [corners, [...corners, corners[0]!]]) {
      const zoneOf = zoneFinder([{ code: 'M', match: [{ country: 'DE', polygon }] }]);
      expect(zoneOf(at(48.2, 11.5))).to.equal('M');
      expect(zoneOf(at(48.6, 11.1))).to.equal('M');
      // Above the notch, outside the ring, and on edges.
      expect(zoneOf(at(48.9, 11.5))).to.equal(undefined);
      expect(zoneOf(at(48.2, 12.1))).to.equal(undefined);
      expect(zoneOf(at(48, 11.3))).to.equal('M');
      expect(zoneOf(at(48.5, 11))).to.equal('M');
    }
  });

  it('postal codes by prefix and range, in upper case, without spaces and hyphens', () => {
    const zoneOf = zoneFinder([
      { code: 'CITY', match: [{ country: 'DE', postal_from: '10115', postal_to: '10999' }] },
      {
        code: 'WIDE',
        match: [
          { country: 'DE', postal_from: '10000', postal_to: '12000' },
          { country: 'GB', postal_prefix: 'sw1' },
        ],
      },
      { code: 'LISBON', match: [{ country: 'PT', postal_from: '1000-001', postal_to: '1990-999' }] },
      { code: 'REST', match: [{ country: 'DE' }] },
    ]);
    const found = (code: string, country = 'DE') => zoneOf(coded(code, country));
    expect(['10114', '10115', '10500', '10999', '11000', '12000', '12001'].map((code) => found(code))).to.deep.equal([
      'WIDE',
      'CITY',
      'CITY',
      'CITY',
      'WIDE',
      'WIDE',
      'REST',
    ]);
    // Another length is outside the range.
    expect(found('1050')).to.equal('REST');
    expect(found('105001')).to.equal('REST');
    expect(found('SW1A 1AA', 'GB')).to.equal('WIDE');
    expect(found('sw2', 'GB')).to.equal(undefined);
    expect(found('1100-123', 'PT')).to.equal('LISBON');
    expect(found('1100 123', 'PT')).to.equal('LISBON');
    expect(found('1991-000', 'PT')).to.equal(undefined);
    expect(zoneOf({ country: 'DE' })).to.equal('REST');
  });

  it('all members of a match must hold', () => {
    const match = { country: 'US', region: 'ny', postal_prefix: '10', postal_from: '10001', postal_to: '10280' };
    const zoneOf = zoneFinder([{ code: 'NYC', match: [match] }]);
    expect(zoneOf({ country: 'US', region: 'NY', postal_code: '10010' })).to.equal('NYC');
    expect(zoneOf({ country: 'US', region: 'NJ', postal_code: '10010' })).to.equal(undefined);
    expect(zoneOf({ country: 'US', postal_code: '10010' })).to.equal(undefined);
    expect(zoneOf({ country: 'US', region: 'NY', postal_code: '10281' })).to.equal(undefined);
    expect(zoneOf({ country: 'US', region: 'NY' })).to.equal(undefined);
  });

  it('finds the same zone as a search through all matches', () => {
    const digits = fc.integer({ min: 0, max: 999 }).map((number) => String(number).padStart(3, '0'));
    const match = fc.oneof(
      fc
        .tuple(digits, digits)
        .map(([a, b]) => ({ country: 'DE', postal_from: a < b ? a : b, postal_to: a < b ? b : a })),
      digits.map((code) => ({ country: 'DE', postal_prefix: code.slice(0, 2) })),
      digits.map((code) => ({ country: 'DE', region: 'BE', postal_prefix: code.slice(0, 1) })),
    );
    fc.assert(
      fc.property(fc.array(match, { minLength: 1, maxLength: 12 }), digits, (matches, code) => {
        const zones: Zone[] = matches.map((one, index) => ({ code: `Z${index}`, match: [one] }));
        const place = { country: 'DE', region: 'BE', postal_code: code };
        const alone = zones.find((zone) => zoneFinder([zone])(place) !== undefined);
        expect(zoneFinder(zones)(place)).to.equal(alone?.code);
      }),
    );
  });
});

describe('price: lanes', () => {
  const breaks = (amount: string) => [{ up_to_kg: 30, amount }];
  const card: Card = {
    services: [{ code: 'ROAD' }, { code: 'AIR' }],
    zones: [
      { code: 'BERLIN', match: [{ country: 'DE', postal_prefix: '1' }] },
      { code: 'DE', match: [{ country: 'DE' }] },
      { code: 'FR', match: [{ country: 'FR' }] },
    ],
    lanes: [
      { from: 'BERLIN', to: 'DE', lane: 'NEAR', service: 'ROAD' },
      { from: 'BERLIN', to: 'DE', lane: 'HOME' },
      { from: '*', to: 'FR', lane: 'ABROAD', service: 'AIR' },
    ],
    table: [
      { service: 'ROAD', lane: 'NEAR', breaks: breaks('4') },
      { service: 'AIR', lane: 'HOME', breaks: breaks('9') },
      { service: 'AIR', lane: 'ABROAD', breaks: breaks('20') },
    ],
  };
  const lanesTo = (to: Place) =>
    outcomesOf(card, { to, packages: [{ weight_kg: 1 }] }).map((outcome) =>
      'refused' in outcome ? outcome.refused : `${outcome.lane} ${outcome.total}`,
    );

  it('the first lane of the service wins; without a lane the service is not offered', () => {
    expect(lanesTo(coded('80331'))).to.deep.equal(['NEAR 4.00', 'HOME 9.00']);
    expect(lanesTo(coded('75001', 'FR'))).to.deep.equal(['NOT_SERVED', 'ABROAD 20.00']);
    expect(lanesTo(coded('1010', 'AT'))).to.deep.equal(['NOT_SERVED', 'NOT_SERVED']);
  });

  it('prices only the requested services, and refuses unknown ones', () => {
    const outcomes = outcomesOf(card, { service_codes: ['SEA', 'AIR', 'SEA'], packages: [{ weight_kg: 1 }] });
    expect(outcomes.map((outcome) => [outcome.service_code, 'refused' in outcome])).to.deep.equal([
      ['AIR', false],
      ['SEA', true],
    ]);
  });
});

describe('price: distances', () => {
  const distance = {
    road_factor: '1.3',
    bands: [
      { up_to_km: 5, base: '6.00', per_km: '0' },
      { up_to_km: 20, base: '6.00', per_km: '1.10' },
    ],
  };
  const near = (members: Partial<Card>, inputs: Partial<PriceInputs>) =>
    shown(cardOf({ distance, ...members }), inputs, { family: 'local_delivery' });

  it('12.35 km: 6.00 + 1.10 × (12.35 − 5) = 14.085 → 14.09; exactly 5 km: 6.00', () => {
    expect(near({}, { distance_km: 12.35 })).to.deep.equal([
      'base 14.09 (distance_km 12.35, above_km 5, up_to_km 20, base 6.00, per_km 1.10)',
      'total 14.09',
    ]);
    expect(near({}, { distance_km: 5 })[1]).to.equal('total 6.00');
    expect(near({}, { distance_km: 20.001 })).to.deep.equal(['NOT_SERVED']);
    expect(near({}, {})).to.deep.equal(['NOT_SERVED']);
  });

  it('two further packages at 25 % of 6.00 = 1.50 each; a surcharge refers to the whole base of 9.00', () =>
    expect(
      near(
        {
          packages: { first: 'each', further: { percent: '25' } },
          surcharges: [
            {
              code: 'HEAVY',
              when: [{ field: 'billable_kg', op: '>', value: 20 }],
              amount: { percent_of: 'base', percent: '50' },
              fuelable: false,
              taxable: true,
            },
          ],
        },
        { distance_km: 3, packages: [{ weight_kg: 1 }, { weight_kg: 25 }, { weight_kg: 2 }] },
      ),
    ).to.deep.equal([
      'base 6.00 (distance_km 3, above_km 0, up_to_km 5, base 6.00, per_km 0)',
      'further_packages 3.00 (packages 2, unit_amount 1.50, base_amount 6.00, percent 25)',
      'surcharge HEAVY 4.50 (percent 50, base_amount 9.00)',
      'total 13.50',
    ]));
});
