/**
 * Terms of a customer account: rate cards, payment, services, and hidden prices by order family, and tags. They contain
 * no personal data.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { FAMILIES } from '../pricing/families.js';
import { codeSchema } from '../pricing/values.js';

export const CUSTOMER_TERMS_PREFIX = 'customerterms-';
export const customerTermsStream = (accountId: number): string => `${CUSTOMER_TERMS_PREFIX}${accountId}`;

/**
 * `wallet_on_create`: the wallet pays when an order is created. `pay_later`: the customer pays each order until a later
 * time. `on_account`: the customer pays by invoice.
 */
export const PAYMENT_TERMS = ['wallet_on_create', 'pay_later', 'on_account'] as const;
export type PaymentTerms = (typeof PAYMENT_TERMS)[number];
export const DEFAULT_PAYMENT_TERMS: PaymentTerms = 'pay_later';

const customer = { customer_id: z.int(), business: z.int() };
const subject = { ...customer, family: z.enum(FAMILIES) };

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
export const PaymentTermsSet = eventType('PaymentTermsSet', z.object({ ...subject, terms: z.enum(PAYMENT_TERMS) }));
/** Without `service_codes`: the customer may order all services. */
export const ServicesRestricted = eventType(
  'ServicesRestricted',
  z.object({ ...subject, service_codes: z.array(codeSchema).optional() }),
);
/** All tags of the customer, sorted. */
export const CustomerTagSet = eventType('CustomerTagSet', z.object({ ...customer, tags: z.array(z.string()) }));

export const CUSTOMER_TERMS_EVENTS = [
  CustomerCardSet,
  PriceVisibilitySet,
  PaymentTermsSet,
  ServicesRestricted,
  CustomerTagSet,
] as const;
