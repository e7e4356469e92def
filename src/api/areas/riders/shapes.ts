/** Riders, offers and searches in responses. Offers contain no names and no exact addresses. */
import { z } from 'zod';
import type { Money } from '../../../events/core/money.js';
import { INSTANT_STATUSES, OFFER_STATES } from '../../../events/riders/status.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { InstantRow } from '../../../projections/riders/instants.js';
import type { OfferRow } from '../../../projections/riders/offers.js';
import { rewardShown } from '../../core/money.js';
import { sizesOf } from '../plans/planning-data.js';
import type { Pickup } from './pickup.js';
import { RELATIONS } from '../../core/relations.js';
import { versionBy, versionSchema } from '../../core/versions.js';
import { instantStream } from '../../../events/riders/events.js';

const areaSchema = z
  .object({
    city: z.string().nullable(),
    postal_prefix: z.string().nullable().describe('First two characters of the postal code.'),
  })
  .meta({ id: 'OfferArea' });

export const offerSchema = z
  .object({
    id: z.string(),
    order_id: z.int(),
    pickup: areaSchema,
    distance_m: z
      .int()
      .describe('Straight-line distance in metres from the rider to the pick-up when the offer was made.'),
    delivery: areaSchema.nullable(),
    package_count: z.int(),
    weight_kg: z.number(),
    reward: rewardShown,
    expires_at: z.string(),
    server_time: z
      .string()
      .describe(
        'Current time of the service. Clients compute the remaining time of an offer from it, because the clock of the phone can be wrong.',
      ),
  })
  .meta({ id: 'RiderOffer' });

export const instantSchema = z
  .object({
    order_id: z.int(),
    status: z.enum(INSTANT_STATUSES),
    round: z.int().describe('Number of the round, from 1. Each round doubles the search radius.'),
    max_rounds: z.int(),
    created_at: z.string().describe('Time of the latest request.'),
    changed_at: z.string(),
    asked_count: z.int().describe('Number of riders who got an offer.'),
    driver_id: z.int().nullable().describe('Id of the rider who accepted. Null for customers.'),
    route_id: z.int().nullable(),
    reward: rewardShown.describe('Reward that riders see; the service does not pay it. Null for customers.'),
    offers: z
      .array(
        z
          .object({
            id: z.string(),
            driver_id: z.int(),
            distance_m: z.int(),
            created_at: z.string(),
            expires_at: z.string(),
            status: z.enum(OFFER_STATES).describe('`taken`: another rider accepted first. `time`: the offer expired.'),
          })
          .meta({ id: 'InstantDeliveryOffer' }),
      )
      .nullable()
      .describe('Offers of the latest request. Null for customers.'),
    version: versionSchema,
  })
  .meta({ id: 'InstantDelivery' })
  .register(RELATIONS, { order: 'order', driver: 'driver', route: 'route' });

/** Offers and rounds of the search raise it, too. */
export const INSTANT_VERSION = versionBy('order_id', instantStream);

const areaOf = (stop: { readonly city?: string | undefined; readonly postal_code?: string | undefined }) => ({
  city: stop.city ?? null,
  postal_prefix: stop.postal_code?.slice(0, 2) ?? null,
});

export function toOffer(
  { id, order_id, distance_m, expires_at }: OfferRow,
  {
    order,
    pickup,
    reward,
    now,
  }: { readonly order: Order; readonly pickup: Pickup; readonly reward: Money | undefined; readonly now: number },
): z.infer<typeof offerSchema> {
  const { packages, weight } = sizesOf(order);
  return {
    id,
    order_id,
    pickup: areaOf(pickup),
    distance_m,
    delivery: order.delivery ? areaOf(order.delivery) : null,
    package_count: packages,
    weight_kg: weight / 1_000,
    reward: reward ?? null,
    expires_at,
    server_time: new Date(now).toISOString(),
  };
}

/** `offers`: undefined for customers. */
export const toInstant = (
  { id, status, round, request, requested_at, changed_at, offers: asked, rider_id, route_id, revision }: InstantRow,
  offers: readonly OfferRow[] | undefined,
): z.infer<typeof instantSchema> => ({
  order_id: id,
  status,
  round,
  max_rounds: request.max_rounds,
  created_at: requested_at,
  changed_at,
  asked_count: asked,
  driver_id: offers ? rider_id : null,
  route_id: offers ? route_id : null,
  reward: (offers && request.reward) ?? null,
  offers:
    offers?.map(({ id, rider_id: driver_id, distance_m, made_at: created_at, expires_at, state: status }) => ({
      id,
      driver_id,
      distance_m,
      created_at,
      expires_at,
      status,
    })) ?? null,
  version: revision,
});
