/** Terms of a customer account: its rate cards, and the families whose prices the business hides from it. */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { FAMILIES } from '../pricing/families.js';

export const CUSTOMER_TERMS_PREFIX = 'customerterms-';
export const customerTermsStream = (accountId: number): string => `${CUSTOMER_TERMS_PREFIX}${accountId}`;

const subject = { customer_id: z.int(), business: z.int(), family: z.enum(FAMILIES) };

/** Without `rate_card_id`: the default card of the business applies. */
export const CustomerCardSet = eventType(
  'CustomerCardSet',
  z.object({
    ...subject,
    rate_card_id: z.int().optional(),
    /** Decimal number, negative for a discount; absent: 0. */
    markup_percent: z.string().optional(),
  }),
);
export const PriceVisibilitySet = eventType('PriceVisibilitySet', z.object({ ...subject, hidden: z.boolean() }));

export const CUSTOMER_TERMS_EVENTS = [CustomerCardSet, PriceVisibilitySet] as const;
