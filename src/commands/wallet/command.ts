/** Commands to a wallet. Their ids are derived from the request that leads to them, so a retry sends the same ids. */
import type { FundsReturned, ReleaseReason, WithdrawalReason } from '../../events/wallet/events.js';
import type { EventType } from '../../events/core/event-types.js';
import type { Expire } from '../../events/core/timers.js';
import type { Family } from '../../events/pricing/families.js';

type DataOf<T> = T extends EventType<infer Data> ? Data : never;

/** Money comes in. Opens the wallet if it does not exist. */
export interface Credit {
  readonly do: 'credit';
  readonly entryId: string;
  readonly amount: string;
  readonly source: 'bank' | 'card' | 'cash' | 'goodwill' | 'transfer';
  /** The payment provider, for the source `card`. */
  readonly provider?: string | undefined;
  readonly reference?: string | undefined;
  /** The order whose payment outside of the service is refunded into the wallet. */
  readonly orderId?: number;
  readonly family?: Family;
  /** The top-up that the money comes from. */
  readonly topUpId?: number | undefined;
}

/** Corrects the balance by a signed amount. Opens the wallet if it does not exist. */
export interface Adjust {
  readonly do: 'adjust';
  readonly entryId: string;
  readonly amount: string;
  readonly reason: string;
  readonly by: number;
}

/** Reserves an amount until `expiresAt` (RFC 3339). Without `expiresAt` the hold does not expire. */
export interface Hold {
  readonly do: 'hold';
  readonly holdId: string;
  readonly amount: string;
  readonly family?: Family;
  readonly orderId?: number;
  readonly expiresAt?: string;
}

export interface Release {
  readonly do: 'release';
  readonly holdId: string;
  readonly why: Extract<ReleaseReason, 'released' | 'voided'>;
}

/** Pays an order, from a hold or from the available amount. */
export interface Capture {
  readonly do: 'capture';
  readonly entryId: string;
  readonly amount: string;
  readonly holdId?: string;
  readonly family: Family;
  readonly orderId: number;
}

/** Returns a captured amount, or a part of it, to the wallet. */
export interface Return {
  readonly do: 'return';
  readonly entryId: string;
  readonly paymentId: string;
  readonly amount: string;
  readonly family: Family;
  readonly orderId: number;
  readonly why: DataOf<typeof FundsReturned>['why'];
}

/** Money goes out, from a hold or from the available amount. `provider`: absent for a refund to a bank account. */
export interface Withdraw {
  readonly do: 'withdraw';
  readonly entryId: string;
  readonly amount: string;
  readonly why: WithdrawalReason;
  readonly provider?: string;
  readonly holdId?: string;
  /** The top-up whose payment is returned or disputed. */
  readonly topUpId?: number;
}

/** Absent members are unchanged. Opens the wallet if it does not exist. */
export interface SetTerms {
  readonly do: 'setTerms';
  readonly entryId: string;
  readonly creditLimit?: string | undefined;
  readonly frozen?: boolean | undefined;
}

export type WalletChange = Credit | Adjust | Hold | Release | Capture | Return | Withdraw | SetTerms;

/** `at`: time of the command, in milliseconds since 1970. */
export type WalletCommand = WalletChange & {
  readonly business: number;
  readonly accountId: number;
  readonly currency: string;
  readonly at: number;
};

export type AnyWalletCommand = WalletCommand | Expire;

/** Why a payment was refused. */
export interface Refusal {
  readonly code: 'INSUFFICIENT_FUNDS' | 'WALLET_FROZEN';
  readonly available: string;
  readonly required: string;
}

/** The result of a command: without `refusal` it took effect. A repeated command gets the same result. */
export interface WalletReply {
  readonly refusal?: Refusal;
}
