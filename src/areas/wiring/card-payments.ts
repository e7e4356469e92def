/**
 * Card payments: what the provider reports, recorded in the top-up, and booked in the wallet. A message of the provider
 * and the reads at intervals both end here, so the content of a message never changes money.
 */
import type { Cause, Handle } from '../../commands/core/handle.js';
import type { BookCard, TopUpReader } from '../../commands/wallet/booking-cards.js';
import { isOpenRefund } from '../../commands/wallet/card-state.js';
import type { TopUpCommand, TopUpState } from '../../commands/wallet/top-ups.js';
import type { Outcome } from '../../engines/outside/adapter.js';
import { changedPayment, verifiedId } from '../../engines/payments/stripe-messages.js';
import {
  endPayment,
  readPayment,
  topUpIdIn,
  topUpOfIntent,
  type PaidTopUp,
  type PaymentState,
} from '../../engines/payments/stripe-reader.js';
import { withTimeout } from '../../engines/timeouts.js';
import type { Position } from '../../events/core/log.js';
import type { TimeLimits } from '../../events/core/time-limits.js';
import type { EffectReply } from '../../events/effects/records.js';
import { derivedId } from '../../events/otep/identity.js';
import { CARD_ADAPTER } from '../../events/wallet/card-payments.js';
import { topUpStream, type BegunTopUp } from '../../events/wallet/top-ups.js';
import type { InboundAdapter, InboundMessage } from '../../effects/inbound.js';
import type { Performer } from '../../effects/performer.js';
import type { AccountKeys, PaymentAccounts } from './payment-accounts.js';

export interface CardPaymentsOptions {
  readonly accounts: PaymentAccounts;
  readonly performer: Pick<Performer, 'call'>;
  readonly read: TopUpReader;
  readonly topUps: Handle<TopUpCommand, EffectReply>;
  readonly book: BookCard;
  readonly limits: TimeLimits;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The provider did not respond, or its response cannot be used. `code`: why. */
export class PaymentUnread extends Error {
  override readonly name = 'PaymentUnread';

