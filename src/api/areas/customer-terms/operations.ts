/** Terms of customer accounts: rate cards, payment, services and hidden prices by family, and tags. */
import { z } from 'zod';
import type { CustomerTermsCommand } from '../../../commands/customer-terms/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { customerTermsStream } from '../../../events/customer-terms/events.js';
import { FAMILIES } from '../../../events/pricing/families.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import { isCustomerOf } from '../../../projections/customers/queries.js';
import type { CustomerTermsQueries } from '../../../projections/customer-terms/read-model.js';
import type { RateCardQueries } from '../../../projections/pricing/queries.js';
import { businessOf, type Caller } from '../../core/callers.js';
import { ApiError, invalidField } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { versionBy } from '../../core/versions.js';
import { createWrite } from '../../core/write.js';
import { familyTermsInput, tagsInput, termsOutput, toTerms } from './shapes.js';

const TERMS_VERSION = versionBy('customer_id', customerTermsStream);
const customer_id = idSchema.describe('Id of the customer account.');

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
    if (!isCustomerOf(account, businessOf(caller))) throw new ApiError('CUSTOMER_NOT_FOUND');
  }

  return [
    operation({
      name: 'customerTerms',
      area: 'Customer',
      versioned: TERMS_VERSION,
      summary: 'Get the terms of a customer',
      description:
        'Returns the tags of a customer account and, for each family, its rate card, markup, payment terms, services and hidden prices.',
      rest: { method: 'get', path: '/v1/customers/:customer_id/terms' },
      callers: ['client_admin', 'employee'],
      scopes: ['accounts:read'],
      reads: ['customer_terms'],
      answers: { 404: 'There is no such customer account.' },
      input: z.object({ customer_id }),
      output: z.object({ result: z.boolean(), customer_terms: termsOutput }),
      async run(input, { caller }) {
        await expectCustomer(input.customer_id, caller);
        return { result: true, customer_terms: toTerms(input.customer_id, await queries.byId(input.customer_id)) };
      },
    }),
    operation({
      name: 'customerTermsSet',
      area: 'Customer',
      versioned: TERMS_VERSION,
      returns: { read: 'customerTerms' },
      summary: 'Set the terms of a customer',
      description:
        'Sets the terms of the listed families. The terms of other families stay unchanged. `tags` replaces all tags. Prices that you hide are absent from all later responses, in every interface.',
      rest: { method: 'put', path: '/v1/customers/:customer_id/terms' },
      callers: ['client_admin'],
      scopes: ['accounts:write'],
      awaits: ['customer_terms'],
      writes: true,
      risk: 'high',
      answers: { 404: 'There is no such customer account, or the family has no such active rate card.' },
      input: z.object({
        customer_id,
        families: z
          .array(familyTermsInput)
          .max(FAMILIES.length)
          .refine((list) => new Set(list.map(({ family }) => family)).size === list.length)
          .default([]),
        tags: tagsInput.optional(),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ customer_id: id, families, tags }, context) {
        if (families.length === 0 && tags === undefined) throw invalidField('REQUIRED', 'families');
        await expectCustomer(id, context.caller);
        for (const [index, { family, rate_card_id }] of families.entries())
          if (rate_card_id !== null) await expectCard(rate_card_id, { family, index, caller: context.caller });
        await write(id, context, {
          do: 'set',
          families: families.map((terms) => ({
            family: terms.family,
            rateCardId: terms.rate_card_id,
            markupPercent: terms.markup_percent,
            hidden: terms.prices_hidden,
            paymentTerms: terms.payment_terms,
            serviceCodes: terms.service_codes,
          })),
          ...(tags && { tags }),
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
