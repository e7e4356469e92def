/** Prices of a rate card for shipments of the adapter `sheet`: without taxes, and with the reason if there is none. */
import { expect } from 'chai';
import { createPricedInputs } from '../../../src/api/areas/pricing/priced-inputs.js';
import { createCarrierServices } from '../../../src/areas/wiring/carrier-services.js';
import { compileCard } from '../../../src/commands/pricing/compile.js';
import { InvalidLabel } from '../../../src/engines/label-printing/check-label.js';
import type { CarrierShipment } from '../../../src/engines/outside/carriers/port.js';
import { NotPrintable, type PrintedLabel } from '../../../src/engines/outside/carriers/services.js';
import { cardSchema } from '../../../src/events/pricing/card.js';
import type { Family } from '../../../src/events/pricing/families.js';
import { simpleCard } from '../../support/inputs/shipments.js';
import { CARRIER_SHIPMENT } from '../../support/inputs/carrier-shipment.js';

const NOON = Date.parse('2026-03-02T11:00:00Z');
const SHIPMENT: CarrierShipment = { ...CARRIER_SHIPMENT, ship_date: '2026-03-02' };

function servicesWith(card: object, family: Family = 'shipping_service') {
  const document = cardSchema.parse(card);
  const row = { id: 1, business: 7, family, currency: 'EUR' };
  return createCarrierServices({
    cards: {
      ofId: (id) =>
        Promise.resolve(id === 1 ? ({ row, compiled: compileCard(document, row), version: {} } as never) : undefined),
    },
    inputsOf: createPricedInputs({
      warehouses: { byId: () => Promise.resolve(undefined), byDefault: () => Promise.resolve(undefined) } as never,
      geocode: () => Promise.resolve([]) as never,
      roadDistance: () => Promise.reject(new Error('unused')),
    }),
    defaultRoadFactor: '1.3',
    businesses: { business: () => Promise.resolve({ timezone: 'Europe/Berlin' } as never) },
    numbers: {
      draw: (_account, _scheme, key) => Promise.resolve(key === 'none' ? undefined : { prefix: '04012345', serial: 7 }),
      drawn: () => Promise.resolve(undefined),
    },
    renderLabel: () => Promise.reject(new InvalidLabel('/to/name: too long')),
    now: () => NOON,
  });
}

describe('services for carrier adapters', () => {
  const express = simpleCard({
    services: [
      { code: 'standard', names: { en: 'Standard' }, days_min: 1, days_max: 2, options: ['signature', 'cod'] },
      { code: 'slow', max_weight_kg: 1 },
    ],
  });
  const priced = (more: Partial<CarrierShipment> = {}, card: object = express) =>
    servicesWith(card).price(7, 1, { ...SHIPMENT, ...more });
  const codesOf = async (...of: Parameters<typeof priced>) => (await priced(...of)).errors.map(({ code }) => code);

  it('price the services of a card without taxes', async () => {
    expect(await priced()).to.deep.equal({
      prices: [
        { service_code: 'standard', name: 'Standard', amount: '4.90', currency: 'EUR', days_min: 1, days_max: 2 },
      ],
      errors: [],
    });
  });

  it('report why no service has a price', async () => {
    expect(await codesOf({ to: { ...SHIPMENT.to, country: 'FR' } })).to.deep.equal(['NOT_SERVED']);
    expect(await codesOf({ options: { saturday: true } }), 'an option that the card lacks').to.deep.equal([
      'NOT_SERVED',
    ]);
    expect(await codesOf({ options: { signature: 'adult' } })).to.deep.equal(['NOT_SERVED']);
    expect((await priced({ options: { signature: 'any', cod_amount: '5' } })).prices).to.have.length(1);
    const volumetric = { ...express, weight: { basis: 'volumetric', divisor: 5_000 } };
    const [{ length_cm: _length, ...flat }] = SHIPMENT.packages as [CarrierShipment['packages'][0]];
    expect(await codesOf({ packages: [flat] }, volumetric)).to.deep.equal(['DIMENSIONS_NEEDED']);
    expect((await servicesWith(express).price(7, 2, SHIPMENT)).errors).to.deep.equal([
      { code: 'NO_CARD', retryable: false },
    ]);
  });

  it('price a shipment whose day has passed, as of today', async () => {
    expect((await priced({ ship_date: '2026-02-27' })).prices).to.have.length(1);
  });

  it('use only cards with prices of a transport', async () => {
    expect(await servicesWith(express).services(7, 1)).to.deep.equal([
      { service_code: 'standard', name: 'Standard' },
      { service_code: 'slow', name: 'slow' },
    ]);
    const { table: _table, weight: _weight, ...labels } = express;
    expect(await servicesWith(labels, 'label_service').services(7, 1)).to.be.empty;
    expect(await servicesWith(express).services(7, 2)).to.be.empty;
  });

  it('return complete numbers', async () => {
    const { drawNumber, drawnNumber } = servicesWith(express);
    expect(await drawNumber(3, 'key')).to.match(/^04012345000000007\d$/);
    expect(await drawNumber(3, 'none')).to.equal(undefined);
    expect(await drawnNumber(3, 'key')).to.equal(undefined);
  });

  it('mark labels that can never be printed', async () => {
    const error = await servicesWith(express)
      .renderLabel({} as PrintedLabel, 'pdf', '4x6')
      .catch((cause: unknown) => cause);
    expect(error).to.be.instanceOf(NotPrintable);
  });
});
