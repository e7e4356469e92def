/** Label orders in responses. */
import { z } from 'zod';
import { compact } from '../../../events/core/compact.js';
import { sum } from '../../../events/core/money.js';
import type { LabelStop } from '../../../events/labels/events.js';
import type { LabelPackage } from '../../../events/labels/order.js';
import { hasLabel, isLabelMissing, labelStatusOf, shipmentOf } from '../../../events/labels/state.js';
import { LABEL_STATE_NAMES, LABEL_STATES, LABEL_STATUSES } from '../../../events/labels/states.js';
import type { BillSummary } from '../../../projections/bills/queries.js';
import type { LabelOrderView } from '../../../projections/labels/queries.js';
import { LABEL_FORMATS, LABEL_SIZES } from '../../../engines/outside/carriers/shipment.js';
import { price, priced } from '../../core/prices.js';
import { versionSchema } from '../../core/versions.js';
import { paymentStatusSchema } from '../bills/payment-status.js';
import { CUSTOMERS_GET, shownFailure } from './carrier-codes.js';
import { LABEL_FAMILY } from './label-prices.js';

const text = z.string();

const labelAddressOutput = z
  .object({
    name: text.optional(),
    company: text.optional(),
    phone: text.optional(),
    email: text.optional(),
    street: text.optional(),
    street_2: text.optional(),
    city: text.optional(),
    region: text.optional(),
    postal_code: text.optional(),
    country: text,
  })
  .meta({ id: 'LabelAddress' });

const labelFileOutput = z
  .object({
    file_id: z.uuid(),
    format: z.enum(LABEL_FORMATS),
    media_type: text,
    size_bytes: z.int(),
    href: text.describe('Path from which the file is downloaded.'),
  })
  .meta({ id: 'LabelFile' });

const labelPackageOutput = z
  .object({
    package_id: text.describe('Position in the order, from 1.'),
    label_status: z
      .enum(LABEL_STATUSES)
      .describe('`open`: the result of the purchase is unknown, and staff must settle it with `effectSettle`.'),
    tracking_number: text.nullable(),
    failure_code: text
      .nullable()
      .describe(`Why the label was not bought: for staff, the code of the carrier. ${CUSTOMERS_GET}`),
    label_file: labelFileOutput.nullable(),
    is_label_missing: z
      .boolean()
      .describe('True: the label was bought, but could not be downloaded yet. The service tries again.'),
    weight_kg: z.number(),
    billed_weight_kg: z.number().nullable(),
    length_cm: z.number().nullable(),
    width_cm: z.number().nullable(),
    height_cm: z.number().nullable(),
  })
  .meta({ id: 'LabelOrderPackage' });

export const labelOrderOutput = priced(
  {
    id: z.int(),
    status: z
      .enum(LABEL_STATE_NAMES)
      .describe('`LABEL_PURCHASE_FAILED`: at least one label is missing; `labelOrderPurchase` buys it.'),
    order_status_id: z.int().describe('Permanent number of the status.'),
    customer_id: z.int().nullable(),
    order_ref: text.nullable(),
    carrier_account_id: z.int(),
    carrier: text.describe('Carrier that transports the parcels.'),
    method_id: z.int(),
    method_name: text,
    ship_date: z.iso.date(),
    ship_from: labelAddressOutput.nullable().describe('Null: erased.'),
    ship_to: labelAddressOutput.nullable().describe('Null: erased.'),
    return_to: labelAddressOutput.nullable(),
    label_format: z.enum(LABEL_FORMATS),
    label_size: z.enum(LABEL_SIZES),
    packages: z.array(labelPackageOutput),
    tracking_numbers: z.array(text),
    manifest_id: z.int().nullable().describe('Manifest that the order is in.'),
    manifest_refusal_code: text
      .nullable()
      .describe('Why the carrier refused the order in its last manifest. The next end of day submits it again.'),
    rate_id: text.nullable().describe('Quote at which the order was placed.'),
    currency: price(text.nullable()),
    shipping_price: price(text.nullable().describe('The total, with taxes. Null: the order has no price.')),
    payment_status: paymentStatusSchema,
    agreed_carrier_cost: price(
      text
        .nullable()
        .describe('Cost of the carrier when the order was placed, in the currency of the rate. Only for staff.'),
    ),
    carrier_cost: price(
      text.nullable().describe('Cost of the labels that were bought and not voided. Null: none. Only for staff.'),
    ),
    carrier_currency: price(text.nullable().describe('Currency of both costs. Only for staff.')),
    created_by: z.int().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    version: versionSchema,
  },
  () => LABEL_FAMILY,
).meta({ id: 'LabelOrder' });
export type LabelOrderOutput = z.infer<typeof labelOrderOutput>;

