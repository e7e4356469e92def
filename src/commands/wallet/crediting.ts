/**
 * Confirms top-ups and credits them to the wallets. These are two streams, so the confirmation is recorded first, and
 * the credit directly after it. If a crash prevents the credit, a follower of the log does it later. The id of the entry
 * is derived from the top-up, so repeating it changes nothing.
 */
import { decoded } from '../../events/core/codec.js';
import type { Position, StoredEvent } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import type { EffectReply } from '../../events/effects/records.js';
import { derivedId } from '../../events/otep/identity.js';
import { walletStream } from '../../events/wallet/events.js';
import { BankTransferConfirmed, TopUpBegun, topUpStream, type BegunTopUp } from '../../events/wallet/top-ups.js';
import { DomainError } from '../core/domain-error.js';
import { dryRunOf, type Cause, type Handle, type Handled } from '../core/handle.js';
import { causedBy } from '../orders/following.js';
import type { AnyWalletCommand, WalletCommand, WalletReply } from './command.js';
import type { TopUpCommand, TopUpConfirmation } from './top-ups.js';

/** The members of a top-up that determine its credit. */
export interface CreditedTopUp {
  readonly id: number;
  readonly business: number;
  readonly accountId: number;
  readonly currency: string;
  readonly reference: string;
}

type HandleWallet = Handle<AnyWalletCommand, WalletReply>;

/**
 * Credits the top-up of a stream if it is confirmed. Returns the position of the wallet; undefined if the top-up is not
 * confirmed. Throws AMOUNT_TOO_HIGH if the balance of the wallet would have too many digits.
 */
export type CreditTopUp = (stream: string) => Promise<Position | undefined>;

export interface CreditTopUpOptions extends Parts<'log' | 'types'> {
  readonly wallets: HandleWallet;
}

export function createCreditTopUp({ log, types, wallets }: CreditTopUpOptions): CreditTopUp {
  return async (stream) => {
    const past: StoredEvent[] = [];
    for await (const event of log.read(stream)) past.push(decoded(event, types));
    const begun = past.find(({ type }) => type === TopUpBegun.type);
    const confirmed = past.find(({ type }) => type === BankTransferConfirmed.type);
    if (!begun || !confirmed) return undefined;
    const { topup_id: id, account_id: accountId, ...topUp } = begun.data as unknown as BegunTopUp;
    const amount = confirmed.data['amount'] as string;
    const at = Date.parse(confirmed.metadata['recorded_at'] as string);
    return send(wallets, creditOf({ id, accountId, ...topUp }, amount, at), causedBy(confirmed));
  };
}

/**
 * Confirms a top-up and credits it. Throws the errors of both deciders. If the wallet refuses the credit only after the
 * confirmation, a repeated confirmation credits it.
 */
export type ConfirmAndCredit = (
  topUp: CreditedTopUp,
  confirmation: TopUpConfirmation,
  cause: Cause,
) => Promise<Handled<EffectReply>>;

export interface ConfirmAndCreditOptions {
  readonly topUps: Handle<TopUpCommand, EffectReply>;
  readonly wallets: HandleWallet;
  readonly credit: CreditTopUp;
}

export function createConfirmAndCredit({ topUps, wallets, credit }: ConfirmAndCreditOptions): ConfirmAndCredit {
  return async (topUp, confirmation, cause) => {
    const { id, amount, at } = confirmation;
    const stream = topUpStream(id);
    const command = creditOf(topUp, amount, at);
    if (cause.dryRun) {
      const handled = await topUps(stream, confirmation, cause);
      await send(wallets, command, cause);
      return handled;
    }
    // A confirmation that the wallet cannot accept must not be recorded.
    await send(wallets, command, dryRunOf(cause));
    const handled = await topUps(stream, confirmation, cause);
    const position = await credit(stream).catch(laterUnlessRefused);
    return position !== undefined && (handled.position === undefined || position > handled.position)
      ? { ...handled, position }
      : handled;
  };
}

/** An engine failed: the follower credits the top-up later. */
function laterUnlessRefused(error: unknown): undefined {
  if (error instanceof DomainError) throw error;
  return undefined;
}

const creditOf = (
  { id, business, accountId, currency, reference }: CreditedTopUp,
  amount: string,
  at: number,
): WalletCommand => ({
  do: 'credit',
  entryId: derivedId('wallet entry', topUpStream(id)),
  amount,
  source: 'bank',
  reference,
  topUpId: id,
  business,
  accountId,
  currency,
  at,
});

const send = async (wallets: HandleWallet, command: WalletCommand, cause: Cause): Promise<Position | undefined> =>
  (await wallets(walletStream(command), command, cause)).position;
