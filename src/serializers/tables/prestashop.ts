import type { Stage } from '../support/order-stage.js';

/**
 * Maps order stages to PrestaShop order state ids of a new shop (PS_OS_PREPARATION 3, PS_OS_SHIPPING 4, PS_OS_DELIVERED
 * 5, PS_OS_CANCELED 6). Payment accepted (2) and Refunded (7) are about money and are never derived from a timeline.
 */
export const PRESTASHOP = {
  ordered: '3',
  labelled: '3',
  partly_shipped: '3',
  shipped: '4',
  partly_delivered: '4',
  delivered: '5',
  returned: '4',
  cancelled: '6',
} as const satisfies Record<Stage, string>;

export type PrestashopState = (typeof PRESTASHOP)[Stage];
