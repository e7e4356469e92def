/**
 * Exclusive assignment of an order to one contractor, as events of the order. `broker_id` is the contractor's user id.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

const text = z.string();

export const OrderAssigned = eventType(
  'OrderAssigned',
  z.object({
    assignment_id: z.int(),
    /** The order's business, because assignments are listed without their orders. */
    business: z.int(),
    broker_id: z.int(),
    note: personal(text),
    /** User id. */
    assigned_by: z.int().optional(),
  }),
);

/**
 * The client revoked the assignment. `move`: the same append assigns another contractor. `cancel`: the order was
 * cancelled.
 */
export const AssignmentRevoked = eventType(
  'AssignmentRevoked',
  z.object({
    assignment_id: z.int(),
    broker_id: z.int(),
    why: z.enum(['revoke', 'move', 'cancel']),
    ended_by: z.int().optional(),
    reason: personal(text),
  }),
);

/** The contractor returned the order. */
export const AssignmentReleased = eventType(
  'AssignmentReleased',
  z.object({ assignment_id: z.int(), broker_id: z.int(), ended_by: z.int().optional(), reason: personal(text) }),
);
