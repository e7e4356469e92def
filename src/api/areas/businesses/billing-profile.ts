/** The billing profile of a business: its currency, and the company's details for bills and bank transfers. */
import { z } from 'zod';
import { businessStream } from '../../../events/businesses/events.js';
import { compact } from '../../../events/core/compact.js';
import { withFormat } from '../../../events/core/format.js';
import { currencySchema } from '../../../events/core/money.js';
import { isCountry } from '../../../events/otep/countries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { operation, type Operation } from '../../core/operation.js';
import { settingsVersionSchema, versionByBusiness } from '../../core/versions.js';
import type { BusinessesOptions } from './operations.js';

const text = (max: number) => z.string().trim().min(1).max(max);

const address = z
  .strictObject({
    street: text(300),
    street_2: text(200).optional(),
    postal_code: text(20).optional(),
    city: text(200),
    region: text(200).optional(),
    country: withFormat(z.string().length(2).refine(isCountry), 'ISO 3166-1 alpha-2, such as DE'),
  })
  .meta({ id: 'BillingAddress' });
export const bankDetails = z
  .strictObject({
    account_holder: text(200),
    iban: withFormat(text(34).regex(/^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/), 'IBAN without spaces').optional(),
    bic: withFormat(text(11).regex(/^[A-Z0-9]{8}([A-Z0-9]{3})?$/), 'BIC, such as DEUTDEFF').optional(),
    account_number: text(40).optional(),
    bank_code: text(40).optional().describe('Number of the bank, for example a sort code or a routing number.'),
    bank_name: text(200).optional(),
  })
  .meta({ id: 'BankDetails' })
  .nullable()
  .describe('Account for bank transfers of customers.');
const taxIds = z.array(text(40)).max(10).describe('Tax numbers, for example the VAT number.');

const profileSchema = z
  .object({
    currency: z.string().nullable().describe('Currency of new bills and wallets (ISO 4217).'),
    legal_name: z.string().nullable(),
    billing_address: address.nullable(),
    tax_ids: taxIds,
    bank_details: bankDetails,
    version: settingsVersionSchema,
  })
  .meta({ id: 'BillingProfile' });
const COMMON = { area: 'Billing', versioned: versionByBusiness(businessStream) } as const;

export function billingProfile({ handle, accounts }: BusinessesOptions): Operation[] {
  return [
    operation({
      ...COMMON,
      name: 'billingProfile',
      summary: 'Get the billing profile of the business',
      description:
        'Members are null before the profile is set. Changes of other settings of the business also increase `version`.',
      rest: { method: 'get', path: '/v1/billing-profile' },
      callers: ['client_admin', 'employee', 'auditor'],
      scopes: ['billing:read'],
      reads: ['businesses'],
      input: z.object({}),
      output: z.object({ result: z.boolean(), billing_profile: profileSchema }),
      async run(_input, { caller }) {
        const row = await accounts.business(businessOf(caller));
        const { currency = null, legal_name = null, address: billing_address = null } = row?.billing ?? {};
        const { tax_ids = [], bank_details = null } = row?.billing ?? {};
        const version = row?.revision ?? -1;
        return {
          result: true,
          billing_profile: { currency, legal_name, billing_address, tax_ids, bank_details, version },
        };
      },
    }),
    operation({
      ...COMMON,
      name: 'billingProfileSet',
      summary: 'Set the billing profile of the business',
      description:
        'Replaces the whole profile. Enter details of the company, not of a person. A new currency does not change existing wallets and bills.',
      rest: { method: 'put', path: '/v1/billing-profile' },
      callers: ['client_admin'],
      scopes: ['billing:write'],
      risk: 'high',
      writes: true,
      awaits: ['businesses'],
      returns: { read: 'billingProfile' },
      input: z.object({
        currency: currencySchema,
        legal_name: text(200),
        billing_address: address,
        tax_ids: taxIds.default([]),
        bank_details: bankDetails.default(null),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ billing_address, ...given }, { caller, cause, commandId, wrote }) {
        const stream = businessStream(businessOf(caller));
        const billing = { ...given, address: compact(billing_address) };
        const by = userOf(caller).userId;
        wrote((await handle(stream, { do: 'billing', commandId, billing, by }, cause)).position);
        return { result: true };
      },
    }),
  ];
}
