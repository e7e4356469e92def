/**
 * The read model of wallet entries: one row for each event that changes a balance, with the balance after it. Holds and
 * their releases change only the available amount, so they are no entries.
 */
import type { StoredEvent } from '../../events/core/log.js';
import { sum } from '../../events/core/money.js';
import type { Family } from '../../events/pricing/families.js';
import {
  BalanceAdjusted,
  FundsAdded,
  FundsCaptured,
  FundsReturned,
  FundsWithdrawn,
  WALLET_PREFIX,
  WalletOpened,
  walletOf,
  type Line,
} from '../../events/wallet/events.js';
import { balanceChange } from '../../events/wallet/lines.js';
import { insertRows, type Types } from '../../sql/rows.js';
import type { Projection } from '../core/projection.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { recordedAt } from '../core/table.js';

export const ENTRY_KINDS = ['credit', 'adjustment', 'payment', 'refund', 'withdrawal'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

const KINDS: Readonly<Record<string, EntryKind>> = {
  [FundsAdded.type]: 'credit',
  [BalanceAdjusted.type]: 'adjustment',
  [FundsCaptured.type]: 'payment',
  [FundsReturned.type]: 'refund',
  [FundsWithdrawn.type]: 'withdrawal',
};

export interface WalletEntryRow {
  readonly account_id: number;
  readonly currency: string;
  /** Revision of the event in the wallet's stream. */
  readonly seq: number;
  readonly business: number;
  readonly entry_id: string;
  readonly kind: EntryKind;
  /** Negative if it reduces the balance. */
  readonly amount: string;
  readonly balance_after: string;
  readonly family: Family | null;
  readonly order_id: number | null;
  readonly topup_id: number | null;
  readonly sealed: SealedMembers;
  readonly recorded_at: string;
}

/** A wallet with its last balance, and the entries that the batch adds. */
interface Folded {
  readonly id: string;
  balance: string;
  readonly added: WalletEntryRow[];
}

const BALANCE = { id: 'text', balance: 'numeric' } as const satisfies Types;
const ENTRY = {
  account_id: 'integer',
  currency: 'text',
  seq: 'integer',
  business: 'integer',
  entry_id: 'uuid',
  kind: 'text',
  amount: 'numeric',
  balance_after: 'numeric',
  family: 'text',
  order_id: 'integer',
  topup_id: 'integer',
  sealed: 'json',
  recorded_at: 'text',
} as const satisfies Types;

export const walletEntries: Projection<Folded> = {
  name: 'wallet_entries',
  version: 2,
  prefixes: [WALLET_PREFIX],
  tables: `
    create table :schema.balances (
      id      text collate "C" primary key,
      balance numeric not null
    );
    create table :schema.entries (
      account_id    integer not null,
      currency      text collate "C" not null,
      seq           integer not null,
      business      integer not null,
      entry_id      uuid not null,
      kind          text not null,
      amount        numeric not null,
      balance_after numeric not null,
      family        text,
      order_id      integer,
      topup_id      integer,
      sealed        json not null,
      recorded_at   text collate "C" not null,
      primary key (account_id, currency, seq)
    );
    create index on :schema.entries (order_id) where order_id is not null;`,
  keyOf: ({ stream }) => stream.slice(WALLET_PREFIX.length),
  rowPerStream: true,
  fold: foldEntry,

  async load(db, schema, keys) {
    const { rows } = await db.query<Pick<Folded, 'id' | 'balance'>>(
      `select id, balance from ${schema}.balances where id = any ($1)`,
      [keys],
    );
    return new Map(rows.map((row) => [row.id, { ...row, added: [] }]));
  },

  async save(db, schema, changed) {
    const rows = [...changed.values()];
    await Promise.all([
      insertRows(db, `${schema}.balances`, BALANCE, rows, 'on conflict (id) do update set balance = excluded.balance'),
      insertRows(
        db,
        `${schema}.entries`,
        ENTRY,
        rows.flatMap(({ added }) => added),
      ),
    ]);
  },
};

/** Throws if the wallet was not opened, which quarantines the stream. */
function foldEntry(row: Folded | undefined, event: StoredEvent): Folded {
  const { accountId: account_id, currency } = walletOf(event.stream);
  if (event.type === WalletOpened.type)
    return { id: event.stream.slice(WALLET_PREFIX.length), balance: sum({ amount: '0', currency }).amount, added: [] };
  if (!row) throw new Error(`The stream has ${event.type} before ${WalletOpened.type}.`);
  const kind = KINDS[event.type];
  if (!kind) return row;
  const { business, entry_id, lines, family, order_id, topup_id } = event.data as unknown as {
    readonly business: number;
    readonly entry_id: string;
    readonly lines: readonly Line[];
    readonly family?: Family;
    readonly order_id?: number;
    readonly topup_id?: number;
  };
  const amount = balanceChange(lines, currency);
  row.balance = sum({ amount: row.balance, currency }, { amount, currency }).amount;
  row.added.push({
    account_id,
    currency,
    seq: event.revision,
    business,
    entry_id,
    kind,
    amount,
    balance_after: row.balance,
    family: family ?? null,
    order_id: order_id ?? null,
    topup_id: topup_id ?? null,
    sealed: sealedMembersOf(event),
    recorded_at: recordedAt(event),
  });
  return row;
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'wallet_entries',
    { 'wallet_entries.entries': WalletEntryRow; 'wallet_entries.balances': Pick<Folded, 'id' | 'balance'> }
  > {}
}
