/** Rates: one shipment per package, which is never bought. The rate of a method is the sum over all packages. */
import { compare, decimal, rounded, sum, times, type Money } from '../../../../events/core/money.js';
import type { Outcome } from '../../adapter.js';
import type { CarrierError, CarrierRate, CarrierRates, CarrierShipment } from '../port.js';
import type { EasypostCall, EasypostSettings } from './account.js';
import type { EasypostClient } from './client.js';
import { methodCodeOf } from './methods.js';
import { shipmentSchema, type Message, type Rate, type Shipment } from './objects.js';
import { CREATE_REFUSALS } from './refusals.js';
import { toShipmentRequest, unserved } from './shipment-request.js';

const INSURANCE_MINIMUM = '1.00';

export async function readRates(
  client: EasypostClient,
  call: EasypostCall,
  shipment: CarrierShipment,
  now: number,
): Promise<CarrierRates> {
  const error = unserved(shipment);
  if (error) return { rates: [], errors: [error] };
  const { settings } = call;
  const created = await Promise.all(
    shipment.packages.map((parcel) =>
      client.send({
        call,
        method: 'POST',
        path: 'shipments',
        body: toShipmentRequest({ shipment, parcel, settings, now }),
        schema: shipmentSchema,
        refusals: CREATE_REFUSALS,
      }),
    ),
  );
  const failed = created.find(({ is }) => is !== 'done');
  if (failed) return { rates: [], errors: [toError(failed)] };
  return toRates(
    created.flatMap((one) => (one.is === 'done' ? [one.result] : [])),
    settings,
    shipment.options.insurance_amount,
  );
}

function toError(outcome: Outcome<unknown>): CarrierError {
  return outcome.is === 'not_done'
    ? { code: outcome.code, text: outcome.text, retryable: !outcome.final }
    : { code: 'CARRIER_UNAVAILABLE', retryable: true };
}

function toRates(
  shipments: readonly Shipment[],
  settings: EasypostSettings,
  insured: string | undefined,
): CarrierRates {
  const [first = [], ...others] = shipments.map(({ rates }) => [...cheapest(rates).values()]);
  const rates = first.flatMap((rate): CarrierRate[] => {
    const code = methodCodeOf(rate);
    const all = [rate, ...others.flatMap((of) => of.filter((one) => methodCodeOf(one) === code))];
    // A method that does not take every package, or has several currencies, has no rate.
    if (all.length !== shipments.length || new Set(all.map(({ currency }) => currency)).size > 1) return [];
    const costs = all.map((one) => costOf(one, settings, insured));
    return costs.every((cost) => cost !== undefined) ? [toRate(code, all, costs)] : [];
  });
  const errors = messagesOf(shipments.flatMap(({ messages }) => messages));
  return { rates, errors: rates.length + errors.length > 0 ? errors : [{ code: 'NOT_SERVED', retryable: false }] };
}

/** The cheapest rate of each method: several accounts may have the same one. */
export function cheapest(rates: readonly Rate[]): ReadonlyMap<string, Rate> {
  const found = new Map<string, Rate>();
  for (const rate of rates) {
    const code = methodCodeOf(rate);
    const known = found.get(code);
    if (!known || (known.currency === rate.currency && compare(rate.rate, known.rate) < 0)) found.set(code, rate);
  }
  return found;
}

/** The rate with the fee for insurance. Undefined: the insurance has another currency. */
export function costOf(
  { rate, currency }: Rate,
  settings: Pick<EasypostSettings, 'currency' | 'insurance_percent'>,
  insured: string | undefined,
): Money | undefined {
  const cost = { amount: rate, currency };
  if (insured === undefined) return sum(cost);
  if (currency !== settings.currency) return undefined;
  const fee = rounded(decimal(times(insured, settings.insurance_percent)).times('0.01').toFixed(), currency);
  return sum(cost, { amount: compare(fee, INSURANCE_MINIMUM) < 0 ? INSURANCE_MINIMUM : fee, currency });
}

function toRate(code: string, rates: readonly Rate[], [cost, ...more]: readonly Money[]): CarrierRate {
  const days = rates.map(({ delivery_days: one }) => one ?? undefined);
  const dates = rates.map(({ delivery_date: one }) => one?.slice(0, 10));
  const total = sum(cost!, ...more);
  return {
    method_code: code,
    cost: total.amount,
    currency: total.currency,
    ...(days.every((one) => one !== undefined) && { delivery_days: Math.max(...days) }),
    ...(dates.every((one) => one !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(one)) && {
      delivery_date: dates.toSorted().at(-1),
    }),
    guaranteed: rates.every((one) => one.delivery_date_guaranteed === true),
  };
}

/** One error for each different message of a carrier. */
export function messagesOf(messages: readonly Message[]): readonly CarrierError[] {
  const errors = messages.map(({ carrier, type, message }): CarrierError => ({
    code: (type ?? 'rate_error').toUpperCase(),
    text: [carrier, message].filter((part) => part).join(': '),
    retryable: false,
  }));
  return [...new Map(errors.map((error) => [JSON.stringify(error), error])).values()];
}
