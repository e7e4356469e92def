import type { Stage } from '../support/order-stage.js';

/**
 * Order stages to Magento's order state and its default status. `complete` means shipped, not delivered; `closed`
 * follows from a credit memo, a money event, and is never told from a timeline. Spellings are the vendor's.
 */
export const MAGENTO = {
  ordered: { state: 'new', status: 'pending' },
  labelled: { state: 'processing', status: 'processing' },
  shipped: { state: 'complete', status: 'complete' },
  delivered: { state: 'complete', status: 'complete' },
  returned: { state: 'complete', status: 'complete' },
  cancelled: { state: 'canceled', status: 'canceled' },
} as const satisfies Record<Stage, { readonly state: string; readonly status: string }>;

const CARRIER_CODES = ['ups', 'usps', 'fedex', 'dhl'] as const;

/** Core carrier codes; every other carrier is `custom`. */
export const magentoCarrier = (name: string) => CARRIER_CODES.find((code) => code === name.toLowerCase()) ?? 'custom';
