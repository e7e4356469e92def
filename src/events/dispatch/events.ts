/**
 * What dispatchers decide. Stream `dispatch-<business>-<YYYY-MM-DD>`, a day in the business's timezone: what is decided
 * together is stored together. What there is to decide on, the items, are not events: they follow from observations.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { CONTACTED, DECISIONS } from './decisions.js';

export const DISPATCH_PREFIX = 'dispatch-';
export const dispatchStream = (business: number, date: string): string => `${DISPATCH_PREFIX}${business}-${date}`;

const text = z.string();

/** What all of them say. */
const common = {
  /** `<kind>:<id of an order or a route>`, the same on every read. */
  item: text,
  /** User id. */
  by: z.int(),
  /** Whose desk it is: that of this contractor; absent: that of the business. Desks do not see each other. */
  desk: z.int().optional(),
  /** RFC 3339, UTC. */
  at: text,
};

/** It is worked on by `by`, until it is decided or returned, or some time has passed. */
export const DispatchItemTaken = eventType('DispatchItemTaken', z.object(common));
export const DispatchItemReturned = eventType('DispatchItemReturned', z.object(common));

export const DispatchDecisionRecorded = eventType(
  'DispatchDecisionRecorded',
  z.object({
    ...common,
    decision_id: text,
    kind: text,
    /** Stream of the order or the route that it is about. */
    subject: text,
    /**
     * What was seen: a hash of the facts, and the facts themselves; absent: recorded after a crash, when they were
     * others.
     */
    seen: text,
    facts: z.record(text, z.unknown()).optional(),
    decision: z.enum(DECISIONS),
    /** RFC 3339, UTC. Absent: until the facts are others. */
    until: text.optional(),
    contacted: z.enum(CONTACTED).optional(),
    /** The operation that carried it out, and what came of it. */
    operation: text.optional(),
    outcome: z.object({ status: z.enum(['done', 'refused']), code: text.optional() }).optional(),
    /** User id of the one who had taken the item. */
    took_over_from: z.int().optional(),
    /** That of the order's people, else of the author. */
    note: personal(text),
  }),
);

/** A decision does not count any more. */
export const DispatchItemReopened = eventType('DispatchItemReopened', z.object({ ...common, note: personal(text) }));

export const DISPATCH_EVENTS = [
  DispatchItemTaken,
  DispatchItemReturned,
  DispatchDecisionRecorded,
  DispatchItemReopened,
] as const;
