/** Events of rate cards, and of the default cards of a business. They contain no personal data. */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { cardSchema } from './card.js';
import { FAMILIES } from './families.js';

export const RATE_CARD_PREFIX = 'ratecard-';
export const rateCardStream = (id: number): string => `${RATE_CARD_PREFIX}${id}`;
export const PRICING_PREFIX = 'pricing-';
/** Stream of the default cards of a business. */
export const pricingStream = (business: number): string => `${PRICING_PREFIX}${business}`;

export const RateCardCreated = eventType(
  'RateCardCreated',
  z.object({
    rate_card_id: z.int(),
    business: z.int(),
    family: z.enum(FAMILIES),
    name: z.string(),
    /** ISO 4217. All amounts of the card are in it. */
    currency: z.string(),
  }),
);
/** A version never changes. A correction is a new version. */
export const RateCardVersionPublished = eventType(
  'RateCardVersionPublished',
  z.object({
    /** From 1, without gaps. */
    version: z.int(),
    /** RFC 3339, UTC. Of the versions that are valid at an instant, the one with the highest number is in force. */
    valid_from: z.string(),
    card: cardSchema,
    /** SHA-256 of the canonical JSON of the card, hexadecimal. */
    digest: z.string(),
  }),
);
/** No new price is calculated with the card. Quotes remain valid. */
export const RateCardRetired = eventType('RateCardRetired', z.object({}));

export const RATE_CARD_EVENTS = [RateCardCreated, RateCardVersionPublished, RateCardRetired] as const;

/** The card for customers without their own card. Without `rate_card_id`: there is none. */
export const DefaultCardSet = eventType(
  'DefaultCardSet',
  z.object({ business: z.int(), family: z.enum(FAMILIES), rate_card_id: z.int().optional() }),
);
export const PRICING_EVENTS = [DefaultCardSet] as const;
