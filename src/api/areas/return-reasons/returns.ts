/** Returns in requests: reason, note and photo, as orders and scans accept them. */
import { z } from 'zod';
import type { Files } from '../../../engines/files/files.js';
import { orderSubject, type ReturnMembers } from '../../../events/orders/events.js';
import type { ReturnReasonQueries } from '../../../projections/return-reasons/read-model.js';
import { fieldError, invalidField } from '../../core/errors.js';
import { returnReasonCode } from './codes.js';

export const returnInput = {
  return_reason: returnReasonCode
    .optional()
    .describe('Reason why the parcel comes back: a code from `returnReasons`. Some reasons require a note or a photo.'),
  return_note: z.string().trim().min(1).max(500).optional(),
  return_photo: z.uuid().optional().describe('Id of a file that you uploaded with the purpose `photo`.'),
};
export type ReturnInput = z.infer<z.ZodObject<typeof returnInput>>;

/** The order or scan that the return belongs to. */
export interface ReturnOf {
  readonly business: number;
  /** The uploader of the photo. */
  readonly userId: number;
  readonly orderId: number;
  /** JSON Pointer of the object that has the members. */
  readonly path?: string;
}

/** A return as events store it, and the OTEP incident reason that follows from its reason. */
export interface CheckedReturn {
  readonly members: ReturnMembers;
  readonly incidentReason?: string | undefined;
}

export interface Returns {
  /**
   * Throws UNKNOWN_RETURN_REASON for an unknown or retired code, INVALID_INPUT for a missing member, and FILE_NOT_FOUND
   * for a file that is no unused photo of the user.
   */
  check(input: ReturnInput, of: ReturnOf): Promise<CheckedReturn>;
  /**
   * Keeps the photo of a recorded return as long as the personal data of the order. Of simultaneous orders with one
   * photo, the first one has it.
   */
  keepPhoto(input: ReturnInput, orderId: number): Promise<void>;
}

export interface ReturnsOptions {
  readonly reasons: Pick<ReturnReasonQueries, 'usable'>;
  readonly files: Pick<Files, 'find' | 'use'>;
}

export function createReturns({ reasons, files }: ReturnsOptions): Returns {
  async function expectPhoto(id: string, { business, userId, orderId, path = '' }: ReturnOf): Promise<void> {
    const file = await files.find(id);
    const isOwn = file?.purpose === 'photo' && file.owner === userId && file.business === business;
    // A photo belongs to one order, whose readers may see it.
    const isFree = file?.used_at === null || file?.subject === orderSubject(orderId);
    if (!isOwn || !isFree) throw fieldError('FILE_NOT_FOUND', 'return_photo', {}, `${path}/return_photo`);
  }

  return {
    async check({ return_reason: code, return_note, return_photo }, of) {
      const { path = '' } = of;
      if (code === undefined) {
        if (return_note !== undefined || return_photo !== undefined)
          throw invalidField('REQUIRED', 'return_reason', `${path}/return_reason`);
        return { members: {} };
      }
      const reason = await reasons.usable(of.business, code);
      if (!reason) throw fieldError('UNKNOWN_RETURN_REASON', 'return_reason', { code }, `${path}/return_reason`);
      const { labels, needs_note, needs_photo, incident_reason } = reason;
      if (needs_note && return_note === undefined) throw invalidField('REQUIRED', 'return_note', `${path}/return_note`);
      if (needs_photo && return_photo === undefined)
        throw invalidField('REQUIRED', 'return_photo', `${path}/return_photo`);
      if (return_photo !== undefined) await expectPhoto(return_photo, of);
      return {
        members: { return_reason: { code, labels }, return_note, return_photo },
        incidentReason: incident_reason,
      };
    },
    async keepPhoto({ return_photo }, orderId) {
      if (return_photo === undefined) return;
      const file = await files.find(return_photo);
      if (file?.used_at === null) await files.use(return_photo, orderSubject(orderId));
    },
  };
}
