/** Riders, offers and searches as the API shows them: no name and no door before the acceptance. */
import { z } from 'zod';
import type { Money } from '../../../events/core/money.js';
import { INSTANT_STATUSES, OFFER_STATES } from '../../../events/riders/status.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { InstantRow } from '../../../projections/riders/instants.js';
import type { OfferRow } from '../../../projections/riders/offers.js';
import { rewardShown } from '../../core/money.js';
import { sizesOf } from '../plans/facts.js';
import type { Pickup } from './pickup.js';
import { versionBy, versionSchema } from '../../core/versions.js';
import { instantStream } from '../../../events/riders/events.js';

const areaShown = z
  .object({
    city: z.string().nullable(),
    postal_prefix: z.string().nullable().describe('The first two characters of the postal code.'),
  })
  .meta({ id: 'OfferArea' });

export const offerShown = z
  .object({
    id: z.string(),
    order_id: z.int(),
    pickup: areaShown,
    distance_m: z.int().describe('To the pick-up, in a straight line, when it was offered.'),
    delivery: areaShown.nullable(),
    package_count: z.int(),
    weight_kg: z.number(),
    reward: rewardShown,
    expires_at: z.string(),
    server_time: z.string().describe('To show how much time is left, whatever the clock of the phone says.'),
  })
  .meta({ id: 'RiderOffer' });

export const instantShown = z
  .object({
    order_id: z.int(),
    status: z.enum(INSTANT_STATUSES),
    round: z.int().describe('From 1: how far is looked, doubled each time.'),
    max_rounds: z.int(),
    created_at: z.string().describe('When it was requested last.'),
    changed_at: z.string(),
    asked_count: z.int().describe('Riders that were asked.'),
    driver_id: z.int().nullable().describe('The rider who accepted.'),
    route_id: z.int().nullable(),
    reward: rewardShown.describe('Told, not paid here; null to customers.'),
    offers: z
      .array(
        z
          .object({
            id: z.string(),
            driver_id: z.int(),
            distance_m: z.int(),
            created_at: z.string(),
            expires_at: z.string(),
            status: z.enum(OFFER_STATES).describe('`taken`: another rider was first. `time`: it expired.'),
          })
          .meta({ id: 'InstantDeliveryOffer' }),
      )
      .nullable()
      .describe('Of the last request; null to customers.'),
    version: versionSchema,
  })
  .meta({ id: 'InstantDelivery' });

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
): z.infer<typeof offerShown> {
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

/** `offers` undefined: for a customer. */
export const toInstant = (
  { id, status, round, request, requested_at, changed_at, offers: asked, rider_id, route_id, revision }: InstantRow,
  offers: readonly OfferRow[] | undefined,
): z.infer<typeof instantShown> => ({
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
