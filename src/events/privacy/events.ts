/**
 * What happens when a person is forgotten. Stream `erasure-<subject>`. What is destroyed are keys: no other event is
 * touched.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const ERASURE_PREFIX = 'erasure-';
export const erasureStream = (subject: string): string => `${ERASURE_PREFIX}${subject}`;

/** The first word of the subject: `order`, `account`, `tracking`, or that of another area. */
export type SubjectKind = string;

/** It was decided, and holds from now on: whatever keeps keys destroys these, also after a restore of older ones. */
export const SubjectErased = eventType(
  'SubjectErased',
  z.object({
    /** `order-<id>`, `account-<id>`, `tracking-<id>`. */
    subject: z.string(),
    kind: z.string(),
    /** Absent: no business's, a carrier's own parcel. */
    business: z.int().optional(),
    /** Subjects of the keys that the person's data is under, as far as they were known. */
    keys: z.array(z.string()),
  }),
);

/**
 * It was done. `keys`: those destroyed in addition to the decided ones, of captures that held the person's events and
 * of proposals. Once more where a capture came later.
 */
export const KeysDestroyed = eventType('KeysDestroyed', z.object({ keys: z.array(z.string()) }));

export const PRIVACY_EVENTS = [SubjectErased, KeysDestroyed] as const;
