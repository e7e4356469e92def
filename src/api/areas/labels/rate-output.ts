/** Rates of carriers in responses. */
import { z } from 'zod';
import type { Language } from '../../../events/core/languages.js';
import { compare } from '../../../events/core/money.js';
import type { ServicePrice } from '../../../events/pricing/outcome.js';
import { translate } from '../../core/messages/index.js';
import { price, priced } from '../../core/prices.js';
import { withCombinedLines } from '../pricing/combined-lines.js';
import { priceLineOutput, priceMembers, toPrices } from '../pricing/rates.js';
import type { RateError } from './ask-carriers.js';
import { LABEL_FAMILY } from './label-prices.js';
import type { LabelQuote } from './label-quotes.js';

export const labelRateOutput = priced(
  {
    rate_id: z.string().describe('Id of the quote. A label order at this rate has its price.'),
    carrier: z.string().describe('Carrier that transports the parcels.'),
    carrier_account_id: z.int(),
    method_id: z.int(),
    method_code: z.string(),
    method_name: z.string(),
    shipping_price: price(
      z.string().nullable().describe('The total, with taxes. Null: no rate card applies, so there is only a cost.'),
    ),
    currency: priceMembers.currency,
    price_details: price(z.array(priceLineOutput)),
    surcharge_amount: price(z.string().nullable().describe('Sum of the surcharges and of fuel. Only for staff.')),
    tax_amount: price(z.string().nullable()),
    cost: price(z.string().describe('What the carrier charges the business. Only for staff.')),
    delivery_days: z.int().nullable(),
    delivery_date: z.iso.date().nullable(),
    is_guaranteed: z.boolean().nullable().describe('Null: not known.'),
    valid_until: z.iso.datetime().describe('The price applies until then, even if the rate card changes.'),
  },
  () => LABEL_FAMILY,
).meta({ id: 'LabelRate' });
export type LabelRateOutput = z.infer<typeof labelRateOutput>;

export const rateErrorOutput = z
  .object({
    carrier_account_id: z.int().nullable().describe('Null: the error concerns no single account.'),
    code: z.string().describe('`CARRIER_UNAVAILABLE`, `NOT_SERVED` and others. More may be added.'),
    message: z.string().describe('Explanation in the language of Accept-Language, or the text of the carrier.'),
    retryable: z.boolean().describe('True: the same request may succeed later.'),
  })
  .meta({ id: 'CarrierRateError' });

export interface ShownTo {
  readonly language: Language;
  readonly isCustomer: boolean;
}

/** A customer sees neither the cost nor the lines from which it could be calculated. */
export function toLabelRate(quote: LabelQuote, { language, isCustomer }: ShownTo): LabelRateOutput {
  const { carrier, currency } = quote;
  const outcome = quote.outcome as ServicePrice | null;
  const service = outcome && isCustomer ? withCombinedLines(outcome, currency) : outcome;
  const prices = service ? toPrices(service, currency, language) : NO_PRICE;
  return {
    rate_id: quote.rate_id,
    carrier: carrier.carrier,
    carrier_account_id: carrier.account_id,
    method_id: carrier.method_id,
    method_code: carrier.method_code,
    method_name: carrier.method_name,
    ...prices,
    ...(isCustomer ? { surcharge_amount: undefined } : { cost: carrier.cost }),
    currency,
    delivery_days: carrier.delivery_days ?? null,
    delivery_date: carrier.delivery_date ?? null,
    is_guaranteed: carrier.guaranteed ?? null,
    valid_until: quote.valid_until.toISOString(),
  };
}
const NO_PRICE = { shipping_price: null, price_details: [], surcharge_amount: null, tax_amount: null };

/** The errors that a response explains in the language of the caller: codes of messages. */
const EXPLAINED: Readonly<Record<string, Parameters<typeof translate>[0]>> = {
  NOT_SERVED: 'CARRIER_NOT_SERVED',
  CARRIER_UNAVAILABLE: 'CARRIER_UNAVAILABLE',
  CREDENTIALS_MISSING: 'CREDENTIALS_MISSING',
  NO_CARRIER_ACCOUNT: 'NO_CARRIER_ACCOUNT',
  CURRENCY_MISMATCH: 'CURRENCY_MISMATCH',
  DIMENSIONS_NEEDED: 'SIDES_NEEDED',
  NO_CARD: 'NO_CARD',
  ADDRESS_INCOMPLETE: 'ADDRESS_INCOMPLETE',
  SERVICE_RESTRICTED: 'SERVICE_RESTRICTED',
  TOO_HEAVY: 'TOO_HEAVY',
  TOO_LARGE: 'TOO_LARGE',
  TOO_MANY_PACKAGES: 'TOO_MANY_PACKAGES',
  AFTER_CUTOFF: 'AFTER_CUTOFF',
};
/** For a code of a carrier that a customer must not see: the text may concern the account of the business. */
const REFUSED = 'SHIPMENT_REFUSED';

export function toRateErrors(errors: readonly RateError[], { language, isCustomer }: ShownTo) {
  const shown = errors.map(({ accountId, code, text, retryable }) => {
    const explained = EXPLAINED[code];
    const isForeign = explained === undefined;
    return {
      carrier_account_id: accountId,
      code: isForeign && isCustomer ? REFUSED : code,
      message: isForeign && !isCustomer && text !== undefined ? text : translate(explained ?? REFUSED, {}, language),
      retryable,
    };
  });
  // Several codes of a carrier become one for a customer.
  return [...new Map(shown.map((one) => [JSON.stringify(one), one])).values()];
}

/** By price, then by the days of delivery, then by method. Rates without a price are sorted by cost. */
export const byPrice = (a: LabelQuote, b: LabelQuote): number =>
  compare(a.total ?? a.carrier.cost, b.total ?? b.carrier.cost) || daysOf(a) - daysOf(b) || byMethod(a, b);
/** Reveals no price. */
export const byName = (a: LabelQuote, b: LabelQuote): number =>
  compareText(a.carrier.method_name, b.carrier.method_name) || byMethod(a, b);

const UNKNOWN_DAYS = 1_000;
const daysOf = ({ carrier }: LabelQuote): number => carrier.delivery_days ?? UNKNOWN_DAYS;
const byMethod = (a: LabelQuote, b: LabelQuote): number => a.carrier.method_id - b.carrier.method_id;
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
