/** The requests of the adapter of EasyPost: units, options, customs, and shipments that it refuses. */
import Big from 'big.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { settingsSchema } from '../../../src/engines/outside/carriers/easypost/account.js';
import { toShipmentRequest, unserved } from '../../../src/engines/outside/carriers/easypost/shipment-request.js';
import { toInches, toKilograms, toOunces } from '../../../src/engines/outside/carriers/easypost/units.js';
import type { CarrierShipment, Customs } from '../../../src/engines/outside/carriers/port.js';
import { SHIPMENT } from '../../support/easypost/calls.js';

const NOON = Date.parse('2026-03-02T12:00:00Z');

const bodyOf = (more: Partial<CarrierShipment>, settings: Readonly<Record<string, unknown>> = {}) => {
  const shipment = { ...SHIPMENT, ...more };
  const request = { shipment, parcel: shipment.packages[0]!, settings: settingsSchema.parse(settings), now: NOON };
  return toShipmentRequest(request).shipment;
};

const CUSTOMS: Customs = {
  contents: 'merchandise',
  incoterm: 'DDP',
  items: [
    {
      description: 'Shirts',
      quantity: 3,
      value: '19.10',
      currency: 'USD',
      weight_kg: 0.2,
      hs_code: '6109',
      origin: 'PT',
    },
  ],
};
const ABROAD = { to: { ...SHIPMENT.to, country: 'DE' }, customs: CUSTOMS };

describe('units of EasyPost', () => {
  for (const [kg, ounces] of [
    [0.436582656125, 15.4],
    [0.436582656126, 15.5],
    [0.028349523125, 1],
    [0.001, 0.1],
    [1, 35.3],
    [1_000, 35_274],
  ] as const)
    it(`converts ${kg} kg to ${ounces} ounces`, () => expect(toOunces(kg)).to.equal(ounces));

  for (const [cm, inches] of [
    [25.4, 10],
    [25.41, 10.1],
    [1, 0.4],
    [500, 196.9],
  ] as const)
    it(`converts ${cm} cm to ${inches} inches`, () => expect(toInches(cm)).to.equal(inches));

  it('never rounds a weight or a side down, and adds less than a tenth', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (grams) => {
        const exact = new Big(grams).div('28.349523125');
        const added = new Big(toOunces(grams / 1_000)).minus(exact);
        expect(added.gte(-1e-15) && added.lt(0.1), `${grams} g`).to.equal(true);
        const side = new Big(toInches(grams / 100)).times('2.54').minus(grams / 100);
        expect(side.gte(0) && side.lt(0.254), `${grams / 100} cm`).to.equal(true);
      }),
    ));

  it('converts the weight that the carrier reports to kilograms', () => expect(toKilograms(17.6)).to.equal(0.499));
});

describe('requests to EasyPost', () => {
  it('name options only if they are requested', () => {
    expect(bodyOf({ ship_date: '2026-03-02', options: { signature: 'none' } }).options).to.deep.equal({});
    const options = { signature: 'adult', saturday: true, cod_amount: '12.50', residential: false } as const;
    const body = bodyOf({ ship_date: '2026-03-04', order_ref: `order ${'7'.repeat(60)}`, options });
    expect(body.options).to.deep.equal({
      delivery_confirmation: 'ADULT_SIGNATURE',
      saturday_delivery: true,
      cod_amount: '12.50',
      cod_method: 'CASH',
      label_date: '2026-03-04T12:00:00Z',
      invoice_number: `order ${'7'.repeat(24)}`,
    });
    expect(body.to_address.residential).to.equal(false);
    expect(bodyOf({ options: { signature: 'any' } }).options).to.include({ delivery_confirmation: 'SIGNATURE' });
  });

  it('have the carrier accounts and the currency of the account, and the return address', () => {
    const return_to = { ...SHIPMENT.from, name: 'Returns' };
    const body = bodyOf({ return_to }, { carrier_accounts: ['ca_1'], currency: 'CAD' });
    expect(body.carrier_accounts).to.deep.equal(['ca_1']);
    expect(body.options.currency).to.equal('CAD');
    expect(body.return_address).to.include({ name: 'Returns', zip: '94107' });
  });

  it('declare the value and the weight of whole lines at customs', () => {
    const body = bodyOf(ABROAD, { customs_signer: 'Will Turner' });
    expect(body.options.incoterm).to.equal('DDP');
    expect(body.customs_info).to.deep.equal({
      eel_pfc: 'NOEEI 30.37(a)',
      customs_certify: true,
      customs_signer: 'Will Turner',
      contents_type: 'merchandise',
      contents_explanation: '',
      restriction_type: 'none',
      non_delivery_option: 'return',
      customs_items: [
        {
          description: 'Shirts',
          quantity: 3,
          weight: 21.2,
          value: 57.3,
          currency: 'USD',
          hs_tariff_number: '6109',
          origin_country: 'PT',
        },
      ],
    });
  });

  it('explain other contents, and name the sender if no signer is set', () => {
    const { customs_info: info, options } = bodyOf({
      ...ABROAD,
      customs: { ...CUSTOMS, contents: 'other', incoterm: 'DDU' },
    });
    expect(info).to.include({ contents_explanation: 'Shirts', customs_signer: 'Jack Sparrow' });
    expect(options.incoterm).to.equal('DAP');
  });

  it('have the export exemption of the route, and none outside the USA', () => {
    const exemption = (from: string, to: string) =>
      bodyOf({ ...ABROAD, from: { ...SHIPMENT.from, country: from }, to: { ...SHIPMENT.to, country: to } })
        .customs_info;
    expect(exemption('US', 'CA')).to.include({ eel_pfc: 'NOEEI 30.36' });
    expect(exemption('DE', 'US')).to.not.have.property('eel_pfc');
  });
});

describe('shipments that EasyPost does not serve', () => {
  const parcel = SHIPMENT.packages[0]!;
  const dear = { ...CUSTOMS, items: [{ ...CUSTOMS.items[0]!, value: '833.34' }] };
  const mixed = { ...CUSTOMS, items: [...CUSTOMS.items, { ...CUSTOMS.items[0]!, currency: 'EUR' }] };
  for (const [what, more, code] of [
    ['a missing side', { packages: [{ ...parcel, height_cm: undefined }] }, 'DIMENSIONS_NEEDED'],
    ['several packages with one customs declaration', { ...ABROAD, packages: [parcel, parcel] }, 'NOT_SERVED'],
    [
      'cash on delivery for several packages',
      { packages: [parcel, parcel], options: { cod_amount: '100.00' } },
      'NOT_SERVED',
    ],
    [
      'insurance of several packages',
      { packages: [parcel, parcel], options: { insurance_amount: '100.00' } },
      'NOT_SERVED',
    ],
    ['customs items in two currencies', { ...ABROAD, customs: mixed }, 'NOT_SERVED'],
    ['an export from the USA above 2,500', { ...ABROAD, customs: dear }, 'NOT_SERVED'],
  ] as const)
    it(`are refused: ${what}`, () => expect(unserved({ ...SHIPMENT, ...more })?.code).to.equal(code));

  it('do not include exports to Canada above 2,500, and two packages without customs', () => {
    expect(unserved({ ...SHIPMENT, ...ABROAD, customs: dear, to: { ...SHIPMENT.to, country: 'CA' } })).to.equal(
      undefined,
    );
    expect(unserved({ ...SHIPMENT, packages: [parcel, parcel] })).to.equal(undefined);
  });
});
