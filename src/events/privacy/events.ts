/**
 * Events of an erasure of personal data. Stream `erasure-<subject>`. Erasure destroys keys; no other event is changed.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const ERASURE_PREFIX = 'erasure-';
export const erasureStream = (subject: string): string => `${ERASURE_PREFIX}${subject}`;

/** The prefix of the subject: `order`, `account`, `tracking`, or that of another area. */
export type SubjectKind = string;

/**
 * The erasure was decided and is permanent: every store of keys destroys these keys, also after a restore of an older
 * backup.
 */
export const SubjectErased = eventType(
  'SubjectErased',
  z.object({
    /** `order-<id>`, `account-<id>`, `tracking-<id>`. */
    subject: z.string(),
    kind: z.string(),
    /** Absent: the parcel of a carrier, which belongs to no business. */
    business: z.int().optional(),
    /** Subjects of the known keys that encrypt the person's data. */
    keys: z.array(z.string()),
  }),
);

/**
 * The keys were destroyed. `keys`: additional destroyed keys, of captures with the person's events and of proposals.
 * Recorded again if a later capture contains such events.
 */
export const KeysDestroyed = eventType('KeysDestroyed', z.object({ keys: z.array(z.string()) }));

export const PRIVACY_EVENTS = [SubjectErased, KeysDestroyed] as const;
