/** An order handed exclusively to one contractor, as events of the order. `broker_id` is the contractor's user id. */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

const text = z.string();

export const OrderAssigned = eventType(
  'OrderAssigned',
  z.object({
    assignment_id: z.int(),
    /** The order's business: an assignment is listed without its order. */
    business: z.int(),
    broker_id: z.int(),
    note: personal(text),
    /** User id. */
    assigned_by: z.int().optional(),
  }),
);

/**
 * The client took it back. `move`: to give it to another contractor in the same append; `cancel`: the order was called
 * off.
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

/** The contractor handed it back. */
export const AssignmentReleased = eventType(
  'AssignmentReleased',
  z.object({ assignment_id: z.int(), broker_id: z.int(), ended_by: z.int().optional(), reason: personal(text) }),
);
