/**
 * Decisions of dispatchers. Stream `dispatch-<business>-<YYYY-MM-DD>`, for a day in the business's time zone, so that
 * decisions of one day are stored together. The items to decide on are not events: they are derived from observations.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { CONTACTED, DECISIONS } from './decisions.js';

export const DISPATCH_PREFIX = 'dispatch-';
export const dispatchStream = (business: number, date: string): string => `${DISPATCH_PREFIX}${business}-${date}`;

const text = z.string();

/** Members of all dispatch events. */
const common = {
  /** `<kind>:<id of an order or a route>`, the same on every read. */
  item: text,
  /** User id. */
  by: z.int(),
  /** The desk: that of this contractor; absent: that of the business. Desks do not see each other's events. */
  desk: z.int().optional(),
  /** RFC 3339, UTC. */
  at: text,
};

/** `by` works on the item until it is decided or returned, or a time limit has passed. */
export const DispatchItemTaken = eventType('DispatchItemTaken', z.object(common));
export const DispatchItemReturned = eventType('DispatchItemReturned', z.object(common));

export const DispatchDecisionRecorded = eventType(
  'DispatchDecisionRecorded',
  z.object({
    ...common,
    decision_id: text,
    kind: text,
    /** Stream of the order or the route. */
    subject: text,
    /**
     * A hash of the facts that the dispatcher saw, and the facts. `facts` is absent if the decision was recorded after
     * a crash, when the facts had changed.
     */
    seen: text,
    facts: z.record(text, z.unknown()).optional(),
    decision: z.enum(DECISIONS),
    /** RFC 3339, UTC. Absent: until the facts change. */
    until: text.optional(),
    contacted: z.enum(CONTACTED).optional(),
    /** The operation that executed it, and its outcome. */
    operation: text.optional(),
    outcome: z.object({ status: z.enum(['done', 'refused']), code: text.optional() }).optional(),
    /** User id of the dispatcher who had taken the item before. */
    took_over_from: z.int().optional(),
    /** Personal data of the order's key subject, otherwise of the author. */
    note: personal(text),
  }),
  { version: 2, upcast: { 1: (data) => data } },
);

/** A decision was withdrawn. */
export const DispatchItemReopened = eventType('DispatchItemReopened', z.object({ ...common, note: personal(text) }));

export const DISPATCH_EVENTS = [
  DispatchItemTaken,
  DispatchItemReturned,
  DispatchDecisionRecorded,
  DispatchItemReopened,
] as const;
