/** The rules of a wallet: balances, holds, refunds, repeated ids and frozen wallets. */
import { expect } from 'chai';
import type { AnyWalletCommand } from '../../../src/commands/wallet/command.js';
import { wallet } from '../../../src/commands/wallet/decider.js';
import { walletStream } from '../../../src/events/wallet/events.js';
import { given } from '../../support/checks/given.js';
import {
  adjust,
  capture,
  command,
  credit,
  dispute,
  giveBack,
  hold,
  HOUR,
  idOf,
  NOW,
  release,
  terms,
  WALLET,
  withdraw,
} from './commands.js';

const past = (...commands: readonly AnyWalletCommand[]) => given(wallet, ...commands);

describe('decider of wallets', () => {
  it('R1: opens a wallet with the first money, and books both sides of every movement', () => {
    const { facts } = past().when(credit(1, '100'));
    expect(facts).to.deep.equal([
      { type: 'WalletOpened', data: { business: 1, account_id: 7, currency: 'EUR' } },
      {
        type: 'FundsAdded',
        data: {
          business: 1,
          entry_id: idOf(1),
          amount: '100.00',
          source: 'bank',
          reference: 'Invoice 4',
          lines: [
            { account: 'bank', side: 'debit', amount: '100.00' },
            { account: 'customer', side: 'credit', amount: '100.00' },
          ],
        },
      },
    ]);
    const [adjusted] = past(credit(1, '100')).when(adjust(2, '-0.5')).facts;
    expect(adjusted!.data).to.deep.include({
      amount: '-0.50',
      lines: [
        { account: 'customer', side: 'debit', amount: '0.50' },
        { account: 'adjustment', side: 'credit', amount: '0.50' },
      ],
    });
  });

  it('R2: spends at most balance plus credit limit minus held amounts', () => {
    const funded = past(credit(1, '10'), terms(2, { creditLimit: '5' }), hold(3, '6'));
    expect(funded.when(capture(4, '9.00')).types).to.deep.equal(['FundsCaptured']);
    const { types, reply } = funded.when(capture(4, '9.01'));
    expect(types).to.deep.equal(['PaymentRefused']);
    expect(reply).to.deep.equal({ refusal: { code: 'INSUFFICIENT_FUNDS', available: '9.00', required: '9.01' } });
    expect(funded.when(hold(5, '9.01')).reply.refusal?.code).to.equal('INSUFFICIENT_FUNDS');
    expect(funded.refusal(withdraw(6, '9.01'))).to.equal('INSUFFICIENT_FUNDS');
    expect(funded.refusal(adjust(7, '-9.01'))).to.equal('INSUFFICIENT_FUNDS');
  });

  it('R2: only a dispute leaves less than nothing available, and then no amount can be spent', () => {
    const disputed = past(credit(1, '10'), capture(2, '4'), dispute(3, '10'));
    expect(disputed.when(capture(4, '0.01')).reply.refusal).to.deep.include({ available: '-4.00' });
    expect(disputed.when(credit(5, '4.01')).then.when(capture(6, '0.01')).types).to.deep.equal(['FundsCaptured']);
    const limited = past(terms(1, { creditLimit: '20' }), capture(2, '15'));
    expect(limited.refusal(terms(3, { creditLimit: '14.99' }))).to.equal('INSUFFICIENT_FUNDS');
    expect(limited.when(terms(3, { creditLimit: '15' })).types).to.deep.equal(['WalletTermsSet']);
  });

  it('R3: the same id changes nothing and gets the first result, also if money arrives in between', () => {
    const refused = past(credit(1, '5'), capture(2, '8'), credit(3, '100'));
    const again = refused.when(capture(2, '8.00'));
    expect(again.types).to.deep.equal([]);
    expect(again.reply.refusal).to.deep.equal({ code: 'INSUFFICIENT_FUNDS', available: '5.00', required: '8.00' });
    expect(refused.when(hold(2, '8')).reply, 'the payment is refused as a hold too').to.deep.equal(again.reply);
    const all = [credit(1, '50'), adjust(2, '1'), hold(3, '4'), capture(4, '5'), giveBack(5, 4, '2')];
    const done = past(...all, withdraw(6, '1'), terms(7, { frozen: true }), terms(8, { frozen: false }));
    for (const repeated of [...all, withdraw(6, '1'), terms(7, { frozen: true })])
      expect(done.when(repeated), repeated.do).to.deep.include({ types: [], reply: {} });
  });

  it('R3: the same id with another amount, or for another kind of entry, is a conflict', () => {
    const done = past(credit(1, '50'), hold(2, '4'), capture(3, '5'), capture(4, '500'), release(2));
    for (const other of [credit(1, '51'), hold(2, '4.01'), capture(3, '5.01'), capture(4, '1'), withdraw(1, '50')])
      expect(done.refusal(other), other.do).to.equal('CONFLICT');
    expect(done.refusal(hold(3, '5')), 'captured without a hold').to.equal('CONFLICT');
  });

  it('R3: ids of events follow from the command', () => {
    const idsOf = (n: number) => past(credit(1, '50')).when(capture(n, '1')).ids;
    expect(idsOf(2)).to.deep.equal(idsOf(2));
    expect(idsOf(2)).not.to.deep.equal(idsOf(3));
  });

  it('R4: a hold is captured at most once and for at most its amount; the rest is released with it', () => {
    const held = past(credit(1, '20'), hold(2, '20'));
    const { facts, then } = held.when(capture(2, '18.37', 2));
    expect(facts.map(({ type, data }) => [type, (data as { amount: string }).amount])).to.deep.equal([
      ['FundsCaptured', '18.37'],
      ['HoldReleased', '1.63'],
    ]);
    expect(facts[0]!.data).to.deep.include({
      lines: [
        { account: 'held', side: 'debit', amount: '18.37' },
        { account: 'settled:local_delivery', side: 'credit', amount: '18.37' },
      ],
    });
    expect(facts[1]!.data).to.deep.include({ why: 'rest' });
    expect(then.refusal(capture(3, '1', 2))).to.equal('HOLD_GONE');
    expect(then.refusal(release(2))).to.equal('HOLD_GONE');
    expect(then.when(capture(3, '1.63')).types, 'the rest is available').to.deep.equal(['FundsCaptured']);
    expect(then.when(capture(4, '1.64')).types).to.deep.equal(['PaymentRefused']);
    expect(held.when(capture(2, '20', 2)).types, 'no rest').to.deep.equal(['FundsCaptured']);
    expect(held.refusal(capture(2, '20.01', 2))).to.equal('AMOUNT_TOO_HIGH');
    expect(held.refusal(capture(2, '1', 9))).to.equal('HOLD_GONE');
  });

  it('R4: a hold expires by the clock alone, and the next event records its release', () => {
    const held = past(credit(1, '20'), hold(2, '20'));
    expect(held.when(capture(3, '1', undefined, HOUR - 1)).types).to.deep.equal(['PaymentRefused']);
    expect(held.when(capture(3, '1', undefined, HOUR)).types).to.deep.equal(['HoldReleased', 'FundsCaptured']);
    expect(held.when(capture(2, '20', 2, HOUR - 1)).types).to.deep.equal(['FundsCaptured']);
    expect(held.refusal(capture(2, '20', 2, HOUR))).to.equal('HOLD_GONE');
    expect(held.when(release(2, HOUR)).types, 'the timer records it').to.deep.equal([]);
    const refused = held.when(capture(3, '21', undefined, HOUR));
    expect(refused.types).to.deep.equal(['HoldReleased', 'PaymentRefused']);
    expect(refused.reply.refusal?.available).to.equal('20.00');
  });

  it('R4: a timer releases an expired hold once', () => {
    const held = past(credit(1, '20'), hold(2, '20'), hold(3, '0.01'));
    const at = (now: number) => ({
      do: 'expire' as const,
      commandId: 'timer',
      stream: walletStream(WALLET),
      name: `hold-${idOf(2)}`,
      at: NOW + HOUR,
      now,
    });
    expect(held.when(at(NOW + HOUR - 1)).types).to.deep.equal([]);
    const { facts, then } = held.when(at(NOW + HOUR));
    expect(facts).to.have.length(1);
    expect(facts[0]!.data).to.deep.include({ hold_id: idOf(2), amount: '20.00', why: 'expired' });
    expect(then.when(at(NOW + HOUR)).types).to.deep.equal([]);
    expect(held.when(release(2)).then.when(at(NOW + HOUR)).types, 'released before').to.deep.equal([]);
  });

  it('R4: a withdrawal can use a hold without an end', () => {
    const kept = { do: 'hold', holdId: idOf(2), amount: '8' } as const;
    const held = past(credit(1, '10'), command(kept));
    const paid = { do: 'withdraw', entryId: idOf(3), holdId: idOf(2), amount: '8', why: 'refund_to_card' } as const;
    const { facts } = held.when(command({ ...paid, provider: 'test' }, 1_000 * HOUR));
    expect(facts[0]!.data).to.deep.include({
      lines: [
        { account: 'held', side: 'debit', amount: '8.00' },
        { account: 'clearing:test', side: 'credit', amount: '8.00' },
      ],
    });
  });

  it('R5: refunds of a payment never exceed it', () => {
    const paid = past(credit(1, '10'), capture(2, '6'), giveBack(3, 2, '4'));
    expect(paid.refusal(giveBack(4, 2, '2.01'))).to.equal('AMOUNT_TOO_HIGH');
    const all = paid.when(giveBack(4, 2, '2'));
    expect(all.types).to.deep.equal(['FundsReturned']);
    expect(all.then.refusal(giveBack(5, 2, '0.01'))).to.equal('AMOUNT_TOO_HIGH');
    expect(paid.refusal(giveBack(4, 9, '1')), 'unknown payment').to.equal('NOT_FOUND');
    expect(paid.refusal(giveBack(4, 1, '1')), 'not a payment').to.equal('NOT_FOUND');
  });

  it('R12: a wallet that does not exist cannot pay, and other businesses do not see it', () => {
    for (const payment of [capture(1, '1'), hold(1, '1'), withdraw(1, '1'), release(1), giveBack(1, 2, '1')])
      expect(past().refusal(payment), payment.do).to.equal('NO_WALLET_IN_CURRENCY');
    expect(past(credit(1, '5')).refusal({ ...credit(2, '5'), business: 2 })).to.equal('NOT_FOUND');
  });

  it('R15: a frozen wallet refuses holds, captures and withdrawals, and accepts money', () => {
    const frozen = past(credit(1, '10'), capture(2, '4'), hold(3, '1'), terms(4, { frozen: true }));
    for (const payment of [capture(5, '1'), hold(5, '1'), capture(5, '1', 3)])
      expect(frozen.when(payment).reply.refusal?.code, payment.do).to.equal('WALLET_FROZEN');
    expect(frozen.refusal(withdraw(5, '1'))).to.equal('WALLET_FROZEN');
    for (const accepted of [credit(5, '1'), giveBack(5, 2, '1'), adjust(5, '-1'), release(3), dispute(5, '1')])
      expect(frozen.when(accepted).types, accepted.do).to.have.length(1);
    expect(frozen.when(terms(5, { frozen: true })).types, 'unchanged').to.deep.equal([]);
  });

  it('limits a balance to the digits of an amount, and rejects amounts that callers must not send', () => {
    const full = past(credit(1, '999999999999.99'));
    expect(full.refusal(credit(2, '0.01'))).to.equal('AMOUNT_TOO_HIGH');
    const spent = past(credit(1, '999999999999.99'), capture(2, '5'), credit(3, '5'));
    expect(spent.when(giveBack(4, 2, '5')).types, 'a refund always fits').to.deep.equal(['FundsReturned']);
    const ofOrder = { ...credit(4, '5'), orderId: 9, family: 'local_delivery' } as AnyWalletCommand;
    expect(spent.when(ofOrder).types, 'a refund in cash, too').to.deep.equal(['FundsAdded']);
    expect(() => past().when(credit(1, '0'))).to.throw(RangeError);
    expect(() => past().when(credit(1, '0.001'))).to.throw('EUR has 2 digits');
  });
});
