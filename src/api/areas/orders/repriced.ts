/** Common parts of the operations whose change of an order by its customer may change its price. */
import { amountSchema } from '../../../events/core/money.js';

/** The read models that the price of a changed order needs. */
export const REPRICED_BY = ['warehouses', 'customer_terms', 'rate_cards', 'default_cards', 'invoices'] as const;
/** The read models of an order, its bill and its payment. */
export const REPRICING = ['orders', 'timeline', 'bills', 'wallets', 'wallet_entries', 'ledger'] as const;

export const expectedPrice = amountSchema
  .optional()
  .describe(
    'Only for customers: the total price after the change, as the customer has seen it. With another price, nothing changes and the response is 409 `PRICE_CHANGED`.',
  );

export const CUSTOMER_CONFLICTS =
  'For customers also: `ALREADY_PICKED_UP`, `ORDER_ON_ROUTE`, `HELD_BY_THIRD_PARTY`, `NOT_CHANGEABLE`: the delivery has begun or is planned. `ORDER_INVOICED`: an invoice contains the price. `PRICE_CHANGED`: the price differs from `expected_price`. `PAYMENT_IN_PROGRESS`: a payment is not finished.';
