/**
 * The search for a rider who takes an order. Stream `instant-<order id>`. A request offers the order to riders, the nearest
 * first. The first appended acceptance wins. After a request has ended, the order can be requested again.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { moneySchema } from '../core/money.js';

export const INSTANT_PREFIX = 'instant-';
export const instantStream = (orderId: number): string => `${INSTANT_PREFIX}${orderId}`;

/** Timer for the end of a round without available riders. */
export const ROUND_TIMER = 'round';
export const offerTimer = (offerId: string): string => `offer-${offerId}`;

export const requestSchema = z.object({
  /** Only riders of these fleets; absent: all riders of the business. */
  fleet_ids: z.array(z.int()).optional(),
  /** Seconds that a rider has to respond, and duration of a round without riders. */
  offer_s: z.int(),
  max_rounds: z.int(),
  /** Search radius of the first round, in metres; each additional round doubles it. */
  radius_m: z.int(),
  /** Number of riders with a concurrent offer. */
  parallel: z.int(),
  /** Reward for the rider. It is displayed only; the service does not pay it. */
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
    /** End of the first round if no rider is available. RFC 3339. */
    until: z.string(),
    requested_by: z.int().optional(),
  }),
  { timers: ({ until }) => ({ set: { name: ROUND_TIMER, at: until } }) },
);
/** The previous round found no other rider. */
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
    /** Distance to the pickup, in metres. */
    distance_m: z.int(),
    expires_at: z.string(),
  }),
  { timers: ({ offer_id, expires_at }) => [calm(), { set: { name: offerTimer(offer_id), at: expires_at } }] },
);
/** The rider declined, or went off duty. */
export const RiderOfferDeclined = eventType('RiderOfferDeclined', z.object(offer), { timers: cleared });
export const LAPSED_WHY = ['time', 'taken', 'cancelled'] as const;
/**
 * `time`: the rider did not respond. `taken`: another rider accepted first. `cancelled`: the order is no longer
 * available.
 */
export const RiderOfferLapsed = eventType('RiderOfferLapsed', z.object({ ...offer, why: z.enum(LAPSED_WHY) }), {
  timers: cleared,
});
export const RiderOfferAccepted = eventType('RiderOfferAccepted', z.object({ ...offer, route_id: z.int() }), {
  timers: (data) => [calm(), cleared(data)],
});
/** The order was put on the rider's route. */
export const InstantAssigned = eventType(
  'InstantAssigned',
  z.object({ order_id: z.int(), rider_id: z.int(), route_id: z.int() }),
);
export const InstantExhausted = eventType('InstantExhausted', z.object({ order_id: z.int(), offers: z.int() }), {
  timers: calm,
});
export const CANCELLED_WHY = ['asked', 'order_gone'] as const;
/** `order_gone`: the order was held, cancelled or assigned in the meantime. */
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
