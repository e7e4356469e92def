/**
 * Shopify Admin REST, `fulfillment_events`: every member is present, ids are safe integers, and statuses are the
 * documented ones (checked against the types of shopify-api-node).
 */
import type Shopify from 'shopify-api-node';
import { z } from 'zod';
import { oldestFirst } from './aftership.js';
import { bySchema } from './validate.js';

const STATUSES = [
  'label_printed',
  'label_purchased',
  'attempted_delivery',
  'ready_for_pickup',
  'picked_up',
  'confirmed',
  'in_transit',
  'out_for_delivery',
  'delivered',
  'failure',
] as const satisfies readonly Shopify.FulfillmentEventStatus[];

const id = z.int().positive();
const seconds = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);

const event = z
  .strictObject({
    id,
    fulfillment_id: id,
    status: z.enum(STATUSES),
    message: z.string().nullable(),
    happened_at: seconds,
    city: z.string().nullable(),
    province: z.string().nullable(),
    country: z.string().nullable(),
    zip: z.string().nullable(),
    address1: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    shop_id: id,
    created_at: seconds,
    updated_at: seconds,
    estimated_delivery_at: seconds.nullable(),
    order_id: id,
    admin_graphql_api_id: z.string(),
  })
  .refine(
    ({ id, admin_graphql_api_id }) => admin_graphql_api_id === `gid://shopify/FulfillmentEvent/${id}`,
    'a gid of another event',
  );

export const validateShopify = bySchema(
  z
    .strictObject({ fulfillment_events: z.array(event) })
    .refine(
      ({ fulfillment_events }) => new Set(fulfillment_events.map(({ id }) => id)).size === fulfillment_events.length,
      'ids are unique',
    )
    .refine(
      ({ fulfillment_events }) => oldestFirst(fulfillment_events.map(({ happened_at }) => happened_at)),
      'events are oldest first',
    ),
);
