/** How a label order ends for its bill: nothing is due any more, or no label was bought. */
import type { LabelOrder } from '../../events/labels/order.js';
import { hasBought, hasLabel, labelOrderState } from '../../events/labels/state.js';

/** All labels are voided, the order was cancelled without labels, or the business refunds at the acceptance of the void. */
export function isOver(order: LabelOrder): boolean {
  const state = labelOrderState(order);
  return state === 'VOIDED' || state === 'CANCELLED' || isVoidAccepted(order);
}

/** The carrier has accepted all voids, and the account of the business refunds at that moment. */
const isVoidAccepted = ({ is_whole_void, refund_on, shipments }: LabelOrder): boolean =>
  is_whole_void === true &&
  refund_on === 'submitted' &&
  shipments.filter(hasLabel).every((one) => one.void?.step === 'done' && one.void.ended === undefined);

/** The attempts have ended, and no label was ever bought. */
export const isUnsuccessful = (order: LabelOrder): boolean =>
  labelOrderState(order) === 'LABEL_PURCHASE_FAILED' && !hasBought(order);
