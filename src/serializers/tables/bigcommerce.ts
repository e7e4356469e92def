import type { Stage } from '../support/order-stage.js';
import { plainName } from '../support/vendor-subject.js';

/**
 * Maps order stages to BigCommerce order statuses. Completed is the closest to delivered. Awaiting Shipment means
 * packed and waiting for collection. Refunded (4) is about money and is never derived from a timeline: a returned
 * parcel is `Shipped`.
 */
export const BIGCOMMERCE = {
  ordered: { status_id: 11, status: 'Awaiting Fulfillment' },
  labelled: { status_id: 9, status: 'Awaiting Shipment' },
  partly_shipped: { status_id: 3, status: 'Partially Shipped' },
  shipped: { status_id: 2, status: 'Shipped' },
  partly_delivered: { status_id: 2, status: 'Shipped' },
  delivered: { status_id: 10, status: 'Completed' },
  returned: { status_id: 2, status: 'Shipped' },
  cancelled: { status_id: 5, status: 'Cancelled' },
} as const satisfies Record<Stage, { readonly status_id: number; readonly status: string }>;

/** The vendor's shipping providers by the carrier's plain name; `''` is the vendor's value for no provider. */
const PROVIDERS = [
  'auspost',
  'canadapost',
  'endicia',
  'usps',
  'fedex',
  'ups',
  'upsready',
  'upsonline',
  'shipperhq',
  'royalmail',
] as const;
export type ShippingProvider = (typeof PROVIDERS)[number] | '';

/** Courier slugs that belong to a provider in `tracking_carrier`. */
const SLUGS: Partial<Record<ShippingProvider, string>> = {
  auspost: 'australia-post',
  canadapost: 'canada-post',
  usps: 'usps',
  fedex: 'fedex',
  ups: 'ups',
  royalmail: 'royal-mail',
};

export function bigcommerceCarrier(name: string): { shipping_provider: ShippingProvider; tracking_carrier: string } {
  const plain = plainName(name);
  const shipping_provider = PROVIDERS.find((provider) => provider === plain) ?? '';
  return { shipping_provider, tracking_carrier: SLUGS[shipping_provider] ?? '' };
}