/** `isCustomer`: the caller does not see what the carrier charges. */
export function toLabelOrder(
  view: LabelOrderView,
  bill: BillSummary | undefined,
  { isCustomer }: { readonly isCustomer: boolean },
): LabelOrderOutput {
  const { details, labels } = view;
  return {
    id: view.id,
    status: view.state,
    order_status_id: LABEL_STATES[view.state],
    customer_id: view.customer_id,
    order_ref: view.order_ref,
    carrier_account_id: view.account_id,
    carrier: details.carrier,
    method_id: view.method_id,
    method_name: details.method_name,
    ship_date: view.ship_date,
    ship_from: toAddress(view.from),
    ship_to: toAddress(view.to),
    return_to: toAddress(view.return_to),
    label_format: details.label_format,
    label_size: details.label_size,
    packages: labels.packages.map((parcel) => toPackage(view, parcel, { isCustomer })),
    tracking_numbers: [...view.tracking_numbers],
    manifest_id: labels.manifest?.id ?? null,
    manifest_refusal_code: labels.manifest_refusal?.code ?? null,
    rate_id: view.rate_id,
    currency: bill?.bill.currency ?? null,
    shipping_price: bill?.bill.total ?? null,
    payment_status: bill?.payment_status ?? 'unpriced',
    ...(!isCustomer && costsOf(view)),
    created_by: view.created_by,
    created_at: view.created_at,
    updated_at: view.updated_at,
    version: view.revision,
  };
}

/** What the carrier charges the business: as agreed, and for the labels that exist. */
function costsOf({ details: { agreed_cost }, labels }: LabelOrderView) {
  const bought = labels.shipments.filter(hasLabel).flatMap(({ bought: one }) => one ?? []);
  const costs = bought.map(({ cost, currency }) => ({ amount: cost, currency }));
  const currency = costs[0]?.currency ?? agreed_cost?.currency;
  // The purchase of each shipment is limited in the agreed currency, so all costs have it.
  const [first, ...more] = costs.filter((one) => one.currency === currency);
  return {
    agreed_carrier_cost: agreed_cost?.amount ?? null,
    carrier_cost: first ? sum(first, ...more).amount : null,
    carrier_currency: currency ?? null,
  };
}

const toAddress = (stop: LabelStop | undefined) => (stop ? compact({ ...stop }) : null);

function toPackage(
  { details, labels }: LabelOrderView,
  parcel: LabelPackage,
  to: { readonly isCustomer: boolean },
): z.infer<typeof labelPackageOutput> {
  const { package_id, label } = parcel;
  const shipment = shipmentOf(labels, package_id)!;
  const failure = shipment.bought ? undefined : shipment.purchase?.code;
  const size = details.packages.find((one) => one.package_id === package_id);
  return {
    package_id,
    label_status: labelStatusOf(shipment),
    tracking_number: parcel.tracking_number ?? null,
    failure_code: failure === undefined ? null : shownFailure(failure, to),
    label_file: label
      ? {
          file_id: label.file_id,
          format: label.format,
          media_type: label.media_type,
          size_bytes: label.bytes,
          href: `/api/v1/files/${label.file_id}`,
        }
      : null,
    is_label_missing: isLabelMissing(labels, parcel),
    weight_kg: size?.weight_kg ?? 0,
    billed_weight_kg: parcel.billed_weight_kg ?? null,
    length_cm: size?.length_cm ?? null,
    width_cm: size?.width_cm ?? null,
    height_cm: size?.height_cm ?? null,
  };
}
