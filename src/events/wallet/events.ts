/**
 * Events of a wallet: all movements of money of one customer in one currency. Stream `wallet-<customer account
 * id>-<currency>`. The key subject of the personal members is the customer's account, so its erasure erases them too.
 * The amounts stay.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { amountSchema } from '../core/money.js';
import { FAMILIES } from '../pricing/families.js';

export const WALLET_PREFIX = 'wallet-';

/** Identifies a wallet. */
export interface WalletKey {
  readonly accountId: number;
  readonly currency: string;
}

/** The stream name without the prefix. */
export const walletId = ({ accountId, currency }: WalletKey): string => `${accountId}-${currency}`;
export const walletStream = (key: WalletKey): string => `${WALLET_PREFIX}${walletId(key)}`;

/** The wallet of a stream. */
export function walletOf(stream: string): WalletKey {
  const [account = '', currency = ''] = stream.slice(WALLET_PREFIX.length).split('-');
  return { accountId: Number(account), currency };
}

/**
 * One line of a booking. `account`: `customer` and `held` belong to the wallet; the others are `bank`, `cash`,
 * `goodwill`, `transfer`, `adjustment`, `clearing:<provider>` and `settled:<family>`.
 */
export const lineSchema = z.object({ account: z.string(), side: z.enum(['debit', 'credit']), amount: amountSchema });
export type Line = z.infer<typeof lineSchema>;

/** Members of every event that moves money. The lines of one event sum to zero. */
const money = { business: z.int(), amount: amountSchema, lines: z.array(lineSchema) };
const family = z.enum(FAMILIES);

export const WalletOpened = eventType(
  'WalletOpened',
  z.object({ business: z.int(), account_id: z.int(), currency: z.string() }),
);

export const SOURCES = ['card', 'bank', 'cash', 'goodwill', 'transfer'] as const;

export const FundsAdded = eventType(
  'FundsAdded',
  z.object({
    ...money,
    entry_id: z.uuid(),
    source: z.enum(SOURCES),
    /** The payment provider, for the source `card`. */
    provider: z.string().optional(),
    reference: personal(z.string()),
    topup_id: z.int().optional(),
    /** The order whose payment outside of the service is refunded into the wallet. */
    order_id: z.int().optional(),
    family: family.optional(),
  }),
  { version: 2, upcast: { 1: (data) => data } },
);

export const holdTimer = (holdId: string): string => `hold-${holdId}`;
const clearsHold = {
  timers: ({ hold_id }: { readonly hold_id?: string | undefined }) =>
    hold_id === undefined ? undefined : { clear: holdTimer(hold_id) },
};

/** `hold_id`: the id of the payment, or of the withdrawal that reserves the amount. */
export const FundsHeld = eventType(
  'FundsHeld',
  z.object({
    ...money,
    hold_id: z.uuid(),
    family: family.optional(),
    order_id: z.int().optional(),
    /** Absent: the hold stays until it is captured or released. */
    expires_at: z.iso.datetime().optional(),
  }),
  {
    timers: ({ hold_id, expires_at }) =>
      expires_at === undefined ? undefined : { set: { name: holdTimer(hold_id), at: expires_at } },
  },
);

/** `rest`: a capture used less than the held amount. `voided`: the order of the payment was cancelled. */
export const RELEASE_REASONS = ['released', 'expired', 'voided', 'rest'] as const;
export type ReleaseReason = (typeof RELEASE_REASONS)[number];

export const HoldReleased = eventType(
  'HoldReleased',
  z.object({ ...money, hold_id: z.uuid(), why: z.enum(RELEASE_REASONS) }),
  clearsHold,
);

/** `entry_id`: the id of the payment. */
export const FundsCaptured = eventType(
  'FundsCaptured',
  z.object({ ...money, entry_id: z.uuid(), hold_id: z.uuid().optional(), family, order_id: z.int() }),
  clearsHold,
);

/** `entry_id`: the id of the refund. */
export const FundsReturned = eventType(
  'FundsReturned',
  z.object({ ...money, entry_id: z.uuid(), payment_id: z.uuid(), family, order_id: z.int(), why: z.string() }),
);

export const PAYMENT_REFUSALS = ['INSUFFICIENT_FUNDS', 'WALLET_FROZEN'] as const;

/** Recorded, so that every request for the payment gets the same result. */
export const PaymentRefused = eventType(
  'PaymentRefused',
  z.object({ payment_id: z.uuid(), code: z.enum(PAYMENT_REFUSALS), available: amountSchema, required: amountSchema }),
);

/** `amount`: negative if it reduces the balance. */
export const BalanceAdjusted = eventType(
  'BalanceAdjusted',
  z.object({ ...money, entry_id: z.uuid(), reason: personal(z.string()), adjusted_by: z.int() }),
);

export const WITHDRAWAL_REASONS = ['refund_to_card', 'refund_to_bank', 'dispute'] as const;
export type WithdrawalReason = (typeof WITHDRAWAL_REASONS)[number];

export const FundsWithdrawn = eventType(
  'FundsWithdrawn',
  z.object({
    ...money,
    entry_id: z.uuid(),
    hold_id: z.uuid().optional(),
    why: z.enum(WITHDRAWAL_REASONS),
    /** The payment provider, for refunds to a card and for disputes. */
    provider: z.string().optional(),
    topup_id: z.int().optional(),
  }),
  clearsHold,
);

/** Absent members are unchanged. */
export const WalletTermsSet = eventType(
  'WalletTermsSet',
  z.object({ credit_limit: amountSchema.optional(), frozen: z.boolean().optional() }),
);

export const WALLET_EVENTS = [
  WalletOpened,
  FundsAdded,
  FundsHeld,
  HoldReleased,
  FundsCaptured,
  FundsReturned,
  PaymentRefused,
  BalanceAdjusted,
  FundsWithdrawn,
  WalletTermsSet,
] as const;
