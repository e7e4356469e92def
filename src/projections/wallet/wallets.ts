/** The read model of wallets: balances and terms. */
import { compare, minus, sum } from '../../events/core/money.js';
import {
  BalanceAdjusted,
  FundsAdded,
  FundsCaptured,
  FundsHeld,
  FundsReturned,
  FundsWithdrawn,
  HoldReleased,
  WALLET_PREFIX,
  WalletOpened,
  WalletTermsSet,
  type Line,
} from '../../events/wallet/events.js';
import { balancesOf } from '../../events/wallet/lines.js';
import { code, decimal, flag, integer, json, text, type RowOf } from '../core/columns.js';
import { recordedAt, startsWith, table } from '../core/table.js';

/** A hold that expires, with the amount that is neither captured nor released. */
export interface StoredHold {
  readonly id: string;
  readonly amount: string;
  readonly expires_at: string;
}

const columns = {
  /** `<account id>-<currency>`. */
  id: code(),
  business: integer(),
  account_id: integer(),
  currency: code(),
  /** Balance of the account `customer`: money that is neither held nor spent. */
  customer: decimal(),
  held: decimal(),
  credit_limit: decimal(),
  frozen: flag(),
  /** Holds that expire. Reads treat an expired hold as released, even if no process has recorded its release yet. */
  holds: json<StoredHold[]>(),
  /** Revision of the last change of the terms; -1: none. */
  terms_revision: integer(),
  opened_at: text(),
  revision: integer(),
};
export type WalletRow = RowOf<typeof columns>;

type Moved = { readonly lines: readonly Line[] };

/** The balances after the lines of an event. */
function moved({ lines }: Moved, { customer, held, currency }: WalletRow): Pick<WalletRow, 'customer' | 'held'> {
  const after = balancesOf(lines, { customer, held }, currency);
  return { customer: after['customer']!, held: after['held']! };
}

/** The holds after an event that uses or releases a part of one. */
function reduced(holds: readonly StoredHold[], holdId: string | undefined, amount: string, currency: string) {
  return holds
    .map((hold) =>
      hold.id === holdId
        ? { ...hold, amount: minus({ amount: hold.amount, currency }, { amount, currency }).amount }
        : hold,
    )
    .filter((hold) => compare(hold.amount, '0') > 0);
}

const spent = (data: Moved & { hold_id?: string | undefined; amount: string }, row: WalletRow) => ({
  ...moved(data, row),
  holds: reduced(row.holds, data.hold_id, data.amount, row.currency),
});

export const wallets = table({
  name: 'wallets',
  version: 1,
  prefixes: [WALLET_PREFIX],
  columns,
  indexes: ['(account_id)'],
  fold: startsWith(WalletOpened, ({ business, account_id, currency }, event): WalletRow => {
    const zero = sum({ amount: '0', currency }).amount;
    return {
      id: event.stream.slice(WALLET_PREFIX.length),
      business,
      account_id,
      currency,
      customer: zero,
      held: zero,
      credit_limit: zero,
      frozen: false,
      holds: [],
      terms_revision: -1,
      opened_at: recordedAt(event),
      revision: event.revision,
    };
  })
    .on(FundsAdded, moved)
    .on(BalanceAdjusted, moved)
    .on(FundsReturned, moved)
    .on(FundsHeld, (data, row) => ({
      ...moved(data, row),
      ...(data.expires_at !== undefined && {
        holds: [...row.holds, { id: data.hold_id, amount: data.amount, expires_at: data.expires_at }],
      }),
    }))
    .on(HoldReleased, spent)
    .on(FundsCaptured, spent)
    .on(FundsWithdrawn, spent)
    .on(WalletTermsSet, ({ credit_limit, frozen }, row, event) => ({
      credit_limit: credit_limit ?? row.credit_limit,
      frozen: frozen ?? row.frozen,
      terms_revision: event.revision,
    })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'wallets', { 'wallets.wallets': WalletRow }> {}
}
