/** Reads the state of a payment at the provider, and ends a payment that is not made any more. */
import type { RefundStatus } from '../../events/wallet/card-payments.js';
import type { Outcome } from '../outside/adapter.js';
import { fromCardAmount } from './card-amounts.js';
import { callStripe, type StripeAccount } from './stripe-client.js';
import {
  disputeSchema,
  intentSchema,
  isSession,
  listOf,
  refundSchema,
  refundStatusOf,
  sessionSchema,
  type Intent,
  type Session,
} from './stripe-objects.js';

export interface ReadCall {
  readonly account: StripeAccount;
  readonly signal: AbortSignal;
  /** The payment intent, or the checkout session. */
  readonly remoteId: string;
}

/** The top-up that a payment must name in its `metadata`. */
export interface PaidTopUp {
  readonly topUpId: number;
  /** RFC 3339. Another database with the same account has other times for the same id. */
  readonly expiresAt: string;
}

export type PaymentStatus = 'pending' | 'processing' | 'succeeded' | 'failed';

export interface PaymentState {
  readonly status: PaymentStatus;
  /** Why it failed. */
  readonly code?: string;
  /** The payment intent; absent: the customer has not started to pay on the hosted page. */
  readonly paymentId?: string;
  /** ISO 4217, in capital letters. */
  readonly currency?: string;
  /** For a payment that succeeded. */
  readonly amount?: string;
  readonly refunds: readonly { readonly refundId: string; readonly status: RefundStatus; readonly code?: string }[];
  /** Disputes for which the provider has taken the amount back, and those that are won. */
  readonly disputes: readonly {
    readonly id: string;
    readonly amount: string;
    readonly currency: string;
    readonly isWon: boolean;
  }[];
  /** What the app of the customer needs to pay. Never stored. */
  readonly clientSecret?: string;
  readonly url?: string;
}

/** Maximum number of refunds and of disputes of a payment; the service begins at most as many refunds. */
const LIMIT = 100;

/** Statuses of disputes after which the amount is gone. Inquiries (`warning_...`) take nothing. */
const TAKEN = new Set(['needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review', 'lost']);

/**
 * `not_done`: the account has no such payment, or the payment belongs to another top-up. Staff can settle an effect with
 * any id, and businesses share the account of the operator.
 */
export async function readPayment(call: ReadCall & { readonly topUp: PaidTopUp }): Promise<Outcome<PaymentState>> {
  const read = isSession(call.remoteId) ? await readSession(call) : await readIntent(call, call.remoteId);
  if (read.is !== 'done') return read;
  const { intent, session } = read.result;
  if (!isPaymentOf(call.topUp, (session ?? intent)?.metadata))
    return { is: 'not_done', code: 'other_payment', final: true };
  const state = { ...statusOf(intent, session), ...linkOf(intent, session), refunds: [], disputes: [] };
  if (!intent || state.status !== 'succeeded') return { is: 'done', result: state };
  const money = await readReturns(call, intent.id);
  return money.is === 'done' ? { is: 'done', result: { ...state, ...money.result } } : money;
}

/** The account does not have the object: the business has changed to another account. */
const MISSING = new Set(['resource_missing']);
/** The payment was made, or has ended, in the meantime. */
const NOT_OPEN = new Set(['payment_intent_unexpected_state', 'invalid_request', ...MISSING]);

/** Ends a payment that was not made. `not_done`: it cannot be ended, because it was made or has ended. */
export function endPayment({ account, signal, remoteId }: ReadCall): Promise<Outcome<unknown>> {
  return isSession(remoteId)
    ? callStripe({
        account,
        signal,
        refusals: NOT_OPEN,
        schema: sessionSchema,
        send: (client) => client.checkout.sessions.expire(remoteId),
      })
    : callStripe({
        account,
        signal,
        refusals: NOT_OPEN,
        schema: intentSchema,
        send: (client) => client.paymentIntents.cancel(remoteId, { cancellation_reason: 'abandoned' }),
      });
}

