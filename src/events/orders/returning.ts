/** Why parcels come back: members of events about orders that are pick-ups, and about scans. */
import { z } from 'zod';
import { personal } from '../core/event-types.js';
import { recordedReasonSchema, type RecordedReason } from '../return-reasons/events.js';

export const returnShape = {
  return_reason: recordedReasonSchema.optional(),
  return_note: personal(z.string()),
  /** Id of a file, which is encrypted with the key of the order. */
  return_photo: z.string().optional(),
};

/** The members of a return. The note is absent after its erasure. */
export interface ReturnMembers {
  readonly return_reason?: RecordedReason | undefined;
  readonly return_note?: string | undefined;
  readonly return_photo?: string | undefined;
}

/** The members of a return among others. */
export const returnMembersOf = ({ return_reason, return_note, return_photo }: ReturnMembers): ReturnMembers => ({
  return_reason,
  return_note,
  return_photo,
});

/** The scans that say that a parcel comes back. */
export const RETURN_CODES: ReadonlySet<string> = new Set(['return_to_sender', 'rejected_by_recipient']);
