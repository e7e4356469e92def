/** Events of a business: a client of the platform. Stream `business-<id>`. */
import { z } from 'zod';
import { withFormat } from '../core/format.js';
import { eventType } from '../core/event-types.js';
import { PROVIDERS } from '../wallet/card-payments.js';

export const BUSINESS_PREFIX = 'business-';
export const businessStream = (id: number): string => `${BUSINESS_PREFIX}${id}`;

/** Modules that the platform enables for each business separately. */
export const MODULES = ['contractor_assignment'] as const;
export type Module = (typeof MODULES)[number];

/**
 * Lower-case letters, digits and hyphens. Users name the business with it when they register. It is not a credential.
 */
export const businessCodeSchema = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/);
export const timezoneSchema = withFormat(
  z
    .string()
    .max(64)
    .refine((name) => isTimezone(name)),
  'IANA time zone, such as Europe/Berlin',
);

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export const BusinessRegistered = eventType(
  'BusinessRegistered',
  z.object({
    business_id: z.int(),
    code: z.string(),
    name: z.string(),
    /** IANA name: time zone for the days and times of the business. */
    timezone: z.string(),
  }),
);

export const ModuleSwitched = eventType('ModuleSwitched', z.object({ module: z.string(), on: z.boolean() }));

/**
 * Who may approve a proposal: any user with the permission, a user other than the proposer, or another user with an
 * interactive sign-in.
 */
export const REVIEWS = ['anybody', 'another_person', 'another_person_signed_in'] as const;
export type Review = (typeof REVIEWS)[number];

export const ReviewRuleSet = eventType('ReviewRuleSet', z.object({ review: z.enum(REVIEWS) }));

/** Whether order references must be unique. */
export const OrderRefRuleSet = eventType('OrderRefRuleSet', z.object({ unique: z.boolean() }));

/** Sender address on labels: an address of the company, not of a person. */
export const senderSchema = z.object({
  company: z.string(),
  street: z.string(),
  street_2: z.string().optional(),
  postal_code: z.string().optional(),
  city: z.string(),
  region: z.string().optional(),
  country: z.string(),
  phone: z.string().optional(),
});
export type SenderAddress = z.infer<typeof senderSchema>;
/** Null: the sender was removed. */
export const SenderSet = eventType('SenderSet', z.object({ sender: senderSchema.nullable() }));

/** Details of the company for bills and bank transfers. They name no person. */
export const billingSchema = z.object({
  /** ISO 4217: currency of new bills and wallets. */
  currency: z.string(),
  legal_name: z.string(),
  address: senderSchema.omit({ company: true, phone: true }),
  tax_ids: z.array(z.string()),
  bank_details: z
    .object({
      account_holder: z.string(),
      iban: z.string().optional(),
      bic: z.string().optional(),
      account_number: z.string().optional(),
      bank_code: z.string().optional(),
      bank_name: z.string().optional(),
    })
    .nullable(),
});
export type Billing = z.infer<typeof billingSchema>;
export const BusinessBillingSet = eventType('BusinessBillingSet', billingSchema.extend({ set_by: z.int() }));

/**
 * The account of the business at its payment provider. The keys are credentials: events contain only their ids.
 * `account_token`: the part of the address to which the provider sends messages.
 */
export const paymentSettingsSchema = z.object({
  provider: z.enum(PROVIDERS),
  key_credential_id: z.uuid(),
  webhook_credential_id: z.uuid(),
  account_token: z.string(),
  publishable_key: z.string().nullable(),
});
export type PaymentSettings = z.infer<typeof paymentSettingsSchema>;
/** Null: the business uses the account of the operator, if there is one. */
export const PaymentSettingsSet = eventType(
  'PaymentSettingsSet',
  z.object({ settings: paymentSettingsSchema.nullable(), set_by: z.int() }),
);

export const BUSINESS_EVENTS = [
  BusinessRegistered,
  ModuleSwitched,
  ReviewRuleSet,
  OrderRefRuleSet,
  SenderSet,
  BusinessBillingSet,
  PaymentSettingsSet,
] as const;
