/** Chooses the best rate of a shipment by a strategy. Pure. */
import { z } from 'zod';
import { compare } from '../../../events/core/money.js';
import type { LabelQuote } from './label-quotes.js';

export const STRATEGIES = ['cheapest', 'fastest', 'best_value'] as const;

export interface RateWish {
  readonly strategy: (typeof STRATEGIES)[number];
  readonly carriers?: readonly string[] | undefined;
  readonly maxPrice?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly deliverBy?: string | undefined;
}

/** With `best_value`, a rate may be this much slower than the fastest. */
const SLOWER_DAYS = 2;

/** A rate without a known time counts as the slowest. */
const daysOf = ({ carrier }: LabelQuote): number => carrier.delivery_days ?? Number.MAX_SAFE_INTEGER;
const priceOf = ({ total, carrier }: LabelQuote): string => total ?? carrier.cost;

const byPrice = (one: LabelQuote, other: LabelQuote): number =>
  compare(priceOf(one), priceOf(other)) ||
  daysOf(one) - daysOf(other) ||
  one.carrier.method_id - other.carrier.method_id;
const bySpeed = (one: LabelQuote, other: LabelQuote): number => daysOf(one) - daysOf(other) || byPrice(one, other);

/** Reveals no price. */
export const byDays = (one: LabelQuote, other: LabelQuote): number =>
  daysOf(one) - daysOf(other) || one.carrier.method_id - other.carrier.method_id;

/**
 * The rates that fit, the best one first. Amounts in different currencies cannot be compared, so only the rates in one
 * currency are considered: the one of most rates, and of several such currencies the first in alphabetical order.
 */
export function chooseRate(rates: readonly LabelQuote[], { strategy, ...wish }: RateWish): readonly LabelQuote[] {
  const { carriers, maxPrice, deliverBy } = wish;
  const wanted = carriers && new Set(carriers.map((name) => name.toLowerCase()));
  const named = rates.filter(
    ({ carrier }) =>
      (!wanted || wanted.has(carrier.carrier.toLowerCase())) &&
      (deliverBy === undefined || (carrier.delivery_date ?? '9999') <= deliverBy),
  );
  const currency = mostFrequentCurrency(named);
  const fitting = named.filter(
    (rate) => rate.currency === currency && (maxPrice === undefined || compare(priceOf(rate), maxPrice) <= 0),
  );
  if (strategy === 'fastest') return [...fitting].sort(bySpeed);
  const sorted = [...fitting].sort(byPrice);
  if (strategy === 'cheapest') return sorted;
  const fastest = Math.min(...sorted.map(daysOf));
  return sorted.filter((rate) => daysOf(rate) <= fastest + SLOWER_DAYS);
}

function mostFrequentCurrency(rates: readonly LabelQuote[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { currency } of rates) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  const [first] = [...counts].sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1));
  return first?.[0];
}

/** A rate in the response. Prices are in the rates that the operation `labelserviceRate` returns. */
export const considered = z
  .object({
    rate_id: z.string(),
    carrier: z.string(),
    method_id: z.int(),
    method_name: z.string(),
    delivery_days: z.int().nullable(),
  })
  .meta({ id: 'ConsideredRate' });