  constructor(readonly code: string) {
    super(`The payment could not be read: ${code}.`);
  }
}

/** What an app needs to pay. Null: not available now. */
export interface PaymentLink {
  readonly clientSecret: string | null;
  readonly url: string | null;
}

/** Whether the payment, or a refund of it, can still change soon. `refund`: only a refund can. */
export type Expectation = 'payment' | 'refund' | undefined;

const causeOf = (topUpId: number, business: number): Cause => ({
  correlationId: derivedId('card payment', topUpId),
  actor: { kind: 'system', id: 'payments' },
  channel: 'system',
  business: String(business),
});

export type CardPayments = ReturnType<typeof createCardPayments>;

export function createCardPayments({ accounts, performer, read, topUps, book, limits, now }: CardPaymentsOptions) {
  /** Makes one call, which counts for the circuit of the account. */
  async function call<Result>(
    account: string,
    send: (keys: AccountKeys, signal: AbortSignal) => Promise<Outcome<Result>>,
  ): Promise<Outcome<Result>> {
    const keys = await accounts.keysOf(account);
    if (!keys) return { is: 'not_done', code: 'no_account', final: false };
    return performer.call({ adapter: CARD_ADAPTER, account }, (signal) => send(keys, signal));
  }

  const readAt = ({ account, ...topUp }: CardOf, remoteId: string): Promise<Outcome<PaymentState>> =>
    call(account, (keys, signal) => readPayment({ account: keys, signal, remoteId, topUp }));

  /**
   * Reads for apps: requests of the same time share one, so customers cannot multiply the calls. Otherwise one customer
   * could use up the rate limit of an account that all businesses share.
   */
  const reading = new Map<string, Promise<Outcome<PaymentState>>>();
  function readForApp(card: CardOf, remoteId: string): Promise<Outcome<PaymentState>> {
    const key = JSON.stringify([card.account, card.topUpId, remoteId]);
    const known = reading.get(key);
    if (known) return known;
    const started = readAt(card, remoteId);
    reading.set(key, started);
    const forget = () => reading.delete(key);
    started.then(({ is }) => (is === 'done' ? setTimeout(forget, limits.paymentReadMs).unref() : forget()), forget);
    return started;
  }

  /** Records what the provider reports. Throws PaymentUnread. */
  async function refresh(stream: string): Promise<Expectation> {
    const { state } = await read(stream);
    const { begun, card } = state;
    if (!begun?.card || card.remoteId === undefined) return undefined;
    const { topup_id: topUpId, expires_at: expiresAt } = begun;
    const seen = await readAt({ account: begun.card.account, topUpId, expiresAt }, card.remoteId);
    if (seen.is === 'unknown') throw new PaymentUnread(seen.cause);
    // The account of the payment is not the one of the keys any more. It may be again. Or it is another's payment.
    if (seen.is === 'not_done') return expectedOf(state);
    mustHaveCurrency(seen.result, begun);
    await record(stream, begun, seen.result);
    const after = (await read(stream)).state;
    const expected = expectedOf(after);
    if (seen.result.status === 'failed') return expected === 'payment' ? undefined : expected;
    if (seen.result.status !== 'pending' || !after.hasExpired) return expected;
    // The payment is ended at the provider only now, because a top-up counts if it was paid before.
    await call(begun.card.account, (keys, signal) => endPayment({ account: keys, signal, remoteId: card.remoteId! }));
    return 'payment';
  }

  async function record(stream: string, begun: BegunTopUp, seen: PaymentState): Promise<Position | undefined> {
    const { status, amount, paymentId, code, refunds, disputes } = seen;
    const payment =
      status === 'succeeded'
        ? { status, amount: amount!, paymentId: paymentId! }
        : status === 'failed'
          ? { status, code: code! }
          : { status };
    const cause = causeOf(begun.topup_id, begun.business);
    const { position } = await topUps(stream, { do: 'report', payment, refunds, disputes }, cause);
    // Disputes are recorded for a payment that is recorded: the first report of both has two steps.
    if (status === 'succeeded' && disputes.length > 0)
      await topUps(stream, { do: 'report', payment, refunds, disputes }, cause);
    return (await book(stream)) ?? position;
  }

  return {
    refresh,

    /** Reads what the app of the customer needs to pay, for at most a part of the time of a request. */
    async linkOf(card: CardOf, remoteId: string): Promise<PaymentLink> {
      const seen = await withTimeout(
        readForApp(card, remoteId),
        limits.paymentReadMs,
        () => new PaymentUnread('timeout'),
      ).catch(() => undefined);
      const { clientSecret = null, url = null, status = undefined } = seen?.is === 'done' ? seen.result : {};
      return status === 'pending' ? { clientSecret, url } : { clientSecret: null, url: null };
    },

    inbound: {
      adapter: CARD_ADAPTER,
      accountOf: accounts.ofToken,
      async verify({ account, bytes, header }) {
        const keys = await accounts.keysOf(account);
        if (!keys) return undefined;
        const signature = header('stripe-signature');
        return verifiedId({ bytes, signature, secret: keys.webhookSecret, now: now() });
      },
      async process(message: InboundMessage) {
        const topUpId = await topUpOf(message);
        if (topUpId === undefined) return;
        const stream = topUpStream(topUpId);
        const { begun } = (await read(stream)).state;
        // An account can only make the service read its own payments.
        if (begun?.card?.account === message.account) await refresh(stream);
      },
    } satisfies InboundAdapter,
  };

  /** The top-up that a message is about: by the member of the message, or else by the payment at the provider. */
  async function topUpOf({ account, bytes }: InboundMessage): Promise<number | undefined> {
    const changed = changedPayment(bytes);
    const named = topUpIdIn(changed?.metadata);
    if (named !== undefined || changed?.paymentId === undefined) return named;
    const remoteId = changed.paymentId;
    const seen = await call(account, (keys, signal) => topUpOfIntent({ account: keys, signal, remoteId }));
    if (seen.is === 'unknown') throw new PaymentUnread(seen.cause);
    return seen.is === 'done' ? seen.result : undefined;
  }
}

type CardOf = Pick<NonNullable<BegunTopUp['card']>, 'account'> & PaidTopUp;

/** Money in another currency is never recorded: staff see the message that could not be processed. */
function mustHaveCurrency({ status, currency, disputes }: PaymentState, begun: BegunTopUp): void {
  if (status !== 'succeeded') return;
  if (currency !== begun.currency || disputes.some((dispute) => dispute.currency !== begun.currency))
    throw new PaymentUnread('CURRENCY_MISMATCH');
}

function expectedOf({ card }: TopUpState): Expectation {
  if (card.received === undefined && card.failure === undefined) return 'payment';
  return [...card.refunds.values()].some((refund) => isOpenRefund(refund)) ? 'refund' : undefined;
}
