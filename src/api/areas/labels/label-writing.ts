/** Creates label orders, and buys labels again that are missing. */
import { z } from 'zod';
import type { LabelState } from '../../../commands/labels/state.js';
import { LABEL_FORMATS, LABEL_SIZES } from '../../../engines/outside/carriers/shipment.js';
import { amountSchema } from '../../../events/core/money.js';
import { labelOrderState } from '../../../events/labels/state.js';
import { ORDER_IDS } from '../../../projections/orders/read-model.js';
import type { LabelQueries } from '../../../projections/labels/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { dateSchema } from '../../core/dates.js';
import { invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { mustBePositive } from '../bills/writing.js';
import type { CustomerOf } from '../pricing/customer-of.js';
import { byDays, chooseRate, considered, STRATEGIES } from './choose-rate.js';
import type { AgreedRate, LabelRates } from './label-rates.js';
import { LABEL_VERSION, namedLabelOrder } from './label-reading.js';
import { noRate } from './no-rate.js';
import type { PlaceLabelOrders } from './place-label-order.js';
import { shipmentInput, type ShipmentInput } from './shipment-input.js';
import { checkAddresses, type Shipments } from './shipments.js';
import { LABEL_WRITERS } from './viewer.js';

export interface LabelWritingOptions extends PlaceLabelOrders {
  readonly rates: LabelRates;
  readonly shipments: Shipments;
  readonly customerOf: CustomerOf;
  readonly queries: LabelQueries;
}

/** The read models that contain the order, its bill and its timelines. */
export const LABEL_AWAITS = ['labels', 'bills', 'wallets', 'wallet_entries', 'ledger', 'timeline'] as const;
const RATED_BY = [
  'carrier_accounts',
  'rate_cards',
  'default_cards',
  'customer_terms',
  'warehouses',
  'addresses',
] as const;

const LABEL_WRITE = {
  area: 'LabelService',
  callers: LABEL_WRITERS,
  scopes: ['labels:write'],
  writes: true,
  returns: { read: 'labelOrder' },
} as const;

const labelInput = {
  ...shipmentInput,
  customer_id: idSchema
    .optional()
    .describe('Customer account that pays. Customers can omit it: the order belongs to them.'),
  label_format: z.enum(LABEL_FORMATS).default('pdf').describe('File format of the labels. `zpl`: for Zebra printers.'),
  label_size: z.enum(LABEL_SIZES).default('4x6').describe('Paper of the labels. `4x6`: 4 by 6 inches.'),
};

const max_price = amountSchema
  .optional()
  .describe('Nothing is bought at a higher price. For an order without a price, of the cost of the carrier.');

const placedOutput = z.object({
  result: z.boolean().describe('False: at least one label was not bought. The order exists.'),
  order_id: z.int(),
});

const BOUGHT =
  'The order exists even if the carrier refuses the purchase: then `result` is false and the status is `LABEL_PURCHASE_FAILED`. If the purchase still runs after 12 s, the status is `LABEL_PENDING` and the service continues it. A label is never bought twice.';
const REFUSALS = {
  402: '`INSUFFICIENT_FUNDS`: the wallet of the customer cannot pay. Nothing is created.',
  404: '`RATE_NOT_FOUND`: there is no such rate, or it is for another customer. `WAREHOUSE_NOT_FOUND`: there is no such open warehouse.',
  409: '`NO_RATE`: no rate fits, or the method is disabled, has no labels in the format, or costs more than `max_price`. `RATE_USED`, `QUOTE_EXPIRED`, `QUOTE_MISMATCH`: the rate cannot be used for this order. `WALLET_FROZEN`, `NO_WALLET_IN_CURRENCY`: the wallet cannot pay.',
  422: '`CUSTOMS_NEEDED`: the parcels leave the customs territory. `DIMENSIONS_NEEDED`: a package has only some of its sides.',
  503: '`CARRIER_UNAVAILABLE`: the carrier has not responded several times. Try again after `Retry-After`.',
} as const;

type Placing = ShipmentInput & {
  readonly customer_id?: number | undefined;
  readonly label_format: (typeof LABEL_FORMATS)[number];
  readonly label_size: (typeof LABEL_SIZES)[number];
  readonly max_price?: string | undefined;
};
type RateFor = Parameters<LabelRates['rate']>[1];
interface Agreeing {
  readonly orderId: number;
  readonly shipment: Parameters<LabelRates['rate']>[0];
  readonly of: RateFor;
  readonly isDryRun: boolean;
}

export function labelWrites(options: LabelWritingOptions): Operation[] {
  const { place, purchase, rates, shipments, customerOf, queries } = options;

  /** Creates an order at the rate that `agree` reserves. */
  async function create(input: Placing, context: Context, agree: (of: Agreeing) => Promise<AgreedRate>) {
    const { caller, time, cause, commandId, reserveIds, wrote } = context;
    const { customer_id, label_format: labelFormat, label_size: labelSize, max_price: maxPrice, ...given } = input;
    const user = userOf(caller);
    const isCustomer = user.role === 'customer';
    const business = businessOf(caller);
    const { userId, timezone } = user;
    const customerId = await customerOf(customer_id, user);
    const customerBook = isCustomer ? userId : null;
    const shipment = await shipments(given, { business, customerBook, timezone, time });
    checkAddresses(shipment);
    const [id] = await reserveIds(ORDER_IDS, 1);
    const orderId = id!;
    const isDryRun = cause.dryRun !== undefined;
    const of: RateFor = { business, timezone, customerId, userId, isCustomer, time, isDryRun };
    const state = await place(
      { orderId, business, customerId, userId, shipment, labelFormat, labelSize, maxPrice },
      () => agree({ orderId, shipment, of, isDryRun }),
      { cause, commandId, wrote, time },
    );
    return { result: isBought(state), order_id: orderId };
  }

  return [
    operation({
      ...LABEL_WRITE,
      name: 'labelOrderCreate',
      fixed: { name: 'labelserviceSubmitOrder', method: 'post', path: '/v1/labelservice/submitOrder' },
      summary: 'Create a label order and buy its labels',
      description: `Buys the labels of a shipment at a rate of \`labelserviceRate\`, or with a method of \`shippingMethods\`. ${BOUGHT}`,
      rest: { method: 'post', path: '/v1/label-orders', status: 201 },
      risk: 'medium',
      reads: RATED_BY,
      awaits: LABEL_AWAITS,
      answers: { ...REFUSALS, 403: '`PRICE_HIDDEN`: `max_price` by a customer who does not see prices.' },
      input: z.object({
        ...labelInput,
        rate_id: z.string().min(1).max(100).optional().describe('A rate for the same shipment.'),
        method_id: idSchema.optional().describe('A shipping method, instead of `rate_id`.'),
        max_price,
      }),
      output: placedOutput,
      async run({ rate_id, method_id, max_price, ...input }, context) {
        if ((rate_id === undefined) === (method_id === undefined))
          throw invalidForm('rate_id', 'present, unless `method_id` is present');
        if (max_price !== undefined && rate_id !== undefined) throw invalidForm('max_price', 'absent with `rate_id`');
        if (max_price !== undefined) mustBePositive(max_price);
        return create({ ...input, max_price }, context, ({ orderId, shipment, of, isDryRun }) => {
          const order = { ...of, orderId, shipment, isDryRun, customerId: of.customerId ?? undefined };
          return rate_id === undefined
            ? rates.agreeMethod({
                ...order,
                methodId: method_id!,
                labelFormat: input.label_format,
                labelSize: input.label_size,
                maxPrice: max_price,
              })
            : rates.agree({ ...order, rateId: rate_id });
        });
      },
    }),
    operation({
      ...LABEL_WRITE,
      name: 'labelOrderQuoteAndShip',
      summary: 'Choose the best rate and buy its labels',
      description: `Asks all enabled carriers, chooses a rate by \`strategy\`, and buys the labels. Amounts are not converted: if the rates that fit have several currencies, only those in the most frequent currency are considered, and of equally frequent ones those in the first by alphabet. ${BOUGHT}`,
      rest: { method: 'post', path: '/v1/label-orders/quote-and-ship', status: 201 },
      risk: 'medium',
      reads: RATED_BY,
      awaits: LABEL_AWAITS,
      answers: { ...REFUSALS, 403: '`PRICE_HIDDEN`: `max_price` by a customer who does not see prices.' },
      input: z.object({
        ...labelInput,
        strategy: z
          .enum(STRATEGIES)
          .default('cheapest')
          .describe('`best_value`: the cheapest of those that are at most 2 days slower than the fastest.'),
        carriers: z
          .array(z.string().trim().min(1).max(100))
          .min(1)
          .max(50)
          .optional()
          .describe('Only these carriers, by the `carrier` of their rates.'),
        max_price,
        deliver_by: dateSchema.optional().describe('Only rates with a delivery date until this day.'),
      }),
      output: placedOutput.extend({
        chosen_rate_id: z.string().nullable().describe('Null: the request was repeated.'),
        considered: z
          .array(considered)
          .max(20)
          .describe('Rates that fit, the best one first; where prices are hidden, by days and method.'),
      }),
      async run({ strategy, carriers, max_price, deliver_by, ...input }, context) {
        if (max_price !== undefined) mustBePositive(max_price);
        let fitting: ReturnType<typeof chooseRate> = [];
        let best: (typeof fitting)[number] | undefined;
        const created = await create({ ...input, max_price }, context, async ({ orderId, shipment, of, isDryRun }) => {
          await rates.expectVisiblePrice({ ...of, maxPrice: max_price });
          const { label_format: labelFormat, label_size: labelSize } = input;
          const found = await rates.rate(shipment, of, { labelFormat, labelSize, orderId });
          fitting = chooseRate(found.rates, { strategy, carriers, maxPrice: max_price, deliverBy: deliver_by });
          [best] = fitting;
          if (!best) throw noRate(found.errors, of.isCustomer);
          if (await rates.arePricesHidden(of)) fitting = [...fitting].sort(byDays);
          const order = { ...of, orderId, shipment, isDryRun, customerId: of.customerId ?? undefined };
          return rates.agreeFound(best, order);
        });
        return {
          ...created,
          chosen_rate_id: best?.rate_id ?? null,
          considered: fitting
            .slice(0, 20)
            .map(({ rate_id, carrier }) => ({
              rate_id,
              carrier: carrier.carrier,
              method_id: carrier.method_id,
              method_name: carrier.method_name,
              delivery_days: carrier.delivery_days ?? null,
            })),
        };
      },
    }),
    operation({
      ...LABEL_WRITE,
      name: 'labelOrderPurchase',
      versioned: LABEL_VERSION,
      summary: 'Buy the missing labels of an order',
      description: `For an order with the status \`LABEL_PURCHASE_FAILED\`. Only the labels that are missing are bought, with the same method and at most at the agreed cost. The customer pays if its terms require that and no label was bought before. ${BOUGHT}`,
      rest: { method: 'post', path: '/v1/label-orders/:order_id/purchase' },
      risk: 'high',
      confirm: true,
      reads: ['labels', 'carrier_accounts', 'customer_terms'],
      awaits: LABEL_AWAITS,
      answers: {
        402: REFUSALS[402],
        404: 'There is no such label order.',
        409: '`LABEL_EXISTS`: no label is missing. `PURCHASE_IN_PROGRESS`, `PAYMENT_IN_PROGRESS`: an attempt is not finished. `ORDER_CLOSED`: the order is cancelled, or its addresses were erased. `TOO_MANY_ATTEMPTS`: no attempts are left. `NO_RATE`: the carrier account or its method is disabled. `WALLET_FROZEN`, `NO_WALLET_IN_CURRENCY`: the wallet cannot pay.',
        503: REFUSALS[503],
      },
      input: z.object({ order_id: idSchema }),
      output: placedOutput,
      async run({ order_id }, { caller, cause, commandId, wrote, time }) {
        await namedLabelOrder(queries, caller, { order_id });
        const of = { cause, commandId, wrote, time };
        const state = await purchase(order_id, businessOf(caller), userOf(caller).userId, of);
        return { result: isBought(state), order_id };
      },
    }),
  ];
}

/** Whether no label was refused. A purchase that still runs is not refused. */
const isBought = ({ order }: LabelState): boolean => labelOrderState(order) !== 'LABEL_PURCHASE_FAILED';
