/** The read model of customers' terms, and its queries. */
import { type Kysely } from 'kysely';
import {
  CUSTOMER_TERMS_PREFIX,
  CustomerCardSet,
  CustomerTagSet,
  DEFAULT_PAYMENT_TERMS,
  PaymentTermsSet,
  PriceVisibilitySet,
  ServicesRestricted,
  type PaymentTerms,
} from '../../events/customer-terms/events.js';
import type { Family } from '../../events/pricing/families.js';
import type { StoredEvent } from '../../events/core/log.js';
import { batchedById } from '../../sql/batched.js';
import { integer, json, texts, type RowOf } from '../core/columns.js';
import type { Database } from '../core/database.js';
import { table } from '../core/table.js';

export interface FamilyTerms {
  /** Null: the default card of the business. */
  readonly rate_card_id: number | null;
  /** Decimal number; null: neither markup nor discount. */
  readonly markup_percent: string | null;
  readonly hidden: boolean;
  readonly payment_terms: PaymentTerms;
  /** Null: all services. */
  readonly service_codes: readonly string[] | null;
}
export const NO_TERMS: FamilyTerms = {
  rate_card_id: null,
  markup_percent: null,
  hidden: false,
  payment_terms: DEFAULT_PAYMENT_TERMS,
  service_codes: null,
};

/** The terms that a price is calculated with: those of the family, and the tags of the customer. */
export interface PricingTerms extends FamilyTerms {
  readonly tags: readonly string[];
}
export const NO_PRICING_TERMS: PricingTerms = { ...NO_TERMS, tags: [] };

const columns = {
  /** The customer account. */
  id: integer(),
  business: integer(),
  families: json<Partial<Readonly<Record<Family, FamilyTerms>>>>(),
  tags: texts(),
  revision: integer(),
};
export type CustomerTermsRow = RowOf<typeof columns>;

export const customerTerms = table({
  name: 'customer_terms',
  version: 2,
  prefixes: [CUSTOMER_TERMS_PREFIX],
  columns,
  // Filters the list of customers by a tag.
  indexes: ['using gin (tags)'],
  fold(row, { type, data, revision }: StoredEvent): CustomerTermsRow {
    const folded: CustomerTermsRow = {
      id: data['customer_id'] as number,
      business: data['business'] as number,
      families: row?.families ?? {},
      tags: row?.tags ?? [],
      revision,
    };
    if (type === CustomerTagSet.type) return { ...folded, tags: data['tags'] as string[] };
    const family = data['family'] as Family;
    const before = folded.families[family] ?? NO_TERMS;
    return { ...folded, families: { ...folded.families, [family]: { ...before, ...changeOf(type, data) } } };
  },
});

/** The terms that an event sets. */
function changeOf(type: string, data: StoredEvent['data']): Partial<FamilyTerms> {
  switch (type) {
    case CustomerCardSet.type:
      return {
        rate_card_id: (data['rate_card_id'] as number | undefined) ?? null,
        markup_percent: (data['markup_percent'] as string | undefined) ?? null,
      };
    case PriceVisibilitySet.type:
      return { hidden: data['hidden'] as boolean };
    case PaymentTermsSet.type:
      return { payment_terms: data['terms'] as PaymentTerms };
    case ServicesRestricted.type:
      return { service_codes: (data['service_codes'] as readonly string[] | undefined) ?? null };
    default:
      return {};
  }
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<'customer_terms', { 'customer_terms.customer_terms': CustomerTermsRow }> {}
}

export type CustomerTermsQueries = ReturnType<typeof createCustomerTermsQueries>;

export function createCustomerTermsQueries(database: Kysely<Database>) {
  const byId = batchedById((customerIds) =>
    database
      .selectFrom('customer_terms.customer_terms')
      .where((where) => where('id', '=', where.fn.any(where.val(customerIds))))
      .selectAll()
      .execute(),
  );
  return {
    byId,
    /** The tags of these customers; customers without tags are absent. */
    async tagsOf(customerIds: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>> {
      if (customerIds.length === 0) return new Map();
      const rows = await database
        .selectFrom('customer_terms.customer_terms')
        .where('id', 'in', [...customerIds])
        .select(['id', 'tags'])
        .execute();
      return new Map(rows.map(({ id, tags }) => [id, tags]));
    },
    async ofFamily(customerId: number, family: Family): Promise<PricingTerms> {
      const found = await byId(customerId);
      return { ...(found?.families[family] ?? NO_TERMS), tags: found?.tags ?? [] };
    },
    /** Families whose prices the customer does not see. */
    async hiddenFamilies(customerId: number): Promise<ReadonlySet<Family>> {
      const { families = {} } = (await byId(customerId)) ?? {};
      return new Set((Object.keys(families) as Family[]).filter((family) => families[family]!.hidden));
    },
  };
}
