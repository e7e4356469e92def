/** Events of the area `double`, which exists only in tests: orders of a purchase at the double of an external system. */
import { z } from 'zod';
import { eventType, personal } from '../../../src/events/core/event-types.js';
import { effectSteps, stepEvents } from '../../../src/events/effects/steps.js';

export const DOUBLE_PREFIX = 'double-';
export const doubleStream = (id: string): string => `${DOUBLE_PREFIX}${id}`;

/** What the external system gets. */
export const purchaseSchema = z.object({
  note: personal(z.string()),
  /** Fault of the external system for this purchase. */
  fault: z.string().optional(),
  /** Moment at which the process that makes the purchase kills itself. */
  kill_at: z.string().optional(),
});
export type Purchase = z.infer<typeof purchaseSchema>;

export const DoubleOrdered = eventType(
  'DoubleOrdered',
  z.object({
    business: z.int(),
    stream: z.string(),
    adapter: z.string(),
    account: z.string(),
    ...purchaseSchema.shape,
  }),
);

/** `label`: represents the file of a label. */
export const PURCHASE = effectSteps(
  'double_purchase',
  {
    begun: 'DoublePurchaseBegun',
    reserved: 'DoublePurchaseReserved',
    done: 'DoublePurchased',
    refused: 'DoublePurchaseRefused',
    leftOpen: 'DoublePurchaseLeftOpen',
  },
  z.object({ number: z.string(), label: personal(z.string()) }),
);

export const DOUBLE_EVENTS = [DoubleOrdered, ...stepEvents(PURCHASE)];
