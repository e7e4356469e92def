import type { Stage } from '../support/order-stage.js';

/**
 * Maps order stages to core WooCommerce order statuses. Core has no delivered state. `refunded` is about money: a
 * returned parcel is `completed`.
 */
export const WOOCOMMERCE = {
  ordered: 'processing',
  labelled: 'processing',
  partly_shipped: 'processing',
  shipped: 'completed',
  partly_delivered: 'completed',
  delivered: 'completed',
  returned: 'completed',
  cancelled: 'cancelled',
} as const satisfies Record<Stage, string>;
