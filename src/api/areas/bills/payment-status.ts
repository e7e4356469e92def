/** The status of the payment of a bill in responses. */
import { z } from 'zod';
import { PAYMENT_STATUSES } from '../../../events/bill/state.js';

export const paymentStatusSchema = z
  .enum(PAYMENT_STATUSES)
  .describe(
    '`unpriced`: the order has no price. `settle_offline`: an amount is due, and the customer pays it outside of the service.',
  );
