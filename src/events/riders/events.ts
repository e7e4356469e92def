/**
 * How an order finds a rider. Stream `instant-<order id>`. A request offers it to one rider after the other, the nearest
 * first; the first append of an acceptance wins. An order can be requested again once a request has ended.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { moneySchema } from '../core/money.js';

export const INSTANT_PREFIX = 'instant-';
export const instantStream = (orderId: number): string => `${INSTANT_PREFIX}${orderId}`;

/** A round that found nobody is over. */
export const ROUND_TIMER = 'round';
export const offerTimer = (offerId: string): string => `offer-${offerId}`;

export const requestSchema = z.object({
  /** Only riders of these; absent: all of the business. */
  fleet_ids: z.array(z.int()).optional(),
  /** Seconds that a rider has to answer, and that a round without riders lasts. */
  offer_s: z.int(),
  max_rounds: z.int(),
  /** Of the first round, in metres; each round doubles it. */
  radius_m: z.int(),
  /** Riders that are asked at the same time. */
  parallel: z.int(),
  /** Of who delivers it. Told, not paid here. */
  reward: moneySchema.optional(),
});
export type InstantRequest = z.infer<typeof requestSchema>;

const offer = { offer_id: z.string(), rider_id: z.int() };
const cleared = ({ offer_id }: { readonly offer_id: string }) => ({ clear: offerTimer(offer_id) });
const calm = () => ({ clear: ROUND_TIMER });

export const InstantRequested = eventType(
  'InstantRequested',
  z.object({
    order_id: z.int(),
    business: z.int(),
    ...requestSchema.shape,
    /** Until then the first round waits for riders. RFC 3339. */
    until: z.string(),
    requested_by: z.int().optional(),
  }),
  { timers: ({ until }) => ({ set: { name: ROUND_TIMER, at: until } }) },
);
/** The one before found nobody any more. */
export const InstantRoundBegan = eventType(
  'InstantRoundBegan',
  z.object({ order_id: z.int(), round: z.int(), until: z.string() }),
  { timers: ({ until }) => ({ set: { name: ROUND_TIMER, at: until } }) },
);
export const RiderOfferMade = eventType(
  'RiderOfferMade',
  z.object({
    ...offer,
    order_id: z.int(),
    business: z.int(),
    /** To the pick-up. */
    distance_m: z.int(),
    expires_at: z.string(),
  }),
  { timers: ({ offer_id, expires_at }) => [calm(), { set: { name: offerTimer(offer_id), at: expires_at } }] },
);
/** Of the rider, or because the rider went off duty. */
export const RiderOfferDeclined = eventType('RiderOfferDeclined', z.object(offer), { timers: cleared });
export const LAPSED_WHY = ['time', 'taken', 'cancelled'] as const;
/** `time`: nobody answered. `taken`: another rider was first. `cancelled`: the order is not to be had any more. */
export const RiderOfferLapsed = eventType('RiderOfferLapsed', z.object({ ...offer, why: z.enum(LAPSED_WHY) }), {
  timers: cleared,
});
export const RiderOfferAccepted = eventType('RiderOfferAccepted', z.object({ ...offer, route_id: z.int() }), {
  timers: (data) => [calm(), cleared(data)],
});
/** The order is on the rider's route. */
export const InstantAssigned = eventType(
  'InstantAssigned',
  z.object({ order_id: z.int(), rider_id: z.int(), route_id: z.int() }),
);
export const InstantExhausted = eventType('InstantExhausted', z.object({ order_id: z.int(), offers: z.int() }), {
  timers: calm,
});
export const CANCELLED_WHY = ['asked', 'order_gone'] as const;
/** `order_gone`: it was held, cancelled or given away meanwhile. */
export const InstantCancelled = eventType(
  'InstantCancelled',
  z.object({ order_id: z.int(), why: z.enum(CANCELLED_WHY), by: z.int().optional() }),
  { timers: calm },
);

export const INSTANT_EVENTS = [
  InstantRequested,
  InstantRoundBegan,
  RiderOfferMade,
  RiderOfferDeclined,
  RiderOfferLapsed,
  RiderOfferAccepted,
  InstantAssigned,
  InstantExhausted,
  InstantCancelled,
] as const;
