/** A repeated request finds its reservation, whatever has changed since. */
import { expect } from 'chai';
import { ApiError } from '../../../src/api/core/errors.js';
import { createAgreedPrices, type OrderAtRate } from '../../../src/api/areas/pricing/agreed-prices.js';
import { createQuoteReservations } from '../../../src/api/areas/pricing/quote-reservations.js';
import type { StoredQuote } from '../../../src/engines/postgres/quotes.js';

const ORDER = { rateId: 'rt_a', business: 1, orderId: 3, family: 'local_delivery', customerId: 7, isCustomer: true };

describe('the price of an order at a quote', () => {
  const prices = (used_by: number | null) =>
    createAgreedPrices({
      reservations: createQuoteReservations({
        quotes: {
          find: async () =>
            ({
              rate_id: 'rt_a',
              family: 'local_delivery',
              customer_id: 7,
              used_by,
              currency: 'EUR',
              inputs: {},
              rate_card_id: 2,
              outcome: { lines: [], total: '5.00' },
              valid_until: new Date(1_000),
            }) as unknown as StoredQuote,
          claim: async () => undefined,
        } as never,
        orderExists: async () => true,
      }),
      inputsOf: () => Promise.reject(new ApiError('WAREHOUSE_NOT_FOUND')),
      roadFactorOf: async () => undefined,
      settlementOf: async () => 'online',
    });
  const agree = (used_by: number | null, time: number) =>
    prices(used_by).agree({} as never, { ...ORDER, time, isDryRun: false, timezone: 'UTC' } as OrderAtRate);
  const codeOf = (done: Promise<unknown>) =>
    done.then(
      () => undefined,
      (error: ApiError) => error.code,
    );

  it('is found again by the same order, although the quote has expired and the shipment cannot be priced', async () => {
    expect((await agree(3, 2_000)).charges.total).to.equal('5.00');
    expect(await codeOf(agree(null, 500))).to.equal('WAREHOUSE_NOT_FOUND');
    expect(await codeOf(agree(null, 2_000))).to.equal('QUOTE_EXPIRED');
  });
});
