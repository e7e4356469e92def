/** States of label orders and of their packages. Ids and names are permanent. */
export const LABEL_STATES = {
  LABEL_PENDING: 10,
  LABEL_PURCHASE_FAILED: 15,
  LABEL_PURCHASED: 20,
  SUBMITTED: 30,
  IN_TRANSIT: 40,
  OUT_FOR_DELIVERY: 50,
  EXCEPTION: 60,
  DELIVERED: 70,
  RETURNED: 80,
  VOID_REQUESTED: 90,
  VOIDED: 95,
  CANCELLED: 99,
} as const;
export type LabelOrderState = keyof typeof LABEL_STATES;
export const LABEL_STATE_NAMES = Object.keys(LABEL_STATES) as [LabelOrderState, ...LabelOrderState[]];

/** `open`: the result of the purchase is unknown, and staff must settle it. */
export const LABEL_STATUSES = ['pending', 'purchased', 'failed', 'open', 'void_requested', 'voided'] as const;
export type LabelStatus = (typeof LABEL_STATUSES)[number];

/** The order has ended, or ends soon: nothing is bought for it any more, and nothing is due. */
export const CLOSED: ReadonlySet<LabelOrderState> = new Set([
  'DELIVERED',
  'RETURNED',
  'VOID_REQUESTED',
  'VOIDED',
  'CANCELLED',
]);
