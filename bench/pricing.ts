/** Prices per second with one thread, for a card with 20,000 weight breaks and three packages. */
import { checkCard } from '../src/commands/pricing/check-card.js';
import { compileCard } from '../src/commands/pricing/compile.js';
import { price } from '../src/commands/pricing/price.js';
import { cardSchema, type Card } from '../src/events/pricing/card.js';
import type { PriceInputs } from '../src/events/pricing/inputs.js';
import { decimal } from '../src/events/core/money.js';
import { median } from './support.js';
import { count, ms, type Line } from './table.js';

/** Duration of one side of a round, in milliseconds. */
const SLICE = 500;
const BATCH = 100;
const LANES = 200;
const BREAKS = 100;

export interface PricingOptions {
  readonly rounds: number;
}

/** Returns prices per second as a ratio to the decimal operations that such a price needs at least. */
export function measurePrices({ rounds }: PricingOptions): Promise<Line[]> {
  const card = cardSchema.parse(largeCard());
  const terms = { family: 'shipping_service', currency: 'EUR' } as const;
  const faults = checkCard(card, terms);
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  const began = performance.now();
  const compiled = compileCard(card, terms);
  const compiling = performance.now() - began;
  const inputs = Array.from({ length: BATCH }, (_, index) => inputsOf(index));
  for (const one of inputs)
    if (price(compiled, one).some((outcome) => 'refused' in outcome)) throw new Error('A service is refused.');
  const work = () => inputs.map((one) => price(compiled, one));
  const reference = () => inputs.map(() => plainPrice());
  [work, reference].forEach(rate);
  const rates: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const measured = rate(work);
    rates.push(measured);
    ratios.push(measured / rate(reference));
  }
  return Promise.resolve([
    {
      name: `prices, ${count(LANES * BREAKS)} weight breaks, 3 packages`,
      value: `${count(median(rates))} prices/s`,
      ratio: median(ratios),
      reference: 'the decimal operations alone',
      goal: '20,000/s',
    },
    { name: 'compiling the card', value: ms(compiling) },
  ]);
}

function rate(work: () => unknown): number {
  const started = performance.now();
  let done = 0;
  for (; performance.now() - started < SLICE; done += BATCH) work();
  return (done / (performance.now() - started)) * 1_000;
}

/** The least that a price calculates: three bases, surcharge, fuel, tax and total, from decimal texts. */
function plainPrice(): string {
  const bases = ['12.3456', '7.8901', '3.4567'].map((amount) => decimal(amount).round(2));
  const base = bases.reduce((sum, amount) => sum.plus(amount));
  const surcharge = base.times('0.1').round(2);
  const fuel = base.plus(surcharge).times('0.125').round(2);
  const taxable = base.plus(surcharge).plus(fuel);
  return taxable.plus(taxable.times('0.19').round(2)).toFixed(2);
}

/** 200 lanes between 20 zones of ten prefixes each; volumetric weight, surcharges, fuel and a tax. */
function largeCard(): Card {
  const zones = Array.from({ length: 20 }, (_, zone) => ({
    code: `Z${zone}`,
    match: Array.from({ length: 10 }, (_, at) => ({
      country: 'DE',
      postal_prefix: String(zone * 10 + at).padStart(3, '0'),
    })),
  }));
  const lanes = Array.from({ length: LANES }, (_, lane) => ({
    from: `Z${Math.floor(lane / 20)}`,
    to: `Z${lane % 20}`,
    lane: `L${lane}`,
  }));
  return {
    services: [{ code: 'ROAD', max_weight_kg: 60, days_min: 1, days_max: 2, cutoff: '14:00', options: ['SIGN'] }],
    zones,
    lanes,
    weight: { basis: 'greater', divisor: 5_000, step_kg: 0.5 },
    table: lanes.map(({ lane }, index) => ({
      service: 'ROAD',
      lane,
      breaks: Array.from({ length: BREAKS }, (_, at) => ({
        up_to_kg: (at + 1) / 2,
        amount: `${at + 3}.${String(index).padStart(4, '0')}`,
      })),
    })),
    packages: { first: 'each', further: { percent: '75' } },
    surcharges: [
      {
        code: 'LONG',
        when: [{ field: 'longest_side', op: '>', value: 100 }],
        amount: { per_package: '4.50' },
        fuelable: true,
        taxable: true,
      },
      { code: 'ROAD_TOLL', amount: { per_kg: '0.12' }, max: '9', fuelable: false, taxable: true },
      {
        code: 'SIGN',
        when: [{ field: 'option', op: '=', value: 'SIGN' }],
        amount: { flat: '1.90' },
        fuelable: false,
        taxable: true,
      },
    ],
    fuel: [{ date_from: '2026-01-01', percent: '12.5' }],
    taxes: [{ code: 'VAT', percent: '19', inclusive: false }],
  };
}

function inputsOf(index: number): PriceInputs {
  const postal = (number: number): string => `${String(number).padStart(3, '0')}15`;
  return {
    from: { country: 'DE', postal_code: postal(index) },
    to: { country: 'DE', postal_code: postal((index * 7) % 200) },
    packages: [
      { weight_kg: 1 + (index % 20), length_cm: 40, width_cm: 30, height_cm: 20 },
      { weight_kg: 2.345, length_cm: 110.5, width_cm: 20, height_cm: 20 },
      { weight_kg: 12, length_cm: 60, width_cm: 40, height_cm: 40 },
    ],
    requested: { date: '2026-03-02', time: '09:00' },
    options: ['SIGN'],
  };
}
