/** Recognizes repeated commands by their ids. A repeated id changes nothing and gets the result of the first command. */
import { compare } from '../../events/core/money.js';
import type { EventType } from '../../events/core/event-types.js';
import { derivedId } from '../../events/otep/identity.js';
import { WalletTermsSet } from '../../events/wallet/events.js';
import { DomainError } from '../core/domain-error.js';
import type { WalletChange, WalletReply } from './command.js';
import { KIND, packed, type WalletState } from './state.js';

/** The id of an event: a repeated command leads to the same ids. `id`: of its entry, hold or payment. */
export const eventIdOf = (wallet: string, { type }: Pick<EventType, 'type'>, id: string): string =>
  derivedId('wallet', wallet, type, id);

/**
 * The result of an earlier command with the same id; undefined if there was none. Throws CONFLICT if the id was used
 * for another amount or for another kind of entry.
 */
export function repetition(state: WalletState, wallet: string, command: WalletChange): WalletReply | undefined {
  switch (command.do) {
    case 'hold':
      return refused(state, command.holdId, command.amount) ?? heldBefore(state, command.holdId, command.amount);
    case 'release':
      return state.endedHolds.get(packed(command.holdId))?.startsWith('-') ? {} : undefined;
    case 'capture':
      return refused(state, command.entryId, command.amount) ?? entered(state, command);
    case 'setTerms':
      return state.entries.has(packed(eventIdOf(wallet, WalletTermsSet, command.entryId))) ? {} : undefined;
    default:
      return entered(state, command);
  }
}

function refused(state: WalletState, paymentId: string, amount: string): WalletReply | undefined {
  const refusal = state.refused.get(packed(paymentId));
  if (refusal) mustEqual(refusal.required, amount);
  return refusal && { refusal };
}

function heldBefore(state: WalletState, holdId: string, amount: string): WalletReply | undefined {
  const id = packed(holdId);
  const known = state.holds.get(id)?.amount ?? state.endedHolds.get(id)?.slice(1);
  // A payment that was captured without a hold must not be held in addition.
  if (known === undefined && state.entries.has(id)) throw new DomainError('CONFLICT');
  if (known !== undefined) mustEqual(known, amount);
  return known === undefined ? undefined : {};
}

type Entry = Exclude<WalletChange, { readonly do: 'hold' | 'release' | 'setTerms' }>;

function entered(state: WalletState, { do: kind, entryId, amount }: Entry): WalletReply | undefined {
  const known = state.entries.get(packed(entryId));
  if (known === undefined) return undefined;
  if (!known.startsWith(KIND[kind])) throw new DomainError('CONFLICT');
  mustEqual(known.slice(1), amount);
  return {};
}

function mustEqual(first: string, second: string): void {
  if (compare(first, second) !== 0) throw new DomainError('CONFLICT');
}
