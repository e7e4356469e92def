/** The read model of customers' terms, and its queries. */
import { type Kysely } from 'kysely';
import { CUSTOMER_TERMS_PREFIX, CustomerCardSet, PriceVisibilitySet } from '../../events/customer-terms/events.js';
import type { Family } from '../../events/pricing/families.js';
import type { StoredEvent } from '../../events/core/log.js';
import { integer, json, type RowOf } from '../core/columns.js';
import type { Database } from '../core/database.js';
import { table } from '../core/table.js';

export interface FamilyTerms {
  /** Null: the default card of the business. */
  readonly rate_card_id: number | null;
  /** Decimal number; null: neither markup nor discount. */
  readonly markup_percent: string | null;
  readonly hidden: boolean;
}
export const NO_TERMS: FamilyTerms = { rate_card_id: null, markup_percent: null, hidden: false };

const columns = {
  /** The customer account. */
  id: integer(),
  business: integer(),
  families: json<Partial<Readonly<Record<Family, FamilyTerms>>>>(),
  revision: integer(),
};
export type CustomerTermsRow = RowOf<typeof columns>;

export const customerTerms = table({
  name: 'customer_terms',
  version: 1,
  prefixes: [CUSTOMER_TERMS_PREFIX],
  columns,
  fold(row, { type, data, revision }: StoredEvent): CustomerTermsRow {
    const family = data['family'] as Family;
    const before = row?.families[family] ?? NO_TERMS;
    const change =
      type === CustomerCardSet.type
        ? {
            rate_card_id: (data['rate_card_id'] as number | undefined) ?? null,
            markup_percent: (data['markup_percent'] as string | undefined) ?? null,
          }
        : type === PriceVisibilitySet.type
          ? { hidden: data['hidden'] as boolean }
          : {};
    return {
      id: data['customer_id'] as number,
      business: data['business'] as number,
      families: { ...row?.families, [family]: { ...before, ...change } },
      revision,
    };
  },
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'customer_terms', { 'customer_terms.customer_terms': CustomerTermsRow }> {}
}

export type CustomerTermsQueries = ReturnType<typeof createCustomerTermsQueries>;

export function createCustomerTermsQueries(database: Kysely<Database>) {
  const byId = (customerId: number): Promise<CustomerTermsRow | undefined> =>
    database.selectFrom('customer_terms.customer_terms').where('id', '=', customerId).selectAll().executeTakeFirst();
  return {
    byId,
    async ofFamily(customerId: number, family: Family): Promise<FamilyTerms> {
      return (await byId(customerId))?.families[family] ?? NO_TERMS;
    },
    /** Families whose prices the customer does not see. */
    async hiddenFamilies(customerId: number): Promise<ReadonlySet<Family>> {
      const { families = {} } = (await byId(customerId)) ?? {};
      return new Set((Object.keys(families) as Family[]).filter((family) => families[family]!.hidden));
    },
  };
}
