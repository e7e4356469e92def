/** Shipping methods of all carrier accounts, for staff and customers. Without cost, credentials and settings. */
import { z } from 'zod';
import type { CarrierAdapter } from '../../../engines/outside/carriers/port.js';
import type { CarrierAccountQueries, ListedMethod } from '../../../projections/carrier-accounts/queries.js';
import type { CustomerTermsQueries } from '../../../projections/customer-terms/read-model.js';
import type { RateCardQueries } from '../../../projections/pricing/queries.js';
import { businessOf, isStaff, userOf, type Caller } from '../../core/callers.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';

const FAMILY = 'label_service';

const shippingMethodOutput = z
  .object({
    id: z.int().describe('Permanent id of the method.'),
    carrier_account_id: z.int(),
    adapter: z.string().describe('Carrier or aggregator of the account.'),
    adapter_name: z.string(),
    carrier: z.string().describe('Carrier that transports the parcel.'),
    code: z.string(),
    name: z.string(),
    formats: z.array(z.string()).describe('Formats of labels.'),
    countries: z.array(z.string()).nullable().describe('Destinations. Null: not known, or all.'),
    enabled: z.boolean(),
  })
  .meta({ id: 'ShippingMethod' });

export interface ShippingMethodsOptions {
  readonly queries: Pick<CarrierAccountQueries, 'methods'>;
  readonly terms: Pick<CustomerTermsQueries, 'ofFamily'>;
  readonly rateCards: Pick<RateCardQueries, 'defaults'>;
  readonly adapterOf: (id: string) => Pick<CarrierAdapter, 'name'> | undefined;
}

export function shippingMethodOperation({ queries, terms, rateCards, adapterOf }: ShippingMethodsOptions): Operation {
  /** Whether all methods have a price for the customer. Otherwise only those with a rate card have one. */
  async function hasCard(caller: Caller): Promise<boolean> {
    const own = await terms.ofFamily(userOf(caller).userId, FAMILY);
    return (own.rate_card_id ?? (await rateCards.defaults(businessOf(caller)))[FAMILY] ?? null) !== null;
  }

  const toOutput = ({ method_id: _id, withdrawn: _withdrawn, markup_card: _card, ...method }: ListedMethod) => ({
    ...method,
    adapter_name: adapterOf(method.adapter)?.name ?? method.adapter,
    countries: method.countries ?? null,
  });

  return operation({
    name: 'shippingMethods',
    area: 'LabelService',
    summary: 'List shipping methods',
    description:
      'Lists the methods of all carrier accounts, sorted by id. Customers see only enabled methods that have a price for them. Costs are never included.',
    rest: { method: 'get', path: '/v1/shipping-methods' },
    callers: ['client_admin', 'employee', 'customer'],
    scopes: ['labels:read'],
    reads: ['carrier_accounts', 'customer_terms', 'default_cards'],
    input: z.object({
      carrier_account_ids: z.array(idSchema).min(1).max(200).optional().describe('Only methods of these accounts.'),
      enabled: z.boolean().optional().describe('True: only methods that can be used now.'),
      ...pageInput,
    }),
    output: z.object({ ...pageOutput, shipping_methods: z.array(shippingMethodOutput) }),
    async run({ carrier_account_ids, enabled, ...page }, { caller }) {
      const isCustomer = !isStaff(caller);
      const filter = {
        carrierAccountIds: carrier_account_ids,
        enabled: isCustomer ? true : enabled,
        onlyMarkedUp: isCustomer && !(await hasCard(caller)),
      };
      const { rows, ...found } =
        isCustomer && enabled === false
          ? { rows: [], total: 0, next: undefined }
          : await queries.methods(filter, rangeOf(page), businessOf(caller));
      return { ...pageOf(page, found), shipping_methods: rows.map(toOutput) };
    },
  });
}
