/**
 * BigCommerce v2 order and shipment, as far as this service writes them: status ids with their fixed names, RFC 2822
 * dates or the empty string.
 */
import { z } from 'zod';
import { bySchema } from './validate.js';

const STATUSES = [
  'Incomplete',
  'Pending',
  'Shipped',
  'Partially Shipped',
  'Refunded',
  'Cancelled',
  'Declined',
  'Awaiting Payment',
  'Awaiting Pickup',
  'Awaiting Shipment',
  'Completed',
  'Awaiting Fulfillment',
  'Manual Verification Required',
  'Disputed',
  'Partially Refunded',
];
const PROVIDERS = [
  'auspost',
  'canadapost',
  'endicia',
  'usps',
  'fedex',
  'ups',
  'upsready',
  'upsonline',
  'shipperhq',
  'royalmail',
  '',
];

const rfc2822 = z
  .string()
  .regex(
    /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d \+0000$/,
  );

const order = z
  .strictObject({
    status_id: z.int(),
    status: z.string(),
    date_shipped: z.union([z.literal(''), rfc2822]),
    external_id: z.string().optional(),
  })
  .refine(({ status_id, status }) => STATUSES[status_id] === status, 'the name of another status');

const shipment = z.strictObject({
  date_created: rfc2822,
  tracking_number: z.string().max(50),
  comments: z.string().max(65_535),
  shipping_provider: z.enum(PROVIDERS),
  tracking_carrier: z.string().regex(/^[a-z0-9-]*$/),
  shipping_provider_display_name: z.string(),
  tracking_link: z.union([z.literal(''), z.url().max(500)]),
});

export const validateBigcommerce = bySchema(
  z
    .strictObject({ order, shipments: z.array(shipment).max(1) })
    .refine(
      ({ order, shipments }) => (order.date_shipped === '') === (shipments.length === 0),
      'a shipment is there when the order was shipped',
    ),
);
