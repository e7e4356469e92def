/** Random commands to wallets and top-ups. */
import { wallet } from '../../../../../src/commands/wallet/decider.js';
import type { WalletChange } from '../../../../../src/commands/wallet/command.js';
import { FAMILIES } from '../../../../../src/events/pricing/families.js';
import { derivedId } from '../../../../../src/events/otep/identity.js';
import { topUps } from '../../../../../src/commands/wallet/top-ups.js';
import { holdTimer, walletStream } from '../../../../../src/events/wallet/events.js';
import { TOP_UP_EXPIRY, topUpStream } from '../../../../../src/events/wallet/top-ups.js';
import { generator, type Act, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

/** Few ids of each kind, so that commands meet; entries have many, so that each is new. */
const idOf = (pick: Pick, kind: string, of: number): string => derivedId('mix', kind, pick.of(of));
const amountOf = (pick: Pick, upTo: number): string => `${pick.of(upTo)}.${10 * pick.of(9)}`;
const keyOf = ({ id }: Tools, pick: Pick) => ({ accountId: id(pick.of(2)), currency: pick.one('EUR', 'USD') });

const act =
  (change: (tools: Tools, pick: Pick) => WalletChange): Act =>
  (tools, pick) => {
    const key = keyOf(tools, pick);
    const command = { ...change(tools, pick), ...key, business: tools.business, at: tools.now };
    return tools.send(wallet, walletStream(key), command);
  };
const order = (pick: Pick) => ({ family: pick.one(...FAMILIES), orderId: pick.of(5) });

export const MIX = generator({
  credit: act((_tools, pick) => ({
    do: 'credit',
    entryId: idOf(pick, 'credit', 100_000),
    amount: amountOf(pick, 90),
    source: pick.one('bank', 'cash', 'goodwill', 'transfer'),
    reference: `Transfer ${pick.of(9)}`,
    topUpId: pick.of(3) === 1 ? pick.of(9) : undefined,
  })),
  adjust: act((_tools, pick) => ({
    do: 'adjust',
    entryId: idOf(pick, 'adjust', 100_000),
    amount: `${pick.of(2) === 1 ? '-' : ''}${amountOf(pick, 9)}`,
    reason: `Reason ${pick.of(9)}`,
    by: pick.of(3),
  })),
  hold: act(({ at }, pick) => ({
    do: 'hold',
    holdId: idOf(pick, 'payment', 40),
    amount: amountOf(pick, 9),
    ...order(pick),
    expiresAt: at(pick.of(5) - 1),
  })),
  release: act((_tools, pick) => ({ do: 'release', holdId: idOf(pick, 'payment', 40), why: 'voided' })),
  expire: (tools, pick) =>
    tools.expire(wallet, walletStream(keyOf(tools, pick)), holdTimer(idOf(pick, 'payment', 40)), 12),
  captureHold: act((_tools, pick) => {
    const payment = idOf(pick, 'payment', 40);
    return { do: 'capture', entryId: payment, holdId: payment, amount: amountOf(pick, 9), ...order(pick) };
  }),
  capture: act((_tools, pick) => ({
    do: 'capture',
    entryId: idOf(pick, 'direct', 30),
    amount: amountOf(pick, 20),
    ...order(pick),
  })),
  giveBack: act((_tools, pick) => ({
    do: 'return',
    entryId: idOf(pick, 'return', 100_000),
    paymentId: idOf(pick, 'direct', 30),
    amount: amountOf(pick, 3),
    ...order(pick),
    why: 'cancelled',
  })),
  withdraw: act((_tools, pick) => ({
    do: 'withdraw',
    entryId: idOf(pick, 'withdraw', 100_000),
    amount: amountOf(pick, 9),
    why: pick.of(4) === 1 ? 'dispute' : 'refund_to_bank',
    provider: 'test',
  })),
  setTerms: act((_tools, pick) => ({
    do: 'setTerms',
    entryId: idOf(pick, 'terms', 100_000),
    creditLimit: amountOf(pick, 50),
    frozen: pick.of(6) === 1,
  })),
  beginTopUp(tools, pick) {
    const id = tools.fresh();
    const order = pick.of(3) === 1 ? { orderId: pick.of(5) } : {};
    const command = { do: 'begin' as const, ...keyOf(tools, pick), ...order, amount: amountOf(pick, 90) };
    return tools.send(topUps, topUpStream(id), { ...command, id, business: tools.business, at: tools.now });
  },
  confirmTopUp(tools, pick) {
    const id = tools.existing(pick);
    const command = { do: 'confirm' as const, amount: amountOf(pick, 90), by: pick.of(3) };
    const bankReference = `Statement ${pick.of(9)}`;
    const about = { id, business: tools.business, at: tools.now };
    return tools.send(topUps, topUpStream(id), { ...command, bankReference, ...about });
  },
  expireTopUp: (tools, pick) =>
    tools.expire(topUps, topUpStream(tools.existing(pick)), TOP_UP_EXPIRY, pick.of(2) * 12 * 24),
});
