/** The rules of top-ups by bank transfer, by given, when, then. */
import { expect } from 'chai';
import { topUps, type TopUpCommand } from '../../../src/commands/wallet/top-ups.js';
import { accountSubject } from '../../../src/events/accounts/events.js';
import { stepEvents } from '../../../src/events/effects/steps.js';
import { CARD_PAYMENT, CARD_REFUND } from '../../../src/events/wallet/card-payments.js';
import {
  BankTransferConfirmed,
  TOP_UP_EVENTS,
  TOP_UP_EXPIRY,
  topUpStream,
} from '../../../src/events/wallet/top-ups.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { given } from '../../support/checks/given.js';
import { HOUR, NOW } from './commands.js';

const ID = 12;
const DAY = 24 * HOUR;
const END = NOW + 14 * DAY;

const past = (...commands: readonly TopUpCommand[]) => given(topUps, ...commands);
const begin = (amount = '100', more: Partial<Record<'accountId' | 'business', number>> = {}): TopUpCommand => ({
  do: 'begin',
  id: ID,
  business: 1,
  accountId: 7,
  amount,
  currency: 'EUR',
  at: NOW,
  ...more,
});
const confirm = (amount: string, at = NOW + HOUR, business = 1): TopUpCommand => ({
  do: 'confirm',
  id: ID,
  business,
  amount,
  by: 3,
  bankReference: 'Statement 8',
  at,
});
const expire = (now: number, name = TOP_UP_EXPIRY): TopUpCommand => ({
  do: 'expire',
  commandId: 'timer',
  stream: topUpStream(ID),
  name,
  at: END,
  now,
});

describe('decider of top-ups', () => {
  it('begins a top-up with a payment reference and an end, once', () => {
    const { facts, then } = past().when({ ...begin(), orderId: 5 } as TopUpCommand);
    expect(facts).to.deep.equal([
      {
        type: 'TopUpBegun',
        data: {
          topup_id: ID,
          business: 1,
          account_id: 7,
          amount: '100.00',
          currency: 'EUR',
          method: 'bank_transfer',
          reference: 'T0000000C2',
          order_id: 5,
          expires_at: new Date(END).toISOString(),
        },
      },
    ]);
    expect(then.when(begin('100.00')).types, 'repeated').to.deep.equal([]);
    for (const other of [begin('101'), begin('100', { accountId: 8 }), begin('100', { business: 2 })])
      expect(then.refusal(other)).to.equal('CONFLICT');
    expect(() => past().when(begin('0.001'))).to.throw('EUR has 2 digits');
  });

  it('records the amount that arrived, once', () => {
    const { facts, then } = past(begin()).when(confirm('99.5'));
    expect(facts).to.deep.equal([
      { type: 'BankTransferConfirmed', data: { amount: '99.50', confirmed_by: 3, bank_reference: 'Statement 8' } },
    ]);
    expect(then.when(confirm('99.50')).types, 'repeated').to.deep.equal([]);
    expect(then.when(confirm('99.50', END)).types, 'repeated after the end').to.deep.equal([]);
    expect(then.refusal(confirm('100'))).to.equal('CONFLICT');
  });

  it('does not exist before it begins, and for other businesses', () => {
    expect(past().refusal(confirm('100'))).to.equal('NOT_FOUND');
    expect(past(begin()).refusal(confirm('100', NOW, 2))).to.equal('NOT_FOUND');
    expect(past().when(expire(END)).types).to.deep.equal([]);
  });

  it('expires by time alone, and the timer records the expiry once', () => {
    const begun = past(begin());
    expect(begun.when(confirm('100', END - 1)).types).to.deep.equal(['BankTransferConfirmed']);
    expect(begun.refusal(confirm('100', END)), 'not recorded yet').to.equal('CONFLICT');
    expect(begun.when(expire(END - 1)).types).to.deep.equal([]);
    expect(begun.when(expire(END, 'another timer')).types).to.deep.equal([]);
    const { types, then } = begun.when(expire(END));
    expect(types).to.deep.equal(['TopUpExpired']);
    expect(then.when(expire(END)).types).to.deep.equal([]);
    expect(then.refusal(confirm('100', NOW)), 'recorded').to.equal('CONFLICT');
    expect(past(begin(), confirm('100')).when(expire(END)).types, 'confirmed').to.deep.equal([]);
  });

  it('derives the ids of its events from the top-up, so that simultaneous confirmations append one event', () => {
    const idsOf = (amount: string) => past(begin()).when(confirm(amount)).ids;
    expect(idsOf('1')).to.deep.equal(idsOf('2'));
    expect(new Set([...past().when(begin()).ids, ...idsOf('1'), ...past(begin()).when(expire(END)).ids]).size).to.equal(
      3,
    );
  });

  it('encrypts the reference of the bank with the key of the customer', () => {
    const { past: facts } = past(begin(), confirm('1'));
    expect(facts.at(-1)!.subject).to.equal(accountSubject(7));
    expect(BankTransferConfirmed.personal).to.deep.equal({ bank_reference: true });
    // Texts of the provider, and the evidence of staff, are personal in all effects.
    const steps: readonly { readonly type: string }[] = [...stepEvents(CARD_PAYMENT), ...stepEvents(CARD_REFUND)];
    const own = TOP_UP_EVENTS.filter((one) => !steps.some(({ type }) => type === one.type));
    for (const { type, personal } of own.filter((one) => one.type !== BankTransferConfirmed.type))
      expect(personal, type).to.deep.equal({});
  });

  it('is the only reason for which customers hold `billing:write`', () => {
    const operations = describeOperations().filter(
      ({ scopes, callers }) => scopes?.includes('billing:write') && callers.includes('customer'),
    );
    expect(operations.map(({ name }) => name)).to.deep.equal(['topUpCreate']);
  });
});
