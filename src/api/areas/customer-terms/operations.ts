/** Terms of customer accounts: rate cards, markups, and hidden prices, by family. */
import { z } from 'zod';
import type { CustomerTermsCommand } from '../../../commands/customer-terms/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { customerTermsStream } from '../../../events/customer-terms/events.js';
import { withFormat } from '../../../events/core/format.js';
import { FAMILIES } from '../../../events/pricing/families.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import { NO_TERMS, type CustomerTermsQueries } from '../../../projections/customer-terms/read-model.js';
import type { RateCardQueries } from '../../../projections/pricing/queries.js';
import { businessOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { settingsVersionSchema, versionBy } from '../../core/versions.js';
import { createWrite } from '../../core/write.js';

const TERMS_VERSION = versionBy('customer_id', customerTermsStream);
const customer_id = idSchema.describe('Id of the customer account.');
const percent = withFormat(
  z
    .string()
    .regex(/^-?(0|[1-9]\d{0,2})(\.\d{1,4})?$/)
    .refine((text) => Number(text) >= -50 && Number(text) <= 200),
  'decimal number from -50 to 200, such as -7.5',
);

const familyTermsOutput = z
  .object({
    family: z.enum(FAMILIES),
    rate_card_id: z.int().nullable().describe('Null: the default card of the business applies.'),
    markup_percent: z.string().nullable().describe('Added to each price; negative for a discount. Null: none.'),
    prices_hidden: z.boolean().describe('True: the customer sees no prices of this family and settles offline.'),
  })
  .meta({ id: 'FamilyTerms' });
const termsOutput = z
  .object({
    customer_id: z.int(),
    families: z.array(familyTermsOutput).describe('All seven families.'),
    version: settingsVersionSchema,
  })
  .meta({ id: 'CustomerTerms' });

export interface CustomerTermsOptions {
  readonly handle: Handle<CustomerTermsCommand, undefined>;
  readonly queries: CustomerTermsQueries;
  readonly accounts: Pick<AccountQueries, 'byId'>;
  readonly rateCards: Pick<RateCardQueries, 'byId'>;
}

export function customerTermsOperations({ handle, queries, accounts, rateCards }: CustomerTermsOptions): Operation[] {
  const write = createWrite(handle, customerTermsStream);

  /** Throws CUSTOMER_NOT_FOUND. */
  async function expectCustomer(id: number, caller: Caller): Promise<void> {
    const account = await accounts.byId(id);
    if (account?.business !== businessOf(caller) || account.role !== 'customer')
      throw new ApiError('CUSTOMER_NOT_FOUND');
  }

  return [
    operation({
      name: 'customerTerms',
      area: 'Customer',
      versioned: TERMS_VERSION,
      summary: 'Get the terms of a customer',
      description: 'Returns the rate cards, markups and hidden prices of a customer account, by family.',
      rest: { method: 'get', path: '/v1/customers/:customer_id/terms' },
      callers: ['client_admin', 'employee'],
      scopes: ['accounts:read'],
      reads: ['customer_terms'],
      answers: { 404: 'There is no such customer account.' },
      input: z.object({ customer_id }),
      output: z.object({ result: z.boolean(), customer_terms: termsOutput }),
      async run(input, { caller }) {
        await expectCustomer(input.customer_id, caller);
        const found = await queries.byId(input.customer_id);
        return {
          result: true,
          customer_terms: {
            customer_id: input.customer_id,
            families: FAMILIES.map((family) => {
              const { rate_card_id, markup_percent, hidden } = found?.families[family] ?? NO_TERMS;
              return { family, rate_card_id, markup_percent, prices_hidden: hidden };
            }),
            version: found?.revision ?? -1,
          },
        };
      },
    }),
    operation({
      name: 'customerTermsSet',
      area: 'Customer',
      versioned: TERMS_VERSION,
      returns: { read: 'customerTerms' },
      summary: 'Set the terms of a customer',
      description:
        'Sets the terms of the listed families; other families keep theirs. Hidden prices are absent from the next response on, in every interface.',
      rest: { method: 'put', path: '/v1/customers/:customer_id/terms' },
      callers: ['client_admin'],
      scopes: ['accounts:write'],
      awaits: ['customer_terms'],
      writes: true,
      risk: 'high',
      answers: { 404: 'There is no such customer account, or no such active rate card of the family.' },
      input: z.object({
        customer_id,
        families: z
          .array(
            z
              .strictObject({
                family: z.enum(FAMILIES),
                rate_card_id: idSchema.nullable().default(null).describe('Null: the default card of the business.'),
                markup_percent: percent.nullable().default(null).describe('From -50 to 200. Null: none.'),
                prices_hidden: z.boolean().default(false),
              })
              .meta({ id: 'FamilyTermsInput' }),
          )
          .min(1)
          .max(FAMILIES.length)
          .refine((list) => new Set(list.map(({ family }) => family)).size === list.length),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ customer_id: id, families }, context) {
        await expectCustomer(id, context.caller);
        for (const [index, { family, rate_card_id }] of families.entries())
          if (rate_card_id !== null) await expectCard(rate_card_id, { family, index, caller: context.caller });
        await write(id, context, {
          do: 'set',
          families: families.map(({ family, rate_card_id, markup_percent, prices_hidden }) => ({
            family,
            rateCardId: rate_card_id,
            markupPercent: markup_percent,
            hidden: prices_hidden,
          })),
        });
        return { result: true };
      },
    }),
  ];

  async function expectCard(id: number, of: { family: string; index: number; caller: Caller }): Promise<void> {
    const row = await rateCards.byId(id, businessOf(of.caller));
    if (!row || row.retired) throw new ApiError('RATE_CARD_NOT_FOUND');
    if (row.family !== of.family)
      throw new ApiError('INVALID_INPUT', {
        errors: [{ field: 'rate_card_id', path: `/families/${of.index}/rate_card_id`, code: 'OTHER_FAMILY' }],
      });
  }
}
