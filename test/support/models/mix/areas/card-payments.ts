/** Random commands to top-ups by card: what the provider reports, refunds and disputes. */
import type { Expire } from '../../../../../src/events/core/timers.js';
import { topUps, type TopUpCommand } from '../../../../../src/commands/wallet/top-ups.js';
import { effectIdFor } from '../../../../../src/events/effects/effect-id.js';
import type { EffectRecord } from '../../../../../src/events/effects/records.js';
import { derivedId } from '../../../../../src/events/otep/identity.js';
import { CARD_PAYMENT, CARD_REFUND } from '../../../../../src/events/wallet/card-payments.js';
import { TOP_UP_EXPIRY, topUpStream } from '../../../../../src/events/wallet/top-ups.js';
import { generator, rarely, type Act, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

type Command = Exclude<TopUpCommand, Expire>;

const EUR = 'EUR';
const accountOf = ({ id }: Tools): number => id(1);
/** Few refunds and disputes of a top-up, so that commands meet. */
const refundIdOf = (id: number, pick: Pick): string => derivedId('mix refund', id, pick.of(3));
const amountOf = (pick: Pick): string => `${pick.of(4)}.${10 * pick.of(9)}`;

const act =
  (command: (tools: Tools, pick: Pick, id: number) => Command): Act =>
  (tools, pick) => {
    const id = tools.existing(pick);
    return tools.send(topUps, topUpStream(id), command(tools, pick, id));
  };
/** A step of an effect of the top-up. */
const step = (id: number, kind: string, about: string, record: EffectRecord): Command => ({
  do: 'effect',
  kind,
  effectId: effectIdFor({ stream: topUpStream(id), kind, about, attempt: 1 }),
  record,
});

export const MIX = generator({
  begin(tools, pick) {
    const id = tools.fresh();
    const card = {
      provider: pick.one('stripe', 'test'),
      account: 'operator',
      checkout: pick.one('embedded', 'hosted'),
      returnUrl: 'https://shop.example/',
      digest: 'digest',
    } as const;
    const command = { do: 'begin' as const, id, business: tools.business, accountId: accountOf(tools), currency: EUR };
    return tools.send(topUps, topUpStream(id), { ...command, amount: `${20 + pick.of(9)}`, card, at: tools.now });
  },
  prepare: act((_tools, _pick, id) =>
    step(id, CARD_PAYMENT.kind, 'payment', { step: 'done', result: { remote_id: `pi_${id}` } }),
  ),
  refuse: (tools, pick) =>
    rarely(pick, 4, () => {
      const id = tools.existing(pick);
      const refused = { step: 'refused', code: 'amount_too_small', final: true } as const;
      return tools.send(topUps, topUpStream(id), step(id, CARD_PAYMENT.kind, 'payment', refused)) as Promise<never>;
    }),
  process: act(() => ({ do: 'report', payment: { status: 'processing' }, refunds: [], disputes: [] })),
  fail: (tools, pick) =>
    rarely(pick, 4, () => {
      const payment = { status: 'failed', code: 'canceled' } as const;
      const command = { do: 'report', payment, refunds: [], disputes: [] } as const;
      return tools.send(topUps, topUpStream(tools.existing(pick)), command) as Promise<never>;
    }),
  report: act((_tools, pick, id) => ({
    do: 'report',
    payment: { status: 'succeeded', amount: '20.00', paymentId: `pi_${id}` },
    refunds: [{ refundId: refundIdOf(id, pick), status: pick.one('pending', 'succeeded', 'failed') }],
    disputes: pick.of(3) === 1 ? [{ id: `du_${pick.of(2)}`, amount: '2.00', isWon: pick.of(2) === 1 }] : [],
  })),
  requestRefund: act((tools, pick, id) => ({
    do: 'request_refund',
    refundId: refundIdOf(id, pick),
    business: tools.business,
    accountId: accountOf(tools),
    currency: EUR,
    amount: amountOf(pick),
    by: pick.of(3),
  })),
  beginRefund: act((_tools, pick, id) => ({ do: 'begin_refund', refundId: refundIdOf(id, pick), digest: 'digest' })),
  acceptRefund: act((_tools, pick, id) =>
    step(id, CARD_REFUND.kind, refundIdOf(id, pick), {
      step: 'done',
      result: { remote_id: `re_${id}`, status: pick.one('pending', 'succeeded', 'failed') },
    }),
  ),
  refuseRefund: act((_tools, pick, id) => ({
    do: 'refuse_refund',
    refundId: refundIdOf(id, pick),
    code: 'INSUFFICIENT_FUNDS',
  })),
  expire: (tools, pick) => tools.expire(topUps, topUpStream(tools.existing(pick)), TOP_UP_EXPIRY, pick.of(2) * 12),
});
