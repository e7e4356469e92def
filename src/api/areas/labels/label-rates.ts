/** Rates of carriers: asks the carriers, prices their offers, stores quotes, and reserves them for label orders. */
import type { Agreed } from '../../../commands/bill/command.js';
import { compare } from '../../../events/core/money.js';
import type { PriceInputs } from '../../../events/pricing/inputs.js';
import type { ServicePrice } from '../../../events/pricing/outcome.js';
import { isPriced, type Quotes, type StoredQuote } from '../../../engines/postgres/quotes.js';
import type { CarrierShipment } from '../../../engines/outside/carriers/shipment.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { chargesAt } from '../pricing/agreed-prices.js';
import { withCombinedLines } from '../pricing/combined-lines.js';
import { quoteMismatch, type OrderOfQuote, type QuoteReservations } from '../pricing/quote-reservations.js';
import type { SettlementOf } from '../pricing/settlement.js';
import type { StoreQuotes } from '../pricing/store-quotes.js';
import type { AskCarriers, RateError } from './ask-carriers.js';
import { LABEL_FAMILY, type LabelPrices } from './label-prices.js';
import { isLabelQuote, toLabelQuote, type LabelQuote, type LabelQuoteFor } from './label-quotes.js';
import { isOffered, type RatedAccount, type RatedMethod } from './rated-account.js';
import { differences } from './rated-shipment.js';

/** Which accounts and methods are asked. Absent: all that can be used. */
export interface RateChoice {
  readonly accountIds?: readonly number[] | undefined;
  readonly methodIds?: readonly number[] | undefined;
  /** Only methods with labels in this format. */
  readonly labelFormat?: string | undefined;
}

/** `isCustomer`: the caller is a customer. It gets only rates with a price. */
export interface LabelRateFor extends LabelQuoteFor {
  readonly isCustomer: boolean;
}

export interface FoundRates {
  readonly rates: readonly LabelQuote[];
  readonly errors: readonly RateError[];
}

/** A label order at a quote. */
export interface LabelOrderAtRate extends Omit<OrderOfQuote, 'family'> {
  readonly shipment: CarrierShipment;
}

/** A label order with a method that the caller chose. */
export interface LabelOrderByMethod extends Omit<LabelRateFor, 'customerId'> {
  readonly customerId: number | undefined;
  readonly orderId: number;
  readonly methodId: number;
  readonly shipment: CarrierShipment;
  readonly labelFormat?: string | undefined;
  /** Maximum price; for an order without a price, of the cost. In the currency of the rate. */
  readonly maxPrice?: string | undefined;
  /** True: nothing is reserved. */
  readonly isDryRun: boolean;
}

/** The method of a label order, and its price. */
export interface AgreedRate {
  readonly rateId: string;
  /** Undefined: no rate card applies, so the order has no price. */
  readonly agreed: Agreed | undefined;
  readonly accountId: number;
  readonly methodId: number;
  readonly methodCode: string;
  readonly methodName: string;
  readonly carrier: string;
  /** What the carrier charges, in `currency`. */
  readonly cost: string;
  readonly currency: string;
}

export interface LabelRatesOptions {
  readonly accounts: { enabled(business: number): Promise<readonly RatedAccount[]> };
  readonly ask: AskCarriers;
  readonly prices: LabelPrices;
  readonly store: StoreQuotes;
  readonly quotes: Pick<Quotes, 'ofOrder'>;
  readonly reservations: QuoteReservations;
  readonly settlementOf: SettlementOf;
}

/** Maximum number of rates in one response. */
export const MAX_RATES = 500;

export type LabelRates = ReturnType<typeof createLabelRates>;

