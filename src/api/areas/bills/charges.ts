/** The office sets the charges of an order: its own lines, or the price of the rate card in force. */
import { z } from 'zod';
import type { Charges } from '../../../commands/bill/command.js';
import type { Commands } from '../../../commands/commands.js';
import { ORDER_FAMILY } from '../../../commands/orders/billing.js';
import { SETTLEMENTS, type Charge } from '../../../events/bill/events.js';
import {
  amountSchema,
  compare,
  currencySchema,
  isNegative,
  MAX_AMOUNT,
  negated,
  sum,
} from '../../../events/core/money.js';
import { orderStream } from '../../../events/orders/events.js';
import { codeSchema } from '../../../events/pricing/values.js';
import type { BillQueries } from '../../../projections/bills/queries.js';
import type { Order, OrderQueries } from '../../../projections/orders/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, invalidField, invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { exactMoney } from '../../core/money.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { visibleOrder } from '../orders/viewer.js';
import { shipmentOf } from '../orders/shipment.js';
import type { CardPrice } from '../pricing/card-price.js';
import type { SettlementOf } from '../pricing/settlement.js';
import { BILL_VERSION } from './reading.js';
import { BILL_WRITE } from './writing.js';

const lineInput = z
  .strictObject({
    code: codeSchema.describe('Identifies the line within the bill.'),
    name: z.string().trim().min(1).max(100).optional().describe('Text for the customer. Default: the code.'),
    amount: amountSchema.describe('Negative for a discount.'),
    is_tax: z.boolean().default(false).describe('True: the line is a tax. Other lines do not include this tax.'),
  })
  .meta({ id: 'ChargeInput' });
type LineInput = z.infer<typeof lineInput>;

export interface ChargesOptions extends Pick<Commands, 'orders'>, Parts<'accounts'> {
  readonly queries: OrderQueries;
  readonly bills: BillQueries;
  readonly priceOf: CardPrice;
  readonly settlementOf: SettlementOf;
}

