/**
 * Magento 2 REST order and shipment, as far as this service writes them: the states with their own statuses, SQL times,
 * 32-bit order ids.
 */
import { z } from 'zod';
import { bySchema } from './validate.js';

const STATUSES: Readonly<Record<string, readonly string[]>> = {
  new: ['pending'],
  pending_payment: ['pending_payment'],
  processing: ['processing', 'fraud'],
  complete: ['complete'],
  closed: ['closed'],
  canceled: ['canceled'],
  holded: ['holded'],
  payment_review: ['payment_review', 'fraud'],
};

const time = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const otep_status = z.string().startsWith('otep:parcel:');
const extension_attributes = z.strictObject({ otep_status });
const filled = z.string().min(1);

/** OrderAddressInterface. */
const address = z.strictObject({
  address_type: z.literal('shipping'),
  firstname: filled.optional(),
  lastname: filled.optional(),
  company: filled.optional(),
  street: z.array(filled).min(1).optional(),
  city: filled.optional(),
  region: filled.optional(),
  postcode: filled.optional(),
  country_id: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  telephone: filled.optional(),
  email: filled.optional(),
});
const shipping_assignments = z
  .array(z.strictObject({ shipping: z.strictObject({ address }), items: z.array(z.never()) }))
  .length(1);

const order = z
  .strictObject({
    state: z.string(),
    status: z.string(),
    increment_id: filled.optional(),
    ext_order_id: filled.optional(),
    created_at: time.optional(),
    updated_at: time.optional(),
    customer_email: filled.optional(),
    customer_note: filled.optional(),
    weight: z.number().min(0).optional(),
    extension_attributes: z
      .strictObject({ otep_status: otep_status.optional(), shipping_assignments: shipping_assignments.optional() })
      .optional(),
  })
  .refine(({ state, status }) => STATUSES[state]?.includes(status), 'a status of another state');

const shipment = z.strictObject({
  created_at: time,
  total_weight: z.number().min(0).optional(),
  items: z.array(z.never()),
  tracks: z
    .array(
      z.strictObject({
        created_at: time,
        track_number: z.string().min(1),
        title: z.string().min(1),
        carrier_code: z.enum(['custom', 'ups', 'usps', 'fedex', 'dhl']),
        weight: z.number().min(0).optional(),
        description: filled.optional(),
      }),
    )
    .length(1),
  comments: z
    .array(
      z.strictObject({
        is_customer_notified: z.union([z.literal(0), z.literal(1)]),
        comment: z.string().min(1),
        is_visible_on_front: z.union([z.literal(0), z.literal(1)]),
        created_at: time,
        extension_attributes,
      }),
    )
    .refine(
      (comments) =>
        comments.every(({ created_at }, index) => index === 0 || comments[index - 1]!.created_at <= created_at),
      'comments are oldest first',
    ),
  extension_attributes: extension_attributes.optional(),
});

export const validateMagento = bySchema(z.strictObject({ order, shipments: z.array(shipment).max(1) }));
