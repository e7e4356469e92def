/** Reads of bills, for the office and for the customer of an order. */
import { z } from 'zod';
import { ORDER_FAMILY } from '../../../commands/orders/billing.js';
import { CHARGES } from '../../../commands/orders/decider.js';
import { addDays, startOfDay } from '../../../events/core/local-time.js';
import { orderStream } from '../../../events/orders/events.js';
import type { BillQueries } from '../../../projections/bills/queries.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { dateSchema } from '../../core/dates.js';
import { idSchema } from '../../core/ids.js';
import { chooseLanguage } from '../../core/messages/index.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { versionBy } from '../../core/versions.js';
import { visibleOrder } from '../orders/viewer.js';
import { familySchema } from '../pricing/shapes.js';
import { paymentStatusSchema } from './payment-status.js';
import { billOutput, toBill, unpricedBill } from './shapes.js';

const READ = {
  area: 'Billing',
  callers: ['client_admin', 'employee', 'auditor', 'customer'],
  scopes: ['billing:read'],
} as const;

/** The version of a bill counts changes of its charges. */
export const BILL_VERSION = versionBy('order_id', orderStream, CHARGES);

export interface BillReadingOptions {
  readonly bills: BillQueries;
  readonly orders: OrderQueries;
}

export const billReads = ({ bills, orders }: BillReadingOptions): Operation[] => [
  operation({
    ...READ,
    name: 'bill',
    versioned: BILL_VERSION,
    summary: 'Get the bill of an order',
    description:
      'Returns the charges, payments and refunds of an order. Customers get only bills of orders that belong to them.',
    rest: { method: 'get', path: '/v1/orders/:order_id/bill' },
    reads: ['bills', 'orders', 'invoices'],
    answers: { 404: 'There is no such order.' },
    input: z.object({ order_id: idSchema }),
    output: z.object({ result: z.boolean(), bill: billOutput }),
    async run({ order_id }, { caller, header }) {
      const order = await visibleOrder(orders, caller, { order_id });
      const row = await bills.byOrder(order_id, businessOf(caller));
      const bill = row ? toBill(row, chooseLanguage(header('accept-language'))) : unpricedBill(order, ORDER_FAMILY);
      return { result: true, bill };
    },
  }),
  operation({
    ...READ,
    name: 'bills',
    summary: 'List the bills of orders with a price',
    description: 'Lists bills, the newest order first. Customers get only bills of orders that belong to them.',
    rest: { method: 'get', path: '/v1/bills' },
    reads: ['bills', 'invoices'],
    input: z.object({
      customer_id: idSchema.optional(),
      payment_status: paymentStatusSchema.optional(),
      family: familySchema.optional(),
      is_invoiced: z
        .boolean()
        .optional()
        .describe('True: return only bills with charges that an invoice contains. False: return only the other bills.'),
      date_from: dateSchema
        .optional()
        .describe('Return only orders that got their price on this date or later, in the timezone of the business.'),
      date_to: dateSchema
        .optional()
        .describe('Return only orders that got their price on this date or earlier, in the timezone of the business.'),
      ...pageInput,
    }),
    output: z.object({ ...pageOutput, bills: z.array(billOutput) }),
    async run({ customer_id, payment_status, family, is_invoiced, date_from, date_to, ...page }, { caller, header }) {
      const { role, userId, timezone } = userOf(caller);
      const language = chooseLanguage(header('accept-language'));
      const found = await bills.list({
        ...rangeOf(page),
        business: businessOf(caller),
        customerId: customer_id,
        onlyCustomer: role === 'customer' ? userId : undefined,
        paymentStatus: payment_status,
        family,
        isInvoiced: is_invoiced,
        from: date_from === undefined ? undefined : startOfDay(date_from, timezone),
        to: date_to === undefined ? undefined : startOfDay(addDays(date_to, 1), timezone),
      });
      return { ...pageOf(page, found), bills: found.rows.map((row) => toBill(row, language)) };
    },
  }),
];
