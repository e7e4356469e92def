/** Queries on the customer accounts of a business. */
import { sql, type Kysely } from 'kysely';
import type { AccountStatus } from '../../events/accounts/events.js';
import type { BlindTrigrams } from '../../events/core/blind-trigrams.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Account, AccountQueries } from '../accounts/queries.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { CustomerTermsQueries } from '../customer-terms/read-model.js';
import { searchedHashes } from './search.js';

export interface CustomerFilter extends Range {
  readonly status?: AccountStatus | undefined;
  readonly tag?: string | undefined;
  /** Only these accounts. */
  readonly ids?: readonly number[] | undefined;
  /** Words of the name, or a phone number. */
  readonly query?: string | undefined;
}

export interface Customer extends Account {
  readonly tags: readonly string[];
}

export const isCustomerOf = (account: Account | undefined, business: number): boolean =>
  account?.business === business && account.role === 'customer';

export type CustomerQueries = ReturnType<typeof createCustomerQueries>;

export interface CustomerQueriesOptions {
  readonly database: Kysely<Database>;
  readonly index: BlindTrigrams;
  readonly accounts: Pick<AccountQueries, 'byId' | 'byIds'>;
  readonly terms: Pick<CustomerTermsQueries, 'tagsOf'>;
}

export function createCustomerQueries({ database, index, accounts, terms }: CustomerQueriesOptions) {
  const tagged = async (found: readonly Account[]): Promise<Customer[]> => {
    const tags = await terms.tagsOf(found.map(({ id }) => id));
    return found.map((account) => ({ ...account, tags: tags.get(account.id) ?? [] }));
  };

  /** SQL condition: the search index has an account with all hashes of the name, or of the phone number. */
  const matches = (query: string, business: number) => {
    const { name, phone } = searchedHashes(index, query, business);
    const has = (column: string, hashes: readonly number[]) =>
      hashes.length === 0 ? sql<boolean>`false` : sql<boolean>`${sql.ref(column)} @> ${[...hashes]}::int[]`;
    return sql<boolean>`(${has('t.name', name)} or ${has('t.phone', phone)})`;
  };

  return {
    async byId(id: number, business: number): Promise<Customer | undefined> {
      const account = await accounts.byId(id);
      return account && isCustomerOf(account, business) ? (await tagged([account]))[0] : undefined;
    },

    /** Sorted by id. */
    async list(business: number, { status, tag, ids, query, ...range }: CustomerFilter): Promise<Page<Customer>> {
      const filtered = database
        .selectFrom('accounts.accounts')
        .where('business', '=', business)
        .where('role', '=', 'customer')
        .$if(status !== undefined, (of) => of.where('status', '=', status!))
        .$if(ids !== undefined, (of) => of.where((where) => where('id', '=', where.fn.any(where.val([...ids!])))))
        .$if(tag !== undefined, (of) =>
          of.where('id', 'in', (from) =>
            from
              .selectFrom('customer_terms.customer_terms as terms')
              .where('terms.business', '=', business)
              .where(sql<boolean>`terms.tags @> ${[tag]}::text[]`)
              .select('terms.id'),
          ),
        )
        .$if(query !== undefined, (of) =>
          of.where('id', 'in', (from) =>
            from
              .selectFrom('customer_search.texts as t')
              .where('t.business', '=', business)
              .where(matches(query!, business))
              .select('t.id'),
          ),
        );
      const { rows, ...page } = await pageOf(filtered.select('id'), range, BY_ID);
      const found = new Map((await accounts.byIds(rows.map(({ id }) => id))).map((account) => [account.id, account]));
      return { ...page, rows: await tagged(rows.flatMap(({ id }) => found.get(id) ?? [])) };
    },
  };
}
