/** The read model of the ledger: the balance of each account of a business in each currency, over all wallets. */
import type { StoredEvent } from '../../events/core/log.js';
import { WALLET_PREFIX, walletOf, type Line } from '../../events/wallet/events.js';
import { balancesOf } from '../../events/wallet/lines.js';
import { code, integer, json, type RowOf } from '../core/columns.js';
import type { Projection } from '../core/projection.js';
import { NO_ROW, table } from '../core/table.js';

const columns = {
  /** `<business>-<currency>`. */
  id: code(),
  business: integer(),
  currency: code(),
  /** By account name: positive for a credit balance, negative for a debit balance. All sum to zero. */
  balances: json<Record<string, string>>(),
};
export type LedgerRow = RowOf<typeof columns>;

const keyOf = ({ stream, data }: StoredEvent): string =>
  data['lines'] === undefined ? NO_ROW : `${String(data['business'])}-${walletOf(stream).currency}`;

function fold(row: LedgerRow | undefined, event: StoredEvent): LedgerRow {
  const id = keyOf(event);
  if (id === NO_ROW) return row!;
  const { business, lines } = event.data as unknown as { readonly business: number; readonly lines: readonly Line[] };
  const { currency } = walletOf(event.stream);
  return { id, business, currency, balances: balancesOf(lines, row?.balances ?? {}, currency) };
}

/** The rows of a business follow from all of its wallets, not from one stream. */
export const ledger: Projection<LedgerRow> = {
  ...table({ name: 'ledger', version: 1, prefixes: [WALLET_PREFIX], columns, indexes: ['(business)'], fold }),
  keyOf,
  rowPerStream: false,
};

declare module '../core/projection.js' {
  interface ReadModels extends Record<'ledger', { 'ledger.ledger': LedgerRow }> {}
}
