/**
 * AfterShip 2026-07, `Tracking` and `Checkpoint`: members, types, nulls and sub-statuses of its OpenAPI document, and
 * tags of the vendor's SDK.
 */
import { Tag } from '@aftership/tracking-sdk/dist/model/Tag.js';
import { z } from 'zod';
import { bySchema } from './validate.js';

const SUBTAGS = [
  ...numbered('Delivered', 1, 5),
  ...numbered('AvailableForPickup', 1, 1),
  ...numbered('Exception', 1, 13),
  ...numbered('Exception', 16, 21),
  ...numbered('AttemptFail', 1, 3),
  ...numbered('InTransit', 1, 9),
  ...numbered('InfoReceived', 1, 1),
  ...numbered('OutForDelivery', 1, 1),
  ...numbered('OutForDelivery', 3, 4),
  ...numbered('Pending', 1, 1),
  ...numbered('Expired', 1, 1),
];

const filled = z.string().min(1);
const seconds = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
const utcSeconds = seconds.endsWith('+00:00');
const slug = z.string().regex(/^[a-z0-9-]+$/);

const statusMembers = { tag: z.enum(Tag), subtag: z.enum(SUBTAGS), subtag_message: filled };
const agrees = ({ tag, subtag }: { tag: string; subtag: string }) => subtag.startsWith(`${tag}_`);

const checkpoint = z
  .strictObject({
    created_at: utcSeconds.optional(),
    slug: slug.optional(),
    checkpoint_time: seconds,
    location: filled.nullable(),
    city: filled.nullable(),
    state: filled.nullable(),
    postal_code: filled.nullable(),
    coordinate: z
      .strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
      .nullable(),
    country_region: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .nullable(),
    country_region_name: filled.nullable(),
    message: filled,
    ...statusMembers,
    raw_tag: filled.nullable(),
    events: z.array(z.strictObject({ code: filled, reason: z.strictObject({ code: filled }).nullable() })),
    source: z.enum(['carrier', 'user']),
    hash: z.string().regex(/^[0-9a-f]{32,40}$/),
  })
  .refine(agrees, 'a sub-status of another tag');

const estimate = z.union([
  z.strictObject({
    type: z.literal('specific'),
    datetime: z.union([z.iso.date(), seconds]),
    datetime_min: z.null(),
    datetime_max: z.null(),
  }),
  z.strictObject({ type: z.literal('range'), datetime: z.null(), datetime_min: seconds, datetime_max: seconds }),
]);

const tracking = z
  .strictObject({
    id: z.string().regex(/^[0-9a-zA-Z-_]{1,128}$/),
    created_at: utcSeconds.optional(),
    updated_at: utcSeconds.optional(),
    tracking_number: filled,
    slug: slug.optional(),
    active: z.boolean(),
    custom_fields: z.record(z.string(), z.string()).nullable(),
    order_id: z.string().nullable(),
    shipment_pickup_date: seconds.nullable(),
    shipment_delivery_date: seconds.nullable(),
    ...statusMembers,
    title: z.string(),
    checkpoints: z.array(checkpoint),
    return_to_sender: z.boolean(),
    first_attempted_at: seconds.nullable(),
    failed_delivery_attempts: z.int().min(0).nullable(),
    custom_estimated_delivery_date: estimate.optional(),
    proof_of_delivery: z.array(z.strictObject({ type: filled, url: z.url() })).nullable(),
  })
  .refine(agrees, 'a sub-status of another tag')
  .refine(
    ({ checkpoints, return_to_sender }) =>
      return_to_sender === checkpoints.some(({ subtag }) => ['Exception_010', 'Exception_011'].includes(subtag)),
    'return_to_sender follows from the checkpoints',
  )
  .refine(
    ({ checkpoints }) => oldestFirst(checkpoints.map(({ checkpoint_time }) => checkpoint_time)),
    'checkpoints are oldest first',
  );

export const validateAftership = bySchema(tracking);

function numbered(tag: string, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${tag}_${String(from + index).padStart(3, '0')}`);
}

export function oldestFirst(times: readonly string[]): boolean {
  return times.every((time, index) => index === 0 || Date.parse(times[index - 1]!) <= Date.parse(time));
}
