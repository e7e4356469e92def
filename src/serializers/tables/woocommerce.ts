import type { Stage } from '../support/order-stage.js';

/**
 * Order stages to core WooCommerce order statuses. Core has no delivered state, and `refunded` is a money event: a
 * returned parcel was sent.
 */
export const WOOCOMMERCE = {
  ordered: 'processing',
  labelled: 'processing',
  shipped: 'completed',
  delivered: 'completed',
  returned: 'completed',
  cancelled: 'cancelled',
} as const satisfies Record<Stage, string>;
