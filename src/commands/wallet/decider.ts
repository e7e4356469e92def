/**
 * Decides all movements of money of one wallet. One stream has all of them, so no amount can be spent twice. Every event
 * that moves money has lines that sum to zero.
 */
import type { Fact } from '../../events/core/codec.js';
import { exact, isPositive } from '../../events/core/money.js';
import type { Expire } from '../../events/core/timers.js';
import { accountSubject } from '../../events/accounts/events.js';
import {
  holdTimer,
  walletId,
  WalletOpened,
  walletOf,
  WalletTermsSet,
  type WalletKey,
} from '../../events/wallet/events.js';
import type { Decider, Decision } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import type { AnyWalletCommand, WalletCommand, WalletReply } from './command.js';
import { fundsAt, isExpired } from './funds.js';
import { eventIdOf, repetition } from './repetition.js';
import { releaseOf, ruling } from './rules.js';
import { evolve, initial, type WalletState } from './state.js';

/** The part of a wallet that has a version for callers: its terms. The balance changes with every payment. */
export const TERMS = 'terms';

const OPENING: ReadonlySet<string> = new Set<WalletCommand['do']>(['credit', 'adjust', 'setTerms']);

export const wallet: Decider<WalletState, AnyWalletCommand, WalletReply> = {
  initial,
  evolve,
  begins: (command) => OPENING.has(command.do),
  partOf: ({ type }) => (type === WalletTermsSet.type ? TERMS : undefined),

  decide(state, command) {
    if (command.do === 'expire') return { facts: expired(state, command), reply: {} };
    const given = withExactAmounts(command);
    if (state.business === undefined) return decided(openedBy(given), given);
    if (state.business !== given.business) throw new DomainError('NOT_FOUND');
    const repeated = repetition(state, walletId(given), given);
    return repeated ? { facts: [], reply: repeated } : decided({ state, events: [] }, given);
  },
};

/** A wallet, and the events that come before the events of a command. */
interface Current {
  readonly state: WalletState;
  readonly events: readonly NewEvent[];
}

/** The new wallet of the first command. A wallet that does not exist cannot pay. */
function openedBy({ do: kind, business, accountId, currency }: WalletCommand): Current {
  if (!OPENING.has(kind)) throw new DomainError('NO_WALLET_IN_CURRENCY');
  const data = { business, account_id: accountId, currency };
  return {
    state: evolve(initial(), { type: WalletOpened.type, id: '', data }),
    events: [newEvent(WalletOpened, data)],
  };
}

function decided({ state, events: before }: Current, command: WalletCommand): Decision<WalletReply> {
  const funds = fundsAt(state, command.at);
  const { events, refusal } = ruling(state, funds, command);
  const releases = events.length > 0 ? funds.expired.map((hold) => releaseOf(state, hold, 'expired')) : [];
  const all = events.length > 0 ? [...before, ...releases, ...events] : [];
  return {
    facts: factsOf(command, all, command.do === 'setTerms' ? command.entryId : ''),
    reply: refusal ? { refusal } : {},
  };
}

/** A hold whose timer is due. Any command after `expires_at` may already have released it. */
function expired(state: WalletState, { stream, name, now }: Expire): Fact[] {
  const due = [...state.holds.values()].filter((hold) => holdTimer(hold.id) === name && isExpired(hold, now));
  return factsOf(
    walletOf(stream),
    due.map((hold) => releaseOf(state, hold, 'expired')),
  );
}

/** `terms`: the id of a change of the terms, whose event has no other id. */
const factsOf = (key: WalletKey, events: readonly NewEvent[], terms = ''): Fact[] =>
  events.map(({ type, data }) => {
    const { entry_id, hold_id, payment_id } = data as Readonly<Record<string, string | undefined>>;
    return {
      id: eventIdOf(walletId(key), type, entry_id ?? hold_id ?? payment_id ?? terms),
      type,
      data,
      subject: accountSubject(key.accountId),
    };
  });

/** The command with the decimal digits of the currency. Callers check amounts, so a wrong one is a defect. */
function withExactAmounts(command: WalletCommand): WalletCommand {
  const { currency } = command;
  if (command.do === 'setTerms') {
    const { creditLimit } = command;
    return creditLimit === undefined
      ? command
      : { ...command, creditLimit: exact({ amount: creditLimit, currency }).amount };
  }
  if (command.do === 'release') return command;
  const { amount } = exact({ amount: command.amount, currency });
  if (!isPositive(amount) && command.do !== 'adjust') throw new RangeError(`${command.do} needs a positive amount`);
  return { ...command, amount };
}
