/** Reads the state of labels at their carrier, and the files of labels. */
import { z } from 'zod';
import type { LabelShipment } from '../../../events/labels/order.js';
import { hasLabel } from '../../../events/labels/state.js';
import { VOID_STATUSES } from '../../../events/labels/effects.js';
import type { CarrierDetail } from '../../../engines/outside/carriers/port.js';
import type { Outcome } from '../../../engines/outside/adapter.js';
import { compare } from '../../../events/core/money.js';
import type { LabelOrderView, LabelQueries } from '../../../projections/labels/queries.js';
import { operation, type Operation } from '../../core/operation.js';
import { price, priced } from '../../core/prices.js';
import { CUSTOMERS_GET, shownFailure } from './carrier-codes.js';
import { LABEL_FAMILY } from './label-prices.js';
import { labelOrderName, labelStreamOf, namedLabelOrder } from './label-reading.js';
import { LABEL_AWAITS } from './label-writing.js';
import { LABEL_WRITERS } from './viewer.js';

export interface LabelDetailOptions {
  readonly queries: LabelQueries;
  /** Asks the carrier about a shipment that it sold. */
  readonly detailOf: (order: LabelOrderView, shipment: LabelShipment) => Promise<Outcome<CarrierDetail>>;
  /** Records what the carrier reports about voids. `known`: its responses, by the subject of the shipment. */
  readonly refreshVoids: (orderId: number, known: ReadonlyMap<string, Outcome<CarrierDetail>>) => Promise<void>;
}

const carrierShipmentOutput = priced(
  {
    package_ids: z.array(z.string()),
    tracking_numbers: z.array(z.string()),
    carrier_cost: price(z.string().nullable().describe('What the carrier charges the business. Only for staff.')),
    currency: price(z.string().nullable()),
    billed_weight_kg: z.number().nullable(),
    void_status: z.enum(VOID_STATUSES).nullable().describe('What the carrier reports about a void.'),
    failure_code: z
      .string()
      .nullable()
      .describe(
        `Why there are no details of the carrier: \`NOT_SERVED\` if it offers none. Staff get the code of the carrier. ${CUSTOMERS_GET}`,
      ),
    differences: z
      .array(z.enum(['tracking_numbers', 'carrier_cost', 'billed_weight_kg']))
      .describe('Members in which the carrier differs from the order.'),
  },
  () => LABEL_FAMILY,
).meta({ id: 'CarrierShipment' });

export const labelDetail = ({ queries, detailOf, refreshVoids }: LabelDetailOptions): Operation =>
  operation({
    name: 'labelOrderCarrierDetail',
    fixed: { name: 'labelserviceGetShippingDetail', method: 'post', path: '/v1/labelservice/getShippingDetail' },
    area: 'LabelService',
    summary: 'Get the shipping detail of a label order',
    description:
      'Asks the carrier now for tracking numbers, price, billed weight and refund of the labels of an order, and compares them with the order. A refund that the carrier confirms is recorded.',
    rest: { method: 'post', path: '/v1/label-orders/carrier-detail' },
    callers: LABEL_WRITERS,
    scopes: ['labels:write'],
    risk: 'high',
    confirm: true,
    writes: true,
    readsAgain: true,
    concerns: labelStreamOf(queries),
    returns: { read: 'labelOrder' },
    reads: ['labels', 'carrier_accounts'],
    awaits: LABEL_AWAITS,
    answers: { 404: 'There is no such label order.' },
    input: z.object(labelOrderName),
    output: z.object({
      result: z.boolean().describe('False: the carrier did not respond about some shipments.'),
      order_id: z.int(),
      carrier_shipments: z.array(carrierShipmentOutput),
    }),
    async run(name, { caller, cause }) {
      const order = await namedLabelOrder(queries, caller, name);
      const isCustomer = caller.role === 'customer';
      const bought = order.labels.shipments.filter((one) => one.bought);
      const asked = cause.dryRun ? [] : bought;
      const outcomes = new Map(
        await Promise.all(asked.map(async (one) => [one.about, await detailOf(order, one)] as const)),
      );
      const shipments = asked.map((one) => toShipment(order, one, outcomes.get(one.about)!, isCustomer));
      if (!cause.dryRun) await refreshVoids(order.id, outcomes);
      return {
        result: shipments.every(({ failure_code }) => failure_code === null),
        order_id: order.id,
        carrier_shipments: shipments,
      };
    },
  });

const failureOf = (outcome: Exclude<Outcome<unknown>, { readonly is: 'done' }>): string =>
  outcome.is === 'not_done' ? outcome.code : 'CARRIER_UNAVAILABLE';

function toShipment(
  { labels }: LabelOrderView,
  shipment: LabelShipment,
  outcome: Outcome<CarrierDetail>,
  isCustomer: boolean,
): z.infer<typeof carrierShipmentOutput> {
  const { packages, bought } = shipment;
  const parcels = labels.packages.filter(({ package_id }) => packages.includes(package_id));
  const known = parcels.flatMap(({ tracking_number }) => tracking_number ?? []);
  const detail = outcome.is === 'done' ? outcome.result : undefined;
  const numbers = detail?.tracking_numbers ?? known;
  const weight = parcels.reduce((sum, one) => sum + (one.billed_weight_kg ?? 0), 0);
  const cost = detail?.cost ?? bought!.cost;
  const differs = {
    tracking_numbers: [...numbers].sort().join() !== [...known].sort().join(),
    carrier_cost: !isCustomer && detail?.cost !== undefined && compare(detail.cost, bought!.cost) !== 0,
    billed_weight_kg: detail?.billed_weight_kg !== undefined && weight > 0 && detail.billed_weight_kg !== weight,
  };
  return {
    package_ids: [...packages],
    tracking_numbers: [...numbers],
    ...(!isCustomer && { carrier_cost: cost, currency: detail?.currency ?? bought!.currency }),
    billed_weight_kg: detail?.billed_weight_kg ?? (weight > 0 ? weight : null),
    void_status: detail?.refund_status ?? (hasLabel(shipment) ? null : (shipment.void?.status ?? null)),
    failure_code: outcome.is === 'done' ? null : shownFailure(failureOf(outcome), { isCustomer }),
    differences: (Object.keys(differs) as (keyof typeof differs)[]).filter((member) => differs[member]),
  };
}
