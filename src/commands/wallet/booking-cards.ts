/**
 * Moves the money of top-ups by card in the wallets, as the events of the top-up say. These are two streams, so this
 * happens directly after the append to the top-up. If a crash prevents it, a follower of the log does it later. All ids
 * are derived from the top-up, its refunds and its disputes, so repeating it changes nothing.
 */
import { decoded } from '../../events/core/codec.js';
import type { Position, StoredEvent } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import { derivedId } from '../../events/otep/identity.js';
import {
  CardRefundMade,
  CardRefundRefused,
  CardRefundRequested,
  TopUpDisputed,
  TopUpDisputeWon,
  TopUpSucceeded,
} from '../../events/wallet/card-payments.js';
import { walletStream, type WalletKey } from '../../events/wallet/events.js';
import { topUpStream } from '../../events/wallet/top-ups.js';
import type { EffectReply } from '../../events/effects/records.js';
import { pastOf } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import type { Cause, Handle } from '../core/handle.js';
import { causedBy } from '../orders/following.js';
import type { AnyWalletCommand, Refusal, WalletChange, WalletReply } from './command.js';
import { isOpenRefund } from './card-state.js';
import { refundRequestOf } from './card-requests.js';
import { topUps as decider, type TopUpCommand, type TopUpState } from './top-ups.js';

/** Types of events after which money moves. */
export const CARD_BOOKINGS: ReadonlySet<string> = new Set(
  [TopUpSucceeded, CardRefundRequested, CardRefundMade, CardRefundRefused, TopUpDisputed, TopUpDisputeWon].map(
    ({ type }) => type,
  ),
);

/** A top-up as its events show it. */
export interface ReadTopUp {
  readonly state: TopUpState;
  /** The events, decoded, oldest first. Personal data is encrypted. */
  readonly past: readonly StoredEvent[];
}

/** Reads the current state of a top-up from the log. */
export const createTopUpReader =
  ({ log, types }: Parts<'log' | 'types'>) =>
  async (stream: string): Promise<ReadTopUp> => {
    const past: StoredEvent[] = [];
    for await (const event of log.read(stream)) past.push(decoded(event, types));
    const state = past.reduce((so, event) => decider.evolve(so, pastOf(event, event.data)), decider.initial());
    return { state, past };
  };

export type TopUpReader = ReturnType<typeof createTopUpReader>;

export interface BookCardOptions {
  readonly read: TopUpReader;
  readonly wallets: Handle<AnyWalletCommand, WalletReply>;
  readonly topUps: Handle<TopUpCommand, EffectReply>;
  /** Keyed digest of the request of an effect. */
  readonly digestOf: (request: unknown) => string;
}

/**
 * Brings the wallet to the state of the top-up, and begins requested refunds for which the wallet holds the amount.
 * Returns the last position; undefined if there was nothing to do. Throws the errors of the wallet.
 */
export type BookCard = (stream: string) => Promise<Position | undefined>;

export function createBookCard({ read, wallets, topUps, digestOf }: BookCardOptions): BookCard {
  return async (stream) => {
    const { state, past } = await read(stream);
    const { begun } = state;
    if (!begun?.card) return undefined;
    const { topup_id: id, account_id: accountId, business, currency, reference } = begun;
    const { provider } = begun.card;
    const key: WalletKey = { accountId, currency };
    let last: Position | undefined;

    const send = async (event: StoredEvent, change: WalletChange): Promise<Refusal | undefined> => {
      const at = Date.parse(event.metadata['recorded_at'] as string);
      const command = { ...change, ...key, business, at };
      const { reply, position } = await wallets(walletStream(key), command, causedBy(event));
      last = later(last, position);
      return reply.refusal;
    };
    const report = async (command: TopUpCommand, cause: Cause): Promise<void> => {
      last = later(last, (await topUps(stream, command, cause)).position);
    };
    const credit = (event: StoredEvent, entryId: string, amount: string) =>
      send(event, { do: 'credit', entryId, amount, source: 'card', provider, reference, topUpId: id });

    for (const event of past) {
      const { amount, refund_id, dispute_id } = event.data as unknown as Moved;
      switch (event.type) {
        case TopUpSucceeded.type:
          await credit(event, derivedId('wallet entry', topUpStream(id)), amount);
          break;
        case CardRefundRequested.type:
          await hold(event, refund_id, amount);
          break;
        case CardRefundMade.type: {
          const ids = { entryId: refund_id, holdId: refund_id, topUpId: id };
          await send(event, { do: 'withdraw', ...ids, amount, why: 'refund_to_card', provider });
          break;
        }
        case CardRefundRefused.type:
          await giveBack(event, refund_id, amount);
          break;
        case TopUpDisputed.type: {
          const entryId = derivedId('wallet entry', topUpStream(id), 'dispute', dispute_id);
          await send(event, { do: 'withdraw', entryId, amount, why: 'dispute', provider, topUpId: id });
          break;
        }
        case TopUpDisputeWon.type:
          await credit(event, derivedId('wallet entry', topUpStream(id), 'dispute won', dispute_id), amount);
          break;
      }
    }
    return last;

    /** The amount is held before the provider is called, so it cannot be spent in the meantime. */
    async function hold(event: StoredEvent, refundId: string, amount: string): Promise<void> {
      const refund = state.card.refunds.get(refundId)!;
      const refusal = await send(event, { do: 'hold', holdId: refundId, amount });
      if (!isOpenRefund(refund)) return;
      if (refusal) return report({ do: 'refuse_refund', refundId, code: refusal.code }, causedBy(event));
      const digest = digestOf(refundRequestOf(state, refundId));
      await report({ do: 'begin_refund', refundId, digest }, causedBy(event));
    }

    /** A refund that was made before has left the wallet, so the amount is credited. */
    async function giveBack(event: StoredEvent, refundId: string, amount: string): Promise<void> {
      if (state.card.refunds.get(refundId)!.isMade)
        return void (await credit(event, derivedId('wallet entry', topUpStream(id), 'refund', refundId), amount));
      try {
        await send(event, { do: 'release', holdId: refundId, why: 'released' });
      } catch (error) {
        // The wallet refused the hold, so there is nothing to release.
        if (!(error instanceof DomainError && error.code === 'HOLD_GONE')) throw error;
      }
    }
  };
}

/** Members of the events that move money; each event has some of them. */
interface Moved {
  readonly amount: string;
  readonly refund_id: string;
  readonly dispute_id: string;
}

const later = (one: Position | undefined, other: Position | undefined): Position | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;
