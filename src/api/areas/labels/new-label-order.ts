/** The data of a new label order: its shipments at the carrier, and the highest cost of each. Pure. */
import type { CreateLabelOrder } from '../../../commands/labels/command.js';
import type { CarrierShipment, LabelFormat, LabelSize } from '../../../engines/outside/carriers/shipment.js';
import { compact } from '../../../events/core/compact.js';
import { compare, rounded, sum, times, type Money } from '../../../events/core/money.js';
import { WHOLE_ORDER } from '../../../events/labels/effects.js';
import type { CarrierAccount } from '../../../projections/carrier-accounts/queries.js';
import type { AgreedRate } from './label-rates.js';

/** A checked request for a label order. */
export interface NewLabel {
  readonly orderId: number;
  readonly business: number;
  readonly customerId: number | null;
  readonly userId: number;
  readonly shipment: CarrierShipment;
  readonly labelFormat: LabelFormat;
  readonly labelSize: LabelSize;
  /** Maximum cost of an order without a price, in the currency of the rate. */
  readonly maxPrice?: string | undefined;
}

/** Tolerance where the price of a customer is fixed, in percent of the carrier's price. */
const FIXED_PRICE_TOLERANCE = '5';
const PERCENT = '0.01';

/**
 * The highest costs of purchases: the agreed costs, and the tolerance of the account in percent. Without a price,
 * `maxPrice` limits their sum.
 */
function maxCosts(
  costs: readonly string[],
  { agreed, currency }: AgreedRate,
  { price_tolerance_percent }: CarrierAccount,
  maxPrice: string | undefined,
): readonly Money[] {
  const tolerance = price_tolerance_percent ?? (agreed ? FIXED_PRICE_TOLERANCE : '0');
  const tolerated = costs.map((amount) => {
    const more = rounded(times(times(amount, tolerance), PERCENT), currency);
    return sum({ amount, currency }, { amount: more, currency });
  });
  const [first, ...others] = tolerated;
  if (agreed || maxPrice === undefined || compare(sum(first!, ...others).amount, maxPrice) <= 0) return tolerated;
  // Several purchases do not know each other's costs, so each has its agreed one.
  return others.length === 0 ? [{ amount: maxPrice, currency }] : costs.map((amount) => ({ amount, currency }));
}

/** The order without the digests of its requests. */
export function newLabelOrder(
  { customerId, shipment, labelFormat, labelSize, maxPrice }: NewLabel,
  rate: AgreedRate,
  account: CarrierAccount,
  isMultiPiece: boolean,
): CreateLabelOrder['order'] {
  const { from, to, return_to, packages, ship_date, order_ref, options, customs } = shipment;
  const ids = packages.map(({ package_id }) => package_id);
  const sold = isMultiPiece
    ? [{ about: WHOLE_ORDER, packages: ids, cost: rate.cost }]
    : ids.map((about, n) => ({ about, packages: [about], cost: rate.packageCosts?.[n] ?? rate.cost }));
  const limits = maxCosts(
    sold.map(({ cost }) => cost),
    rate,
    account,
    maxPrice,
  );
  const contents = packages.flatMap(({ package_id, description }) =>
    description === undefined ? [] : [[package_id, description] as const],
  );
  return compact({
    customer_id: customerId ?? undefined,
    order_ref,
    account_id: account.id,
    adapter: account.adapter,
    method_id: rate.methodId,
    method_code: rate.methodCode,
    method_name: rate.methodName,
    carrier: rate.carrier,
    ship_date,
    from,
    to,
    return_to,
    packages: packages.map(({ description: _description, ...parcel }) => compact(parcel)),
    contents: contents.length > 0 ? Object.fromEntries(contents) : undefined,
    options,
    customs,
    label_format: labelFormat,
    label_size: labelSize,
    rate_id: rate.rateId,
    agreed_cost: { amount: rate.cost, currency: rate.currency },
    shipments: sold.map(({ cost: _cost, ...one }, n) => ({ ...one, digest: '', max_cost: limits[n]! })),
  }) as CreateLabelOrder['order'];
}