/** The top-up of a payment intent, as the service noted it when it prepared the payment. */
export async function topUpOfIntent({ account, signal, remoteId }: ReadCall): Promise<Outcome<number | undefined>> {
  const read = await readIntent({ account, signal }, remoteId);
  if (read.is !== 'done') return read;
  return { is: 'done', result: topUpIdIn(read.result.intent?.metadata) };
}

type Metadata = Readonly<Record<string, string>> | null | undefined;

/** The id that the service put into `metadata`. */
export function topUpIdIn(metadata: Metadata): number | undefined {
  const text = metadata?.['top_up_id'];
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

/** Whether `metadata` names the top-up. */
export const isPaymentOf = ({ topUpId, expiresAt }: PaidTopUp, metadata: Metadata): boolean =>
  topUpIdIn(metadata) === topUpId && metadata?.['expires_at'] === expiresAt;

interface Read {
  readonly intent: Intent | undefined;
  readonly session?: Session;
}

async function readIntent(
  { account, signal }: Pick<ReadCall, 'account' | 'signal'>,
  id: string,
): Promise<Outcome<Read>> {
  const read = await callStripe({
    account,
    signal,
    refusals: MISSING,
    schema: intentSchema,
    send: (client) => client.paymentIntents.retrieve(id),
  });
  return read.is === 'done' ? { is: 'done', result: { intent: read.result } } : read;
}

async function readSession(call: ReadCall): Promise<Outcome<Read>> {
  const read = await callStripe({
    account: call.account,
    signal: call.signal,
    refusals: MISSING,
    schema: sessionSchema,
    send: (client) => client.checkout.sessions.retrieve(call.remoteId, { expand: ['payment_intent'] }),
  });
  if (read.is !== 'done') return read;
  const { payment_intent: intent } = read.result;
  return {
    is: 'done',
    result: { session: read.result, intent: typeof intent === 'object' ? (intent ?? undefined) : undefined },
  };
}

function statusOf(intent: Intent | undefined, session: Session | undefined) {
  if (intent?.status === 'succeeded') {
    const currency = intent.currency.toUpperCase();
    return {
      status: 'succeeded' as const,
      paymentId: intent.id,
      currency,
      amount: fromCardAmount(intent.amount_received, currency),
    };
  }
  if (intent?.status === 'processing') return { status: 'processing' as const, paymentId: intent.id };
  if (intent?.status === 'canceled')
    return { status: 'failed' as const, code: intent.cancellation_reason ?? 'canceled', paymentId: intent.id };
  if (session?.status === 'expired') return { status: 'failed' as const, code: 'expired' };
  return { status: 'pending' as const };
}

function linkOf(intent: Intent | undefined, session: Session | undefined) {
  if (session) return typeof session.url === 'string' ? { url: session.url } : {};
  return typeof intent?.client_secret === 'string' ? { clientSecret: intent.client_secret } : {};
}

/** The refunds that the service has started, and the disputes. */
async function readReturns(
  { account, signal }: ReadCall,
  paymentIntent: string,
): Promise<Outcome<Pick<PaymentState, 'refunds' | 'disputes'>>> {
  const of = { payment_intent: paymentIntent, limit: LIMIT };
  const refunds = await callStripe({
    account,
    signal,
    schema: listOf(refundSchema),
    send: (client) => client.refunds.list(of),
  });
  if (refunds.is !== 'done') return refunds;
  const disputes = await callStripe({
    account,
    signal,
    schema: listOf(disputeSchema),
    send: (client) => client.disputes.list(of),
  });
  if (disputes.is !== 'done') return disputes;
  return {
    is: 'done',
    result: {
      refunds: refunds.result.data.flatMap(({ metadata, status, failure_reason }) => {
        const refundId = metadata?.['refund_id'];
        const known = { status: refundStatusOf(status), code: failure_reason ?? 'failed' };
        return refundId === undefined ? [] : [{ refundId, ...known }];
      }),
      disputes: disputes.result.data
        .filter(({ status }) => TAKEN.has(status) || status === 'won')
        .map(({ id, amount, currency: code, status }) => {
          const currency = code.toUpperCase();
          return { id, amount: fromCardAmount(amount, currency), currency, isWon: status === 'won' };
        }),
    },
  };
}