export function chargesOperation({
  orders,
  queries,
  bills,
  accounts,
  priceOf,
  settlementOf,
}: ChargesOptions): Operation {
  /** The currency of the bill, otherwise of the business. */
  async function currencyOf(given: string | undefined, orderId: number, business: number): Promise<string> {
    const known = given ?? (await bills.byOrder(orderId, business))?.currency;
    const currency = known ?? (await accounts.business(business))?.billing?.currency;
    if (currency === undefined) throw invalidField('REQUIRED', 'currency');
    return currency;
  }

  /** The service whose price the order has; undefined: the office set the charges, or there are none. */
  const serviceOf = async (orderId: number, business: number): Promise<string | undefined> =>
    (await bills.byOrder(orderId, business))?.bill.source?.service_code;

  /** The price of the rate card in force. Throws NO_RATE. */
  async function cardPrice(order: Order, serviceCode: string | undefined, context: Context): Promise<Charges> {
    const { caller, time } = context;
    const of = {
      business: businessOf(caller),
      timezone: userOf(caller).timezone,
      family: ORDER_FAMILY,
      customerId: order.customer_id,
      time,
    };
    const charges = await priceOf(shipmentOf(order, serviceCode, of), of);
    if (!charges) throw new ApiError('NO_RATE');
    return charges;
  }

  return operation({
    ...BILL_WRITE,
    name: 'orderChargesSet',
    versioned: BILL_VERSION,
    summary: 'Set the charges of an order',
    description:
      'Replaces all charges of the order by `lines`, or with `reprice` by the price of the rate card in force. If the customer has paid more than the new total, the service refunds the difference to the wallet of the customer. For an order without a customer, the business refunds the difference outside of the service.',
    rest: { method: 'put', path: '/v1/orders/:order_id/charges' },
    callers: ['client_admin', 'employee'],
    scopes: ['billing:write'],
    reads: ['orders', 'bills', 'businesses', 'rate_cards', 'default_cards', 'customer_terms', 'warehouses'],
    answers: {
      404: 'There is no such order.',
      409: '`PAYMENT_IN_PROGRESS`: a payment of the order is not finished. `TOO_MANY_CHARGES`: the charges were set too often. `NO_RATE`: no service of the rate card has a price for the order.',
      422: '`MIXED_CURRENCIES`: the order was paid in another currency. `DIMENSIONS_NEEDED`: the price depends on the dimensions of a package that has none.',
      503: '`MATRIX_UNAVAILABLE`: the road engine does not respond.',
    },
    input: z.object({
      order_id: idSchema,
      lines: z.array(lineInput).min(1).max(100).optional(),
      currency: currencySchema
        .optional()
        .describe('Currency of `lines`. Default: the currency of the bill, or else of the billing profile.'),
      reprice: z
        .boolean()
        .optional()
        .describe('True: the service computes the charges from the rate card in force. Not allowed with `lines`.'),
      service_code: codeSchema
        .optional()
        .describe(
          'With `reprice`: service of the rate card. Default: the service of the current price, or else the service with the lowest price.',
        ),
      settlement: z
        .enum(SETTLEMENTS)
        .optional()
        .describe(
          '`online`: the customer can pay in the service. `offline`: the customer pays outside of the service. Default: the current value. For the first charges, the default is `offline` if prices are hidden from the customer, otherwise `online`.',
        ),
    }),
    output: z.object({ result: z.boolean() }),
    async run({ order_id: orderId, lines, currency, reprice, service_code, settlement }, context) {
      const { caller, cause, commandId, wrote } = context;
      if ((lines !== undefined) === (reprice === true)) throw invalidForm('lines', 'present, unless `reprice` is true');
      const business = businessOf(caller);
      const order = await visibleOrder(queries, caller, { order_id: orderId });
      const charges = lines
        ? chargesOf(lines, await currencyOf(currency, orderId, business))
        : await cardPrice(order, service_code ?? (await serviceOf(orderId, business)), context);
      const firstSettlement = await settlementOf(order.customer_id, ORDER_FAMILY);
      const common = { commandId, orderId, business, by: userOf(caller).userId };
      const command = { do: 'set_charges' as const, ...common, charges, settlement, firstSettlement };
      wrote((await orders(orderStream(orderId), command, cause)).position);
      return { result: true };
    },
  });
}

/** Throws INVALID_INPUT for repeated codes, a negative total and too long sums, and TOO_PRECISE. */
function chargesOf(lines: readonly LineInput[], currency: string): Charges {
  const repeated = lines.findIndex(({ code }, index) => lines.findIndex((line) => line.code === code) < index);
  if (repeated >= 0) throw invalidField('NOT_UNIQUE', 'code', `/lines/${repeated}/code`);
  const charges = lines.map(({ code, amount, is_tax }, index): Charge => ({
    code,
    kind: is_tax ? 'tax' : 'charge',
    amount: exactMoney({ amount, currency }, `/lines/${index}/amount`).amount,
    taxable: false,
    ...(is_tax && { tax_code: code }),
  }));
  const totalOf = (some: readonly Charge[]): string =>
    sum({ amount: '0', currency }, ...some.map(({ amount }) => ({ amount, currency }))).amount;
  const [subtotal, taxAmount] = [false, true].map((isTax) =>
    totalOf(charges.filter(({ kind }) => (kind === 'tax') === isTax)),
  ) as [string, string];
  const total = totalOf(charges);
  if (isNegative(total)) throw invalidForm('lines', 'lines with a sum of zero or more');
  if ([subtotal, taxAmount, total].some(isTooLong)) throw invalidForm('lines', 'lines with sums of at most 12 digits');
  const names = lines.flatMap(({ code, name }) => (name === undefined ? [] : [[code, name] as const]));
  return {
    currency,
    lines: charges,
    ...(names.length > 0 && { lineNames: Object.fromEntries(names) }),
    subtotal,
    surchargeAmount: totalOf([]),
    taxAmount,
    total,
  };
}

const isTooLong = (amount: string): boolean => compare(isNegative(amount) ? negated(amount) : amount, MAX_AMOUNT) > 0;
