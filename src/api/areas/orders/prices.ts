/** The prices of orders in responses, for callers that may see them, and the actions that a customer can take on an order. */
import { z } from 'zod';
import { openPayment, paidAmount, remainingAmount, type Bill } from '../../../events/bill/state.js';
import type { Language } from '../../../events/core/languages.js';
import { isPositive } from '../../../events/core/money.js';
import type { BillQueries, BillSummary, OpenBill } from '../../../projections/bills/queries.js';
import type { InvoiceQueries } from '../../../projections/invoices/queries.js';
import { businessOf, isStaff, isUser, type Caller } from '../../core/callers.js';
import { chooseLanguage } from '../../core/messages/index.js';
import type { Context } from '../../core/operation.js';
import { price } from '../../core/prices.js';
import { paymentStatusSchema } from '../bills/payment-status.js';
import { billLine, toBillLine } from '../bills/lines.js';
import type { PossibleChangesOf } from './possible-changes.js';

const amount = z.string();

/** All absent for callers who see no prices. */
export const orderPriceMembers = {
  payment_status: paymentStatusSchema
    .optional()
    .describe(
      'Currency of the prices. Like all prices, absent for callers who see no prices: drivers, contractors and partners.',
    ),
  currency: price(z.string().nullable().describe('Null: the order has no price.')),
  shipping_price: price(amount.nullable().describe('Total price with taxes.')),
  tax_amount: price(amount.nullable()),
  paid_amount: price(amount.nullable().describe('Received payments minus refunds.')),
  remaining_amount: price(amount.nullable().describe('Due, at least zero.')),
  price_details: price(z.array(billLine).describe('Lines of the price. Present only in `order`.')),
  invoice_id: price(
    z
      .int()
      .nullable()
      .describe('The invoice that contains the charges. Null: no invoice contains them. Present only in `order`.'),
  ),
  can_be_paid: price(
    z.boolean().describe('Whether `orderPay` would pay an amount. Present only in `order`, for the customer.'),
  ),
  can_be_cancelled: z
    .boolean()
    .optional()
    .describe(
      'Whether the customer can cancel the order with `orderCancel`. Present only in `order`, for the customer.',
    ),
  can_be_changed: z
    .boolean()
    .optional()
    .describe(
      'Whether the customer can change the date and the time windows with `orderUpdate`. Present only in `order`, for the customer. The delivery instruction can be changed until the order has ended.',
    ),
  can_be_rerouted: z
    .boolean()
    .optional()
    .describe(
      'Whether the customer can redirect the order with `orderReroute`. Present only in `order`, for the customer.',
    ),
};
export type OrderPrices = z.infer<z.ZodObject<typeof orderPriceMembers>>;

/** The customer of an order sees its price, and staff with the scope for bills. */
const seesPrices = (caller: Caller): boolean =>
  caller.role === 'customer' || (isStaff(caller) && isUser(caller) && caller.scopes.has('billing:read'));

const UNPRICED = {
  payment_status: 'unpriced',
  currency: null,
  shipping_price: null,
  tax_amount: null,
  paid_amount: null,
  remaining_amount: null,
} as const satisfies OrderPrices;

const pricesOf = ({ bill, payment_status, charges }: BillSummary): OrderPrices => ({
  payment_status,
  currency: bill.currency,
  shipping_price: bill.total,
  tax_amount: charges.tax_amount,
  paid_amount: paidAmount(bill),
  remaining_amount: remainingAmount(bill),
});

const isPayable = (bill: Bill): boolean =>
  bill.settlement === 'online' && !openPayment(bill) && isPositive(remainingAmount(bill));

const withLines = (found: OpenBill, language: Language): OrderPrices => ({
  ...pricesOf(found),
  price_details: found.charges.lines.map((line) => toBillLine(line, found.charges.line_names, language)),
});

type PriceContext = Pick<Context, 'caller' | 'cause' | 'commandId' | 'header'>;

export interface OrderPricesOptions {
  readonly bills: Pick<BillQueries, 'byOrder' | 'summaries'>;
  readonly invoices: Pick<InvoiceQueries, 'ofOrder'>;
  /** What the decider would allow the customer. */
  readonly possibleChanges: PossibleChangesOf;
}

export type OrderPricesOf = ReturnType<typeof createOrderPrices>;

export function createOrderPrices({ bills, invoices, possibleChanges }: OrderPricesOptions) {
  return {
    /** Adds the prices of the orders, without lines. */
    async ofAll<O extends { readonly id: number }>(orders: readonly O[], caller: Caller): Promise<(O & OrderPrices)[]> {
      if (!seesPrices(caller)) return [...orders];
      const found = await bills.summaries(
        orders.map(({ id }) => id),
        businessOf(caller),
      );
      return orders.map((order) => {
        const summary = found.get(order.id);
        return { ...order, ...(summary ? pricesOf(summary) : UNPRICED) };
      });
    },
    /** Adds the price of the order with its lines, and for the customer the possible actions. */
    async ofOne<O extends { readonly id: number }>(
      order: O,
      isOpen: boolean,
      context: PriceContext,
    ): Promise<O & OrderPrices> {
      const { caller, header } = context;
      if (!seesPrices(caller)) return order;
      const language = chooseLanguage(header('accept-language'));
      const found = await bills.byOrder(order.id, businessOf(caller));
      const invoice_id = await invoices.ofOrder(order.id);
      const prices = { ...(found ? withLines(found, language) : { ...UNPRICED, price_details: [] }), invoice_id };
      if (caller.role !== 'customer') return { ...order, ...prices };
      const possible = isOpen ? await possibleChanges(order.id, context) : undefined;
      return {
        ...order,
        ...prices,
        can_be_paid: found !== undefined && isPayable(found.bill),
        can_be_cancelled: possible?.canCancel ?? false,
        can_be_changed: invoice_id === null && (possible?.canReschedule ?? false),
        can_be_rerouted: invoice_id === null && (possible?.canReroute ?? false),
      };
    },
  };
}
