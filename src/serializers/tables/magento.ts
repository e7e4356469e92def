import type { Stage } from '../support/order-stage.js';

/**
 * Maps order stages to Magento's order state and its default status. `complete` means shipped, not delivered. `closed`
 * results from a credit memo, which is about money, and is never derived from a timeline. Spellings are the vendor's.
 */
export const MAGENTO = {
  ordered: { state: 'new', status: 'pending' },
  labelled: { state: 'processing', status: 'processing' },
  partly_shipped: { state: 'processing', status: 'processing' },
  shipped: { state: 'complete', status: 'complete' },
  partly_delivered: { state: 'complete', status: 'complete' },
  delivered: { state: 'complete', status: 'complete' },
  returned: { state: 'complete', status: 'complete' },
  cancelled: { state: 'canceled', status: 'canceled' },
} as const satisfies Record<Stage, { readonly state: string; readonly status: string }>;

const CARRIER_CODES = ['ups', 'usps', 'fedex', 'dhl'] as const;

/** Returns the core carrier code; `custom` for every other carrier. */
export const magentoCarrier = (name: string) => CARRIER_CODES.find((code) => code === name.toLowerCase()) ?? 'custom';
