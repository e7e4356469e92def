/** Operations that ask carriers for rates before a label is bought. */
import { z } from 'zod';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { CustomerTermsQueries } from '../../../projections/customer-terms/read-model.js';
import { businessOf, userOf } from '../../core/callers.js';
import { idSchema } from '../../core/ids.js';
import { chooseLanguage } from '../../core/messages/index.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { createCustomerOf } from '../pricing/customer-of.js';
import { LABEL_FAMILY } from './label-prices.js';
import { MAX_RATES, type LabelRates, type RateChoice } from './label-rates.js';
import { byName, byPrice, labelRateOutput, rateErrorOutput, toLabelRate, toRateErrors } from './rate-output.js';
import { shipmentInput, type ShipmentInput } from './shipment-input.js';
import type { Shipments } from './shipments.js';

export interface RateOperationsOptions {
  readonly rates: Pick<LabelRates, 'rate'>;
  readonly shipments: Shipments;
  readonly terms: Pick<CustomerTermsQueries, 'hiddenFamilies'>;
  readonly accounts: Pick<AccountQueries, 'holder'>;
}

const customer_id = idSchema
  .optional()
  .describe('Customer account whose prices apply. Customers can omit it: they get their own prices.');
const method_ids = z.array(idSchema).min(1).max(200).optional().describe('Only these shipping methods. Default: all.');

const COMMON = {
  area: 'LabelService',
  callers: ['client_admin', 'employee', 'customer'],
  scopes: ['labels:read'],
  limitedAs: 'write',
  reads: ['carrier_accounts', 'rate_cards', 'default_cards', 'customer_terms', 'warehouses', 'addresses'],
  answers: {
    404: '`CARRIER_ACCOUNT_NOT_FOUND`, `CARRIER_METHOD_NOT_FOUND`: unknown or disabled. `WAREHOUSE_NOT_FOUND`: there is no such open warehouse.',
    422: '`CUSTOMS_NEEDED`: the parcels leave the customs territory. `DIMENSIONS_NEEDED`: a package has only some of its sides.',
  },
  output: z.object({
    result: z.boolean().describe('False: no carrier has a rate.'),
    rates: z.array(labelRateOutput).max(MAX_RATES),
    errors: z.array(rateErrorOutput).describe('Why carriers have no rate. The other rates are valid.'),
  }),
} as const;

const SORTED = 'Rates are sorted by price, days and method; where prices are hidden, by the name of the method.';

export function rateOperations({ rates, shipments, terms, accounts }: RateOperationsOptions): Operation[] {
  const customerOf = createCustomerOf(accounts);

  async function run(
    { customer_id: given, ...input }: ShipmentInput & { readonly customer_id?: number | undefined },
    choice: RateChoice,
    { caller, time, header }: Context,
  ) {
    const user = userOf(caller);
    const isCustomer = user.role === 'customer';
    const business = businessOf(caller);
    const { userId, timezone } = user;
    const customerId = await customerOf(given, user);
    const shipment = await shipments(input, { business, customerBook: isCustomer ? userId : null, timezone, time });
    const of = { business, timezone, customerId, userId, isCustomer, time };
    const found = await rates.rate(shipment, of, choice);
    const isHidden = isCustomer && (await terms.hiddenFamilies(userId)).has(LABEL_FAMILY);
    const shownTo = { language: chooseLanguage(header('accept-language')), isCustomer };
    return {
      result: found.rates.length > 0,
      rates: [...found.rates].sort(isHidden ? byName : byPrice).map((quote) => toLabelRate(quote, shownTo)),
      errors: toRateErrors(found.errors, shownTo),
    };
  }

  return [
    operation({
      ...COMMON,
      name: 'labelserviceRate',
      summary: 'Get rates of carriers for a shipment',
      description: `Asks the named carrier accounts, or all enabled ones, for the price of a label. It buys nothing. Each carrier has 8 s; a carrier that fails is listed in \`errors\`. The same offers within a minute have the same \`rate_id\` values. ${SORTED}`,
      rest: { method: 'post', path: '/v1/labelservice/rate' },
      input: z.object({
        ...shipmentInput,
        carrier_account_ids: z
          .array(idSchema)
          .min(1)
          .max(200)
          .optional()
          .describe('Only these carrier accounts. Default: all that are enabled.'),
        method_ids,
        customer_id,
      }),
      run: ({ carrier_account_ids: accountIds, method_ids: methodIds, ...input }, context) =>
        run(input, { accountIds, methodIds }, context),
    }),
    operation({
      ...COMMON,
      name: 'labelserviceCompareAllCarriers',
      summary: 'Compare the rates of all carriers',
      description: `Asks every enabled carrier account for the price of a label, and lists the cheapest rate first. It buys nothing. ${SORTED}`,
      rest: { method: 'post', path: '/v1/labelservice/compare' },
      input: z.object({ ...shipmentInput, method_ids, customer_id }),
      run: ({ method_ids: methodIds, ...input }, context) => run(input, { methodIds }, context),
    }),
  ];
}