export function createLabelRates(options: LabelRatesOptions) {
  const { accounts, ask, prices, store, quotes, reservations, settlementOf } = options;

  /** Rates of the chosen accounts and methods, which must be enabled. */
  async function ratesOf(
    chosen: readonly RatedAccount[],
    isWanted: (method: RatedMethod) => boolean,
    shipment: CarrierShipment,
    of: LabelRateFor,
    orderId?: number,
  ): Promise<FoundRates> {
    const { offers, errors } = await ask(chosen, shipment, isWanted);
    const priced = await prices(offers, shipment, of);
    const made = priced.flatMap((one) => ('refused' in one || (of.isCustomer && !one.price) ? [] : [one]));
    const refused = priced.flatMap((one): RateError[] => {
      const code = 'refused' in one ? one.refused : of.isCustomer && !one.price ? 'NO_CARD' : undefined;
      return code === undefined ? [] : [{ accountId: one.account.id, code, retryable: false }];
    });
    const cheapest = [...made].sort((a, b) => compare(a.rate.cost, b.rate.cost)).slice(0, MAX_RATES);
    const stored = await store(
      cheapest.map((one) => toLabelQuote(one, shipment, of, orderId)),
      of.time,
    );
    return { rates: stored.filter(isLabelQuote), errors: distinct([...errors, ...refused]) };
  }

  /** Throws CARRIER_ACCOUNT_NOT_FOUND and CARRIER_METHOD_NOT_FOUND. */
  async function rate(shipment: CarrierShipment, of: LabelRateFor, choice: RateChoice = {}): Promise<FoundRates> {
    const { accountIds, methodIds, labelFormat } = choice;
    const enabled = await accounts.enabled(of.business);
    const ids = new Set(enabled.map(({ id }) => id));
    if (accountIds?.some((id) => !ids.has(id))) throw fieldError('CARRIER_ACCOUNT_NOT_FOUND', 'carrier_account_ids');
    const offered = new Set(enabled.flatMap(({ methods }) => methods.filter(isOffered).map((one) => one.method_id)));
    if (methodIds?.some((id) => !offered.has(id))) throw fieldError('CARRIER_METHOD_NOT_FOUND', 'method_ids');
    const isWanted = (method: RatedMethod): boolean =>
      isOffered(method) &&
      (methodIds?.includes(method.method_id) ?? true) &&
      (labelFormat === undefined || method.formats.includes(labelFormat));
    const chosen = enabled.filter(
      ({ id, methods }) => (accountIds?.includes(id) ?? true) && (methodIds === undefined || methods.some(isWanted)),
    );
    if (chosen.length === 0)
      return { rates: [], errors: [{ accountId: null, code: 'NO_CARRIER_ACCOUNT', retryable: false }] };
    return ratesOf(chosen, isWanted, shipment, of);
  }

  /** Throws RATE_NOT_FOUND, RATE_USED, QUOTE_EXPIRED, QUOTE_MISMATCH, and NO_RATE for a method that was disabled. */
  async function agree({ shipment, ...order }: LabelOrderAtRate): Promise<AgreedRate> {
    const quote = await reservations.take({ ...order, family: LABEL_FAMILY }, async (found) => {
      if (order.isCustomer && !isPriced(found)) throw new ApiError('RATE_NOT_FOUND');
      const { carrier } = asLabelQuote(found);
      const fields = differences(carrier.shipment, shipment);
      if ((found.customer_id ?? undefined) !== order.customerId) fields.push('customer_id');
      if (fields.length > 0) throw quoteMismatch(fields);
      if (!(await findMethod(carrier.method_id, order.business))) throw noRate();
    });
    return agreedAt(asLabelQuote(quote), order.customerId);
  }

  async function findMethod(methodId: number, business: number) {
    const enabled = await accounts.enabled(business);
    for (const account of enabled) {
      const method = account.methods.find((one) => one.method_id === methodId && isOffered(one));
      if (method) return { account, method };
    }
    return undefined;
  }

  /**
   * Rates the method and reserves the rate for the order. A repeated request gets the rate that it has reserved. Throws
   * NO_RATE if the method is disabled, has no rate, or costs more than `maxPrice`, and PRICE_HIDDEN.
   */
  async function agreeMethod(order: LabelOrderByMethod): Promise<AgreedRate> {
    const { methodId, shipment, orderId, business, customerId, isCustomer, labelFormat, maxPrice, isDryRun } = order;
    await expectVisiblePrice(order);
    const reserved = await quotes.ofOrder(orderId, business);
    if (reserved) return agreedAt(asLabelQuote(reserved), customerId);
    const found = await findMethod(methodId, business);
    if (!found || (labelFormat !== undefined && !found.method.formats.includes(labelFormat))) throw noRate();
    const of = { ...order, customerId: customerId ?? null, isCustomer };
    const isWanted = (method: RatedMethod): boolean => method.method_id === methodId;
    const { rates, errors } = await ratesOf([found.account], isWanted, shipment, of, orderId);
    const [quote] = rates;
    if (!quote || (maxPrice !== undefined && compare(quote.total ?? quote.carrier.cost, maxPrice) > 0))
      throw noRate(errors);
    if (!isDryRun) await reservations.reserve({ rateId: quote.rate_id, business, orderId });
    return agreedAt(quote, customerId);
  }

  /** Throws PRICE_HIDDEN if the request has a maximum price and the customer does not see prices. */
  async function expectVisiblePrice(of: {
    readonly isCustomer: boolean;
    readonly customerId?: number | null | undefined;
    readonly maxPrice?: string | undefined;
  }): Promise<void> {
    if (of.maxPrice === undefined || !of.isCustomer) return;
    if ((await settlementOf(of.customerId, LABEL_FAMILY)) === 'offline')
      throw fieldError('PRICE_HIDDEN', 'max_price', { field: 'max_price' });
  }

  async function agreedAt(quote: LabelQuote, customerId: number | undefined): Promise<AgreedRate> {
    const { rate_id, carrier, currency } = quote;
    const { account_id, method_id, method_code, method_name, cost } = carrier;
    return {
      rateId: rate_id,
      agreed: isPriced(quote)
        ? {
            charges: chargesAt(withCombinedLines(quote.outcome as ServicePrice, currency), {
              currency,
              rateId: rate_id,
              rateCardId: quote.rate_card_id,
              cardVersion: quote.card_version,
              inputs: quote.inputs as PriceInputs,
              cancellationFee: undefined,
            }),
            settlement: await settlementOf(customerId, LABEL_FAMILY),
          }
        : undefined,
      accountId: account_id,
      methodId: method_id,
      methodCode: method_code,
      methodName: method_name,
      carrier: carrier.carrier,
      cost,
      currency,
    };
  }

  return { rate, agree, agreeMethod, expectVisiblePrice, release: reservations.release };
}

function asLabelQuote(quote: StoredQuote): LabelQuote {
  if (!isLabelQuote(quote)) throw new ApiError('RATE_NOT_FOUND');
  return quote;
}

/** No rate fits. `errors`: why carriers have none. */
export const noRate = (errors: readonly RateError[] = []): ApiError =>
  new ApiError('NO_RATE', {
    says: 'NO_CARRIER_RATE',
    members: {
      carrier_errors: errors.map(({ accountId, code, retryable }) => ({
        carrier_account_id: accountId,
        code,
        retryable,
      })),
    },
  });

/** One error for each account and code. */
const distinct = (errors: readonly RateError[]): RateError[] => [
  ...new Map(errors.map((one) => [`${one.accountId} ${one.code} ${one.text ?? ''}`, one])).values(),
];
