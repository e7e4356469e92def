/** Bills of orders: charges, payments and refunds. Their events are in the streams of the orders. */
import { chargesOperation } from '../api/areas/bills/charges.js';
import { BILL_EXAMPLES } from '../api/areas/bills/examples.js';
import { paymentOperations } from '../api/areas/bills/payments.js';
import { billReads } from '../api/areas/bills/reading.js';
import { refundOperation } from '../api/areas/bills/refunds.js';
import { createCardPrice } from '../api/areas/pricing/card-price.js';
import { createSettlementOf } from '../api/areas/pricing/settlement.js';
import { createBillQueries } from '../projections/bills/queries.js';
import { bills as billRows } from '../projections/bills/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { orders } from './orders.js';
import { pricing } from './pricing.js';

export const bills = area({
  name: 'bills',
  examples: BILL_EXAMPLES,
  readModels: [billRows],
  errors: {
    PRICE_HIDDEN_SETTLE_OFFLINE: 403,
    PAYMENT_NOT_FOUND: 404,
    NOT_PRICED: 409,
    NOTHING_DUE: 409,
    PRICE_CHANGED: 409,
    PAYMENT_IN_PROGRESS: 409,
    TOO_MANY_PAYMENTS: 409,
    TOO_MANY_REFUNDS: 409,
    TOO_MANY_CHARGES: 409,
    NO_RATE: 409,
    MIXED_CURRENCIES: 422,
  },
  operations(_services, { commands, database, of, engines: { keyRing } }) {
    const rows = createBillQueries(database, keyRing);
    const { queries } = of(orders);
    return [
      ...billReads({ bills: rows, orders: queries }),
      ...paymentOperations({ orders: commands.orders, settle: commands.settle, queries }),
      refundOperation({ orders: commands.orders }),
      chargesOperation({
        orders: commands.orders,
        queries,
        bills: rows,
        accounts: of(accounts).queries,
        priceOf: createCardPrice(of(pricing).service.priced),
        settlementOf: createSettlementOf(of(pricing).terms),
      }),
    ];
  },
});
