/**
 * Events of an order's third party: offers to providers, the provider that has the order, and its missed deadlines.
 * Stream `order-<id>`. An offer has one round: the first provider that accepts gets the order.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { amountSchema, currencySchema } from '../core/money.js';
import type { TimerChange } from '../core/timers.js';

/** Timers of an order's stream. An order has at most one open offer and one third party. */
export const OFFER_TIMER = 'third_party_offer';
const PICKUP_TIMER = 'third_party_pickup';
const DELIVERY_TIMER = 'third_party_delivery';

/** The deadlines of a third party that has an order. */
export const SLA_DEADLINES = ['pickup', 'delivery'] as const;
export type SlaDeadline = (typeof SLA_DEADLINES)[number];
export const SLA_TIMERS: Readonly<Record<SlaDeadline, string>> = { pickup: PICKUP_TIMER, delivery: DELIVERY_TIMER };

/** `declined`: all providers declined. `taken`: a provider accepted. */
export const OFFER_ENDS = ['expired', 'withdrawn', 'taken', 'declined'] as const;
export type OfferEnd = (typeof OFFER_ENDS)[number];

const text = z.string();
/** User id; absent if the service or a provider acts. */
const userId = z.int().optional();
/** RFC 3339, UTC. */
const deadlines = { pickup_by: text.optional(), deliver_by: text.optional() };
const setTimer = (name: string, at: string | undefined): TimerChange[] =>
  at === undefined ? [] : [{ set: { name, at } }];

export const ThirdPartyOffered = eventType(
  'ThirdPartyOffered',
  z.object({
    offer_id: text,
    /** Number of the round, from 1. */
    round: z.int(),
    /** Provider ids. */
    providers: z.array(text),
    /** RFC 3339, UTC. */
    respond_by: text,
    ...deadlines,
    fee: amountSchema.optional(),
    currency: currencySchema.optional(),
    /** `first_accept`: the first provider that accepts gets the order. */
    mode: z.enum(['first_accept']),
    /** Additional rounds. */
    next_rounds: z.array(z.object({ providers: z.array(text), respond_within_s: z.int() })),
    offered_by: userId,
  }),
  { timers: ({ respond_by }) => ({ set: { name: OFFER_TIMER, at: respond_by } }) },
);

export const ThirdPartyDeclined = eventType(
  'ThirdPartyDeclined',
  z.object({ offer_id: text, provider: text, reason: personal(text) }),
);

export const ThirdPartyOfferEnded = eventType(
  'ThirdPartyOfferEnded',
  z.object({ offer_id: text, why: z.enum(OFFER_ENDS), ended_by: userId }),
  { timers: () => ({ clear: OFFER_TIMER }) },
);

/**
 * `provider`: provider id of the carrier, which may then write to the packages' timelines. `given_by`: the user who gave
 * the order or made the offer. `reference`, `eta_at`: as the provider stated them.
 */
export const ThirdPartyTookOrder = eventType(
  'ThirdPartyTookOrder',
  z.object({
    provider: text,
    given_by: userId,
    offer_id: text.optional(),
    ...deadlines,
    reference: text.optional(),
    eta_at: text.optional(),
  }),
  {
    version: 2,
    upcast: { 1: (data) => data },
    timers: ({ pickup_by, deliver_by }) => [
      ...setTimer(PICKUP_TIMER, pickup_by),
      ...setTimer(DELIVERY_TIMER, deliver_by),
    ],
  },
);

/** `taken_back`: by the business. `released`: by the provider. `sla`: because of a missed deadline. */
export const ThirdPartyReturnedOrder = eventType(
  'ThirdPartyReturnedOrder',
  z.object({
    provider: text,
    taken_by: userId,
    why: z.enum(['taken_back', 'released', 'sla']).optional(),
    reason: personal(text),
  }),
  { version: 2, upcast: { 1: (data) => data }, timers: () => [{ clear: PICKUP_TIMER }, { clear: DELIVERY_TIMER }] },
);

/** `due_at`: the missed deadline, RFC 3339. */
export const ThirdPartySlaMissed = eventType(
  'ThirdPartySlaMissed',
  z.object({ which: z.enum(SLA_DEADLINES), provider: text, offer_id: text.optional(), due_at: text }),
  { timers: ({ which }) => ({ clear: SLA_TIMERS[which] }) },
);

export const THIRD_PARTY_EVENTS = [
  ThirdPartyOffered,
  ThirdPartyDeclined,
  ThirdPartyOfferEnded,
  ThirdPartyTookOrder,
  ThirdPartyReturnedOrder,
  ThirdPartySlaMissed,
] as const;
