/** Why the parcels of an order come back, in responses. */
import { z } from 'zod';
import type { ReturnMembers } from '../../../events/orders/events.js';

export const returnDetailsSchema = z
  .object({
    return_reason: z.string().describe('Code of the return reason.'),
    labels: z.record(z.string(), z.string()).describe('Texts of the reason when it was recorded, by language.'),
    return_note: z.string().nullable(),
    return_photo: z.string().nullable().describe('Id of a file.'),
  })
  .meta({ id: 'OrderReturn' });

/** Null: the order has no return reason. */
export const returnDetailsOf = ({
  return_reason,
  return_note,
  return_photo,
}: ReturnMembers): z.infer<typeof returnDetailsSchema> | null =>
  return_reason
    ? {
        return_reason: return_reason.code,
        labels: return_reason.labels as Record<string, string>,
        return_note: return_note ?? null,
        return_photo: return_photo ?? null,
      }
    : null;
