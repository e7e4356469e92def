/** The carrier in requests for timelines, and the carriers in their responses. */
import { z } from 'zod';
import type { CarrierMatch } from '../../../events/otep/model.js';

export const carrier = z
  .string()
  .max(64)
  .optional()
  .meta({
    description:
      'Carrier of the parcel, if several parcels have the number. Valid values are in `carrier` and `alternatives` of an earlier response of this operation.',
  });

/** The carrier of the tracking, and the other carriers with the same number. */
export const carrierFields = {
  carrier: z.string().describe('Carrier of the tracking: a provider, or the code of the business that owns the order.'),
  alternatives: z.array(z.string()).optional().describe('Other carriers that have a parcel with this number.'),
  carriers: z
    .array(z.string())
    .optional()
    .describe('Carriers whose events the timeline merges, if they share the number.'),
};
export const carrierFieldsOf = ({ carrier, alternatives, carriers }: CarrierMatch) => ({
  carrier,
  ...(alternatives.length > 0 && { alternatives: [...alternatives] }),
  ...(carriers && { carriers: [...carriers] }),
});
