/** Terms of customers in requests and responses. */
import { z } from 'zod';
import { withFormat } from '../../../events/core/format.js';
import { DEFAULT_PAYMENT_TERMS, PAYMENT_TERMS } from '../../../events/customer-terms/events.js';
import { FAMILIES } from '../../../events/pricing/families.js';
import { codeSchema } from '../../../events/pricing/values.js';
import { NO_TERMS, type CustomerTermsRow } from '../../../projections/customer-terms/read-model.js';
import { idSchema } from '../../core/ids.js';
import { settingsVersionSchema } from '../../core/versions.js';

const MAX_TAGS = 20;
const MAX_TAG_LENGTH = 40;
/** As many as a request for prices may name. */
const MAX_SERVICES = 50;

const percent = withFormat(
  z
    .string()
    .regex(/^-?(0|[1-9]\d{0,2})(\.\d{1,4})?$/)
    .refine((text) => Number(text) >= -50 && Number(text) <= 200),
  'decimal number from -50 to 200, such as -7.5',
);

export const tagSchema = z.string().trim().min(1).max(MAX_TAG_LENGTH);
export const tagsInput = z
  .array(tagSchema)
  .max(MAX_TAGS)
  .describe('All tags of the customer. Rate cards can have surcharges for customers with a tag.');

const paymentTermsSchema = z
  .enum(PAYMENT_TERMS)
  .describe(
    '`wallet_on_create`: the wallet of the customer pays a new order at once. `pay_later`: the customer pays each order later. `on_account`: the customer pays by invoice.',
  );

export const familyTermsInput = z
  .strictObject({
    family: z.enum(FAMILIES),
    rate_card_id: idSchema
      .nullable()
      .default(null)
      .describe('Id of the rate card. Null: the default card of the business.'),
    markup_percent: percent
      .nullable()
      .default(null)
      .describe('Percentage that is added to each price, from -50 to 200; negative for a discount. Null: no markup.'),
    prices_hidden: z.boolean().default(false),
    payment_terms: paymentTermsSchema.default(DEFAULT_PAYMENT_TERMS),
    service_codes: z
      .array(codeSchema)
      .min(1)
      .max(MAX_SERVICES)
      .nullable()
      .default(null)
      .describe('Services of the rate card that the customer may order. Null: all services.'),
  })
  .meta({ id: 'FamilyTermsInput' });

const familyTermsOutput = z
  .object({
    family: z.enum(FAMILIES),
    rate_card_id: z.int().nullable().describe('Id of the rate card. Null: the default card of the business applies.'),
    markup_percent: z
      .string()
      .nullable()
      .describe('Percentage that is added to each price; negative for a discount. Null: no markup.'),
    prices_hidden: z.boolean().describe('True: the customer sees no prices of this family and settles offline.'),
    payment_terms: paymentTermsSchema,
    service_codes: z.array(z.string()).nullable().describe('Services that the customer may order. Null: all services.'),
  })
  .meta({ id: 'FamilyTerms' });

export const termsOutput = z
  .object({
    customer_id: z.int(),
    families: z.array(familyTermsOutput).describe('One entry for each of the seven families.'),
    tags: z.array(z.string()),
    version: settingsVersionSchema,
  })
  .meta({ id: 'CustomerTerms' });

/** `found`: undefined if no terms were set yet. */
export const toTerms = (customer_id: number, found: CustomerTermsRow | undefined): z.infer<typeof termsOutput> => ({
  customer_id,
  families: FAMILIES.map((family) => {
    const { hidden, service_codes, ...terms } = found?.families[family] ?? NO_TERMS;
    return { family, ...terms, prices_hidden: hidden, service_codes: service_codes && [...service_codes] };
  }),
  tags: found?.tags ?? [],
  version: found?.revision ?? -1,
});
