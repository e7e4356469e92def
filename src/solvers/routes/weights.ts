import type { Weights } from './problem.js';

/** A thousandth of the currency is this many units of cost: metres and seconds then weigh whole numbers. */
export const UNITS_PER_MILLI = 18_000;

/** What is made small. */
export type Aim = 'cost' | 'distance' | 'duration' | 'vehicles';

/** Thousandths of the currency. */
export interface Prices {
  readonly perRoute: number;
  readonly perKm: number;
  readonly perHour: number;
}

/**
 * Weights of an aim. A milli a kilometre is 18 units a metre and a milli an hour 5 units a second, both exact. An aim
 * other than cost keeps a trace of the rest: of two plans equal in the aim the shorter one wins.
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
