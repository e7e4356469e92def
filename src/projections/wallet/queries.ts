/** Queries on wallets, their entries and the ledger. */
import type { Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import { minus, sum } from '../../events/core/money.js';
import type { WalletKey } from '../../events/wallet/events.js';
import { KEY, type ListKey } from '../../sql/page-key.js';
import { batched } from '../../sql/batched.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import { openRows } from '../core/sealed-members.js';
import type { EntryKind, WalletEntryRow } from './entries.js';
import type { LedgerRow } from './ledger.js';
import type { WalletRow } from './wallets.js';

/** A wallet at a moment. Expired holds count as released. */
export interface Wallet {
  readonly currency: string;
  readonly balance: string;
  readonly available: string;
  readonly held: string;
  readonly credit_limit: string;
  readonly frozen: boolean;
  /** Revision of the last change of the terms; -1: none. */
  readonly version: number;
}

/** An entry with decrypted texts. An erased entry has none. */
export interface WalletEntry extends Omit<WalletEntryRow, 'sealed'> {
  readonly reference?: string;
  readonly reason?: string;
}

export interface EntryFilter extends Range, WalletKey {
  readonly kind?: EntryKind | undefined;
  /** RFC 3339 in UTC, inclusive. */
  readonly from?: string | undefined;
  /** RFC 3339 in UTC, exclusive. */
  readonly to?: string | undefined;
}

const NEWEST_ENTRY: ListKey = { columns: { seq: KEY.integer }, descending: true };

/** `now`: milliseconds since 1970. */
function walletAt(row: WalletRow, now: number): Wallet {
  const { currency } = row;
  const money = (amount: string) => ({ amount, currency });
  const expired = row.holds.filter(({ expires_at }) => Date.parse(expires_at) <= now);
  const free = sum(money(row.customer), ...expired.map(({ amount }) => money(amount)));
  const balance = sum(money(row.customer), money(row.held));
  return {
    currency,
    balance: balance.amount,
    available: sum(free, money(row.credit_limit)).amount,
    held: minus(balance, free).amount,
    credit_limit: row.credit_limit,
    frozen: row.frozen,
    version: row.terms_revision,
  };
}

export type WalletQueries = ReturnType<typeof createWalletQueries>;

export function createWalletQueries(database: Kysely<Database>, keyRing: KeyRing, now: () => number) {
  const rowsOf = batched(async (accountIds: readonly number[]) => {
    const rows = await database
      .selectFrom('wallets.wallets')
      .selectAll()
      .where((where) => where('account_id', '=', where.fn.any(where.val([...new Set(accountIds)]))))
      .orderBy('currency')
      .execute();
    return accountIds.map((id) => rows.filter(({ account_id }) => account_id === id));
  });

  return {
    /** The wallets of a customer, sorted by currency. */
    async ofCustomer(business: number, accountId: number): Promise<Wallet[]> {
      const rows = await rowsOf(accountId);
      return rows.filter((row) => row.business === business).map((row) => walletAt(row, now()));
    },

    /** Newest first. */
    async entries(
      { accountId, currency, kind, from, to, ...range }: EntryFilter,
      business: number,
    ): Promise<Page<WalletEntry>> {
      const found = database
        .selectFrom('wallet_entries.entries')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('currency', '=', currency)
        .where('business', '=', business)
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
        .$if(from !== undefined, (query) => query.where('recorded_at', '>=', from!))
        .$if(to !== undefined, (query) => query.where('recorded_at', '<', to!));
      const page = await pageOf(found, range, NEWEST_ENTRY);
      const sealed = page.rows.map((row) => ({ ...row, sealed: [row.sealed] }));
      return {
        ...page,
        rows: await openRows<Pick<WalletEntry, 'reference' | 'reason'>, (typeof sealed)[number]>(sealed, keyRing),
      };
    },

    /** The balances of the accounts of a business, sorted by currency. */
    ledger: (business: number, currency?: string): Promise<LedgerRow[]> =>
      database
        .selectFrom('ledger.ledger')
        .selectAll()
        .where('business', '=', business)
        .$if(currency !== undefined, (query) => query.where('currency', '=', currency!))
        .orderBy('currency')
        .execute(),
  };
}
