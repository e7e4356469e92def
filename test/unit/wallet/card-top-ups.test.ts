/** The rules of top-ups by card, by given, when, then. */
import { expect } from 'chai';
import { topUps, type TopUpCommand } from '../../../src/commands/wallet/top-ups.js';
import { effectIdFor } from '../../../src/events/effects/effect-id.js';
import type { EffectRecord } from '../../../src/events/effects/records.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { CARD_PAYMENT, CARD_REFUND } from '../../../src/events/wallet/card-payments.js';
import { TOP_UP_EXPIRY, topUpStream } from '../../../src/events/wallet/top-ups.js';
import { given } from '../../support/checks/given.js';
import { HOUR, NOW } from './commands.js';

const ID = 12;
const STREAM = topUpStream(ID);
const R1 = derivedId('refund', 1);
const R2 = derivedId('refund', 2);

const past = (...commands: readonly TopUpCommand[]) => given(topUps, ...commands);
const begin = (digest = 'digest'): TopUpCommand => ({
  do: 'begin',
  id: ID,
  business: 1,
  accountId: 7,
  amount: '50',
  currency: 'EUR',
  at: NOW,
  card: { provider: 'stripe', account: 'operator', checkout: 'embedded', digest },
});
const effect = (kind: string, about: string, record: EffectRecord): TopUpCommand => ({
  do: 'effect',
  kind,
  effectId: effectIdFor({ stream: STREAM, kind, about, attempt: 1 }),
  record,
});
const prepared = effect(CARD_PAYMENT.kind, 'payment', { step: 'done', result: { remote_id: 'pi_1' } });
type Report = Extract<TopUpCommand, { do: 'report' }>;
const report = (payment: Report['payment'], more: Partial<Report> = {}): TopUpCommand => ({
  do: 'report',
  payment,
  refunds: [],
  disputes: [],
  ...more,
});
const succeeded = (amount = '50', more: Partial<Report> = {}) =>
  report({ status: 'succeeded', amount, paymentId: 'pi_1' }, more);
const refund = (refundId: string, amount: string, more: object = {}): TopUpCommand => ({
  do: 'request_refund',
  refundId,
  business: 1,
  accountId: 7,
  currency: 'EUR',
  amount,
  by: 3,
  ...more,
});
const beginRefund = (refundId: string): TopUpCommand => ({ do: 'begin_refund', refundId, digest: 'digest' });
const refundStep = (refundId: string, status: string): TopUpCommand =>
  effect(CARD_REFUND.kind, refundId, { step: 'done', result: { remote_id: 're_1', status } });
const expire: TopUpCommand = {
  do: 'expire',
  commandId: 'timer',
  stream: STREAM,
  name: TOP_UP_EXPIRY,
  at: NOW + 24 * HOUR,
  now: NOW + 24 * HOUR,
};

