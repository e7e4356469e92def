/** Rates in responses: a service with its price, line by line. */
import { z } from 'zod';
import { FAMILIES, type Family } from '../../../events/pricing/families.js';
import type { Language } from '../../../events/core/languages.js';
import type { Charge } from '../../../events/bill/events.js';
import type { PriceLine, ServicePrice } from '../../../events/pricing/outcome.js';
import { TEXTS } from '../../../messages/texts.js';
import { price, priced } from '../../core/prices.js';

const amount = z.string();

export const priceLineOutput = z
  .object({
    code: z.string(),
    kind: z.enum(['base', 'further_packages', 'item', 'surcharge', 'fuel', 'minimum', 'markup', 'tax']),
    name: z.string().describe('Name in the language of the request, if the card has a name in this language.'),
    amount: amount.describe('Negative for a discount.'),
    is_included: z
      .boolean()
      .optional()
      .describe('True: the line is a tax that the other lines already contain. The tax is not added to the total.'),
    basis: z.record(z.string(), z.unknown()).describe('The numbers from which the amount was calculated.'),
  })
  .meta({ id: 'PriceLine' });

/** Prices of a service. All of them are absent if they are hidden. */
export const priceMembers = {
  shipping_price: price(amount.describe('The total, with taxes.')),
  currency: price(z.string()),
  price_details: price(z.array(priceLineOutput)),
  surcharge_amount: price(amount.describe('Sum of the surcharges and of fuel.')),
  tax_amount: price(amount),
};

export const rateOutput = priced(
  {
    rate_id: z.string().describe('Id of the quote.'),
    family: z.enum(FAMILIES),
    service_code: z.string(),
    service_name: z.string(),
    ...priceMembers,
    delivery_date_from: z.iso.date().nullable(),
    delivery_date_to: z.iso.date().nullable(),
    valid_until: z.iso.datetime().describe('Time until which the price is valid, even if the card changes.'),
  },
  ({ family }) => family as Family,
).meta({ id: 'Rate' });
export type RateOutput = z.infer<typeof rateOutput>;

export const refusedOutput = z
  .object({
    service_code: z
      .string()
      .nullable()
      .describe('Currency of the rates. Null: no service of the family can be priced.'),
    code: z.enum([
      'NOT_SERVED',
      'TOO_HEAVY',
      'TOO_LARGE',
      'TOO_MANY_PACKAGES',
      'AFTER_CUTOFF',
      'NO_CARD',
      'ADDRESS_INCOMPLETE',
      'SERVICE_RESTRICTED',
    ]),
    message: z.string().describe('Explanation in the language of Accept-Language.'),
  })
  .meta({ id: 'RefusedService' });

type Names = Partial<Record<Language, string>>;

/** The name in the language, otherwise the English one, otherwise the first one, otherwise the code. */
export const nameIn = (names: Names | undefined, language: Language, code: string): string =>
  names?.[language] ?? names?.en ?? Object.values(names ?? {})[0] ?? code;

type LineToName = Pick<Charge, 'kind' | 'code' | 'amount'> & { readonly names?: Names | undefined };
/** Lines without a common name: the card or the office names them. */
const NAMED = new Set(['surcharge', 'tax', 'charge'] as const);
type Named = typeof NAMED extends Set<infer Kind> ? Kind : never;
const isNamed = (kind: Charge['kind']): kind is Named => NAMED.has(kind as Named);

/** The name of a line. A card names its surcharges and taxes; all other lines have the names of the service. */
export function lineName({ kind, code, names, amount }: LineToName, language: Language): string {
  if (names || isNamed(kind)) return nameIn(names, language, code);
  const isDiscount = kind === 'markup' && amount.startsWith('-');
  return TEXTS[language].price_lines[isDiscount ? 'discount' : kind].replace('{code}', code);
}

const toLine = (line: PriceLine, language: Language) => {
  const { code, kind, amount, is_included, basis } = line;
  return { code, kind, name: lineName(line, language), amount, ...(is_included && { is_included }), basis };
};

export const toPrices = (service: ServicePrice, currency: string, language: Language) => ({
  shipping_price: service.total,
  currency,
  price_details: service.lines.map((line) => toLine(line, language)),
  surcharge_amount: service.surcharge_amount,
  tax_amount: service.tax_amount,
});
