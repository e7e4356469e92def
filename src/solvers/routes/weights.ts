import type { Weights } from './problem.js';

/** Units of cost per thousandth of the currency. With this factor, metres and seconds have integer weights. */
export const UNITS_PER_MILLI = 18_000;

/** The objective to minimize. */
export type Aim = 'cost' | 'distance' | 'duration' | 'vehicles';

/** Prices in thousandths of the currency. */
export interface Prices {
  readonly perRoute: number;
  readonly perKm: number;
  readonly perHour: number;
}

/**
 * Returns the weights of an objective. A thousandth per kilometre is 18 units per metre and a thousandth per hour is 5
 * units per second, both exact. Objectives other than cost include a small weight for the rest: if two plans are equal
 * in the objective, the shorter one wins.
 */
export function weightsOf(aim: Aim, prices: Prices): Weights {
  switch (aim) {
    case 'cost':
      return {
        perRoute: prices.perRoute * UNITS_PER_MILLI,
        perMetre: prices.perKm * 18,
        perSecond: prices.perHour * 5,
        perWait: prices.perHour * 5,
      };
    case 'distance':
      return { perRoute: 0, perMetre: 100, perSecond: 1, perWait: 0 };
    case 'duration':
      return { perRoute: 0, perMetre: 1, perSecond: 1_000, perWait: 1_000 };
    case 'vehicles':
      return { perRoute: 1_000_000_000, perMetre: 1, perSecond: 1, perWait: 0 };
  }
}