describe('decider of top-ups by card', () => {
  const paid = past(begin(), prepared, succeeded());

  it('begins the top-up and its payment in one append, once, and ends it after 24 hours', () => {
    const { types, facts, then, reply } = past().when(begin());
    expect(types).to.deep.equal(['TopUpBegun', 'CardPaymentBegun']);
    expect(facts[0]!.data).to.deep.include({
      method: 'card',
      amount: '50.00',
      expires_at: new Date(NOW + 24 * HOUR).toISOString(),
      card: { provider: 'stripe', account: 'operator', checkout: 'embedded' },
    });
    expect(reply.effect).to.include({ step: 'begun', account: 'operator', digest: 'digest' });
    const again = then.when(begin());
    expect(again.types).to.deep.equal([]);
    expect(again.reply.effect?.effectId).to.equal(reply.effect!.effectId);
    expect(then.refusal({ ...begin(), amount: '51' } as TopUpCommand)).to.equal('CONFLICT');
    const { card: _card, ...byBank } = begin() as Extract<TopUpCommand, { do: 'begin' }>;
    expect(then.refusal(byBank)).to.equal('CONFLICT');
  });

  it('R9: records the amount that the provider reports, once', () => {
    const open = past(begin(), prepared);
    const { types, facts, then } = open.when(succeeded('49.5'));
    expect(types).to.deep.equal(['TopUpSucceeded']);
    expect(facts[0]!.data).to.deep.equal({ amount: '49.50', payment_id: 'pi_1' });
    expect(then.when(succeeded('49.5')).types).to.deep.equal([]);
    expect(then.when(succeeded('60')).types).to.deep.equal([]);
    expect(then.when(report({ status: 'failed', code: 'canceled' })).types).to.deep.equal([]);
    expect(open.when(report({ status: 'pending' })).types).to.deep.equal([]);
  });

  it('fails once, and a payment that succeeds after a failure or an expiry counts', () => {
    const open = past(begin(), prepared);
    const failed = open.when(report({ status: 'failed', code: 'canceled' }));
    expect(failed.types).to.deep.equal(['TopUpFailed']);
    expect(failed.then.when(report({ status: 'failed', code: 'canceled' })).types).to.deep.equal([]);
    expect(failed.then.when(expire).types).to.deep.equal([]);
    expect(failed.then.when(succeeded()).types).to.deep.equal(['TopUpSucceeded']);
    const expired = open.when(expire);
    expect(expired.types).to.deep.equal(['TopUpExpired']);
    expect(
      expired.then.when(report({ status: 'failed', code: 'abandoned' })).types,
      'the service ended it',
    ).to.deep.equal([]);
    expect(expired.then.when(succeeded()).types).to.deep.equal(['TopUpSucceeded']);
    expect(paid.when(expire).types).to.deep.equal([]);
  });

  it('is processing once', () => {
    const processing = past(begin(), prepared).when(report({ status: 'processing' }));
    expect(processing.types).to.deep.equal(['CardPaymentProcessing']);
    expect(processing.then.when(report({ status: 'processing' })).types).to.deep.equal([]);
    expect(paid.when(report({ status: 'processing' })).types).to.deep.equal([]);
  });

  it('fails with a payment that the provider refuses, in the same append', () => {
    const refused = effect(CARD_PAYMENT.kind, 'payment', { step: 'refused', code: 'amount_too_small', final: true });
    const { types, then } = past(begin()).when(refused);
    expect(types).to.deep.equal(['CardPaymentRefused', 'TopUpFailed']);
    expect(then.when(begin()).types, 'not attempted again').to.deep.equal([]);
  });

  it('is not confirmed like a bank transfer', () => {
    const confirm = { do: 'confirm', id: ID, business: 1, amount: '50', by: 3, at: NOW } as const;
    expect(past(begin()).refusal(confirm)).to.equal('CONFLICT');
  });

  it('R11: refunds at most the received amount, minus returned and disputed amounts', () => {
    expect(paid.refusal(refund(R1, '50.01'))).to.equal('AMOUNT_TOO_HIGH');
    expect(past(begin(), prepared).refusal(refund(R1, '1'))).to.equal('CONFLICT');
    expect(paid.refusal(refund(R1, '1', { business: 2 }))).to.equal('NOT_FOUND');
    expect(paid.refusal(refund(R1, '1', { accountId: 8 }))).to.equal('NOT_FOUND');
    expect(paid.refusal(refund(R1, '1', { currency: 'USD' }))).to.equal('CONFLICT');
    const first = paid.when(refund(R1, '30'));
    expect(first.types).to.deep.equal(['CardRefundRequested']);
    expect(first.then.when(refund(R1, '30')).types).to.deep.equal([]);
    expect(first.then.refusal(refund(R1, '31'))).to.equal('CONFLICT');
    expect(first.then.refusal(refund(R2, '20.01'))).to.equal('AMOUNT_TOO_HIGH');
    const refused = first.then.when({ do: 'refuse_refund', refundId: R1, code: 'INSUFFICIENT_FUNDS' });
    expect(refused.types).to.deep.equal(['CardRefundRefused']);
    expect(refused.then.when(refund(R2, '50')).types).to.deep.equal(['CardRefundRequested']);
    const disputed = paid.when(succeeded('50', { disputes: [{ id: 'du_1', amount: '20', isWon: false }] }));
    expect(disputed.types).to.deep.equal(['TopUpDisputed']);
    expect(disputed.then.refusal(refund(R1, '30.01'))).to.equal('AMOUNT_TOO_HIGH');
  });

  it('R11: a refund is begun once, made or refused once, and may fail after it was made', () => {
    const begun = paid.when(refund(R1, '30')).then.when(beginRefund(R1));
    expect(begun.types).to.deep.equal(['CardRefundBegun']);
    expect(begun.then.when(beginRefund(R1)).types).to.deep.equal([]);
    const made = begun.then.when(refundStep(R1, 'succeeded'));
    expect(made.types).to.deep.equal(['CardRefundAccepted', 'CardRefundMade']);
    const reported = (status: 'pending' | 'succeeded' | 'failed') =>
      succeeded('50', { refunds: [{ refundId: R1, status, code: 'lost_or_stolen_card' }] });
    expect(made.then.when(reported('succeeded')).types).to.deep.equal([]);
    const returned = made.then.when(reported('failed'));
    expect(returned.types).to.deep.equal(['CardRefundRefused']);
    expect(returned.then.when(reported('failed')).types).to.deep.equal([]);
    expect(returned.then.when(beginRefund(R1)).types).to.deep.equal([]);

    const pending = begun.then.when(refundStep(R1, 'pending'));
    expect(pending.types).to.deep.equal(['CardRefundAccepted']);
    expect(pending.then.when(reported('pending')).types).to.deep.equal([]);
    expect(pending.then.when(reported('succeeded')).types).to.deep.equal(['CardRefundMade']);
    expect(pending.then.when(reported('failed')).types).to.deep.equal(['CardRefundRefused']);

    const declined = effect(CARD_REFUND.kind, R1, { step: 'refused', code: 'charge_disputed', final: true });
    expect(begun.then.when(declined).types).to.deep.equal(['CardRefundDeclined', 'CardRefundRefused']);
  });

  it('records a dispute and its end once each, and only for a received payment', () => {
    const dispute = (isWon: boolean) => succeeded('50', { disputes: [{ id: 'du_1', amount: '50', isWon }] });
    expect(past(begin(), prepared).when(dispute(false)).types).to.deep.equal(['TopUpSucceeded']);
    const disputed = paid.when(dispute(false));
    expect(disputed.types).to.deep.equal(['TopUpDisputed']);
    expect(disputed.then.when(dispute(false)).types).to.deep.equal([]);
    const won = disputed.then.when(dispute(true));
    expect(won.types).to.deep.equal(['TopUpDisputeWon']);
    expect(won.then.when(dispute(true)).types).to.deep.equal([]);
    expect(paid.when(dispute(true)).types, 'won before it was known').to.deep.equal([]);
  });

  it('derives the ids of its events, so that simultaneous reports append one event', () => {
    const ids = (amount: string) => past(begin(), prepared).when(succeeded(amount)).ids;
    expect(ids('50')).to.deep.equal(ids('49'));
    const both = paid.when(refund(R1, '1')).then.when(refund(R2, '1'));
    expect(both.ids).not.to.deep.equal(paid.when(refund(R1, '1')).ids);
  });
});
