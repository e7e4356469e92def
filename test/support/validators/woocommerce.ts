/** WooCommerce wc/v3 order, as far as this service writes it, with the meta data of the Shipment Tracking extension. */
import { z } from 'zod';
import { bySchema } from './validate.js';

const naive = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);

const trackingItem = z.strictObject({
  tracking_provider: z.string(),
  custom_tracking_provider: z.string(),
  custom_tracking_link: z.union([z.literal(''), z.url()]),
  tracking_number: z.string().min(1),
  date_shipped: z.int().min(946_684_800).max(4_102_444_800),
  tracking_id: z.string().regex(/^[0-9a-f]{32}$/),
});

export const validateWoocommerce = bySchema(
  z
    .strictObject({
      number: z.string().optional(),
      status: z.enum(['pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed', 'trash']),
      date_completed: naive.nullable(),
      date_completed_gmt: naive.nullable(),
      meta_data: z.array(
        z.discriminatedUnion('key', [
          z.strictObject({ key: z.literal('_wc_shipment_tracking_items'), value: z.array(trackingItem).min(1) }),
          z.strictObject({ key: z.literal('otep_tracking_number'), value: z.string().min(1) }),
          z.strictObject({ key: z.literal('otep_alternatives'), value: z.string().min(1) }),
          z.strictObject({
            key: z.literal('otep_proof_of_delivery'),
            value: z.array(z.strictObject({ type: z.enum(['photo', 'signature', 'pin']), url: z.url() })).min(1),
          }),
          z.strictObject({ key: z.literal('otep_status'), value: z.string().startsWith('otep:parcel:') }),
        ]),
      ),
    })
    .refine(
      ({ status, date_completed }) => (status === 'completed') === (date_completed !== null),
      'a completed order has a completion date, another has none',
    )
    .refine(
      (order) => (order.date_completed === null) === (order.date_completed_gmt === null),
      'both completion dates or none',
    ),
);
