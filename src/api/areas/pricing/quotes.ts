/** Prices before an order exists: rates with ids that orders refer to, and quotes by id. */
import { z } from 'zod';
import type { Language } from '../../../events/core/languages.js';
import { compare } from '../../../events/core/money.js';
import type { Family } from '../../../events/pricing/families.js';
import type { ServicePrice } from '../../../events/pricing/outcome.js';
import type { StoredQuote } from '../../../engines/postgres/quotes.js';
import type { CustomerTermsQueries } from '../../../projections/customer-terms/read-model.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { chooseLanguage, translate } from '../../core/messages/index.js';
import { operation, type Operation } from '../../core/operation.js';
import { withCombinedLines } from './combined-lines.js';
import { createCustomerOf } from './customer-of.js';
import type { QuoteService } from './quote-service.js';
import { rateIdSchema } from './rate-ids.js';
import { rateInput } from './rate-input.js';
import { nameIn, rateOutput, refusedOutput, toPrices, type RateOutput } from './rates.js';

const FAMILY: Family = 'local_delivery';
const CALLERS = ['client_admin', 'employee', 'customer'] as const;

const quoteOutput = z.object({
  result: z.boolean(),
  rate: rateOutput,
  status: z.enum(['open', 'used', 'expired']),
  order_id: z.int().nullable().describe('The order that used the quote.'),
});

export interface QuotesOptions {
  readonly service: QuoteService;
  readonly terms: Pick<CustomerTermsQueries, 'hiddenFamilies'>;
  readonly accounts: Pick<AccountQueries, 'holder'>;
}

export function quoteOperations({ service, terms, accounts }: QuotesOptions): Operation[] {
  const customerOf = createCustomerOf(accounts);

  return [
    operation({
      name: 'ordersRate',
      area: 'Pricing',
      summary: 'Get prices for a local delivery',
      description:
        'Returns a price with its lines for each service of the rate card that applies. The call creates no order. The same request within a minute returns the same `rate_id` values. Rates are sorted by price, or by service if prices are hidden.',
      rest: { method: 'post', path: '/v1/orders/rate' },
      callers: CALLERS,
      scopes: ['orders:read'],
      limitedAs: 'write',
      reads: ['rate_cards', 'default_cards', 'customer_terms', 'warehouses'],
      answers: {
        404: '`WAREHOUSE_NOT_FOUND`: there is no such open warehouse.',
        422: '`DIMENSIONS_NEEDED`: the price depends on the dimensions of a package that has none.',
        503: '`MATRIX_UNAVAILABLE`: the road engine does not respond.',
      },
      input: z.object({
        ...rateInput,
        customer_id: idSchema
          .optional()
          .describe('Customer account whose prices apply. Customers can omit it. They always get their own prices.'),
      }),
      output: z.object({ result: z.boolean(), rates: z.array(rateOutput), refused: z.array(refusedOutput) }),
      async run({ customer_id, ...input }, { caller, time, header }) {
        const user = userOf(caller);
        const language = chooseLanguage(header('accept-language'));
        const customerId = await customerOf(customer_id, user);
        const of = {
          business: businessOf(caller),
          timezone: user.timezone,
          family: FAMILY,
          customerId,
          userId: user.userId,
          time,
        };
        const [{ quotes, refused }, hidden] = await Promise.all([
          service.quote(input, of),
          user.role === 'customer' ? terms.hiddenFamilies(user.userId) : undefined,
        ]);
        const isHidden = hidden?.has(FAMILY) ?? false;
        const rates = [...quotes].sort(isHidden ? byService : byPrice).map((quote) => toRate(quote, { language }));
        return {
          result: rates.length > 0,
          rates,
          refused: refused.map((one) => ({ ...one, message: translate(one.code, {}, language) })),
        };
      },
    }),
    operation({
      name: 'quote',
      area: 'Pricing',
      summary: 'Get a quote',
      description:
        'Returns the rate with its lines, as the service quoted it. The service deletes an unused quote seven days after it has expired.',
      rest: { method: 'get', path: '/v1/quotes/:rate_id' },
      callers: CALLERS,
      scopes: ['orders:read'],
      answers: {
        404: '`RATE_NOT_FOUND`: there is no such quote, the quote was deleted, or it is for another customer.',
      },
      input: z.object({ rate_id: rateIdSchema.describe('Id of a rate.') }),
      output: quoteOutput,
      async run({ rate_id }, { caller, time, header }) {
        const found = await service.find(rate_id, businessOf(caller));
        const isOwn = caller.role !== 'customer' || found?.customer_id === userOf(caller).userId;
        if (!found || !isOwn) throw new ApiError('RATE_NOT_FOUND');
        const { used_by, valid_until } = found;
        return {
          result: true,
          rate: toRate(found, {
            language: chooseLanguage(header('accept-language')),
            isCustomer: caller.role === 'customer',
          }),
          status:
            used_by !== null
              ? ('used' as const)
              : valid_until.getTime() <= time
                ? ('expired' as const)
                : ('open' as const),
          order_id: used_by,
        };
      },
    }),
  ];
}

function toRate(
  quote: StoredQuote,
  { language, isCustomer = false }: { readonly language: Language; readonly isCustomer?: boolean },
): RateOutput {
  const { carrier } = quote;
  const outcome = quote.outcome as ServicePrice | null;
  // The lines of a label show the cost of the business.
  const service = outcome && carrier && isCustomer ? withCombinedLines(outcome, quote.currency) : outcome;
  return {
    rate_id: quote.rate_id,
    family: quote.family as Family,
    service_code: quote.service_code,
    service_name: carrier?.method_name ?? nameIn(service?.names, language, quote.service_code),
    ...(service && toPrices(service, quote.currency, language)),
    delivery_date_from: carrier?.delivery_date ?? service?.delivery_date_from ?? null,
    delivery_date_to: carrier?.delivery_date ?? service?.delivery_date_to ?? null,
    valid_until: quote.valid_until.toISOString(),
  };
}

const byService = (a: StoredQuote, b: StoredQuote): number => compareText(a.service_code, b.service_code);
/** By price, then by the last day of delivery, then by service. */
const byPrice = (a: StoredQuote, b: StoredQuote): number =>
  compare(a.total!, b.total!) || compareText(lastDay(a), lastDay(b)) || byService(a, b);
const lastDay = ({ outcome }: StoredQuote): string => (outcome as ServicePrice).delivery_date_to ?? '9999-12-31';
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
