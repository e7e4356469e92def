/** The read model of top-ups. Personal data stays encrypted. */
import {
  CardPaymentProcessing,
  CardRefundMade,
  CardRefundRefused,
  CardRefundRequested,
  CARD_PAYMENT,
  TopUpDisputed,
  TopUpDisputeWon,
  TopUpFailed,
  TopUpSucceeded,
  type Checkout,
  type PaymentProvider,
} from '../../events/wallet/card-payments.js';
import { compare, sum } from '../../events/core/money.js';
import {
  BankTransferConfirmed,
  TOP_UP_PREFIX,
  TopUpBegun,
  TopUpExpired,
  type TopUpMethod,
} from '../../events/wallet/top-ups.js';
import { code, decimal, integer, json, optional, text, type RowOf } from '../core/columns.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

export const TOP_UP_IDS = sequence('topups', { readModel: 'topups', table: 'topups.topups' });

export const TOP_UP_STATUSES = [
  'pending',
  'processing',
  'succeeded',
  'partly_refunded',
  'refunded',
  'disputed',
  'failed',
  'expired',
] as const;
export type TopUpStatus = (typeof TOP_UP_STATUSES)[number];

/** A part of a card payment that staff return to the card. */
export interface StoredRefund {
  readonly id: string;
  readonly amount: string;
  readonly status: 'pending' | 'made' | 'refused';
  readonly code: string | null;
}

export interface StoredDispute {
  readonly id: string;
  readonly amount: string;
  readonly is_won: boolean;
}

const columns = {
  id: integer(),
  business: integer(),
  account_id: integer(),
  /** The recorded status. Reads treat a pending top-up as expired from `expires_at` on. */
  status: text<TopUpStatus>(),
  method: text<TopUpMethod>(),
  amount: decimal(),
  received_amount: optional(decimal()),
  currency: code(),
  reference: code(),
  order_id: optional(integer()),
  /** RFC 3339 in UTC. */
  created_at: code(),
  expires_at: code(),
  confirmed_at: optional(code()),
  /** Only for the method `card`, like the following members. */
  provider: optional(text<PaymentProvider>()),
  account: optional(code()),
  checkout: optional(text<Checkout>()),
  /** The payment intent or the checkout session at the provider. */
  remote_id: optional(code()),
  /** The payment intent of the received amount. */
  payment_id: optional(code()),
  failure_code: optional(code()),
  refunds: json<StoredRefund[]>(),
  disputes: json<StoredDispute[]>(),
  sealed: json<SealedMembers[]>(),
  revision: integer(),
};
export type TopUpRow = RowOf<typeof columns>;

/** The status of a payment that succeeded. */
function succeededStatus({
  received_amount,
  currency,
  refunds,
  disputes,
}: Pick<TopUpRow, 'received_amount' | 'currency' | 'refunds' | 'disputes'>): TopUpStatus {
  if (disputes.some(({ is_won }) => !is_won)) return 'disputed';
  const made = refunds.filter(({ status }) => status === 'made').map(({ amount }) => ({ amount, currency }));
  if (made.length === 0) return 'succeeded';
  return compare(sum({ amount: '0', currency }, ...made).amount, received_amount!) < 0 ? 'partly_refunded' : 'refunded';
}

const withRefund = (row: TopUpRow, id: string, change: Pick<StoredRefund, 'status'> & Partial<StoredRefund>) => {
  const refunds = row.refunds.map((refund) => (refund.id === id ? { ...refund, ...change } : refund));
  return { refunds, status: succeededStatus({ ...row, refunds }) };
};

const withDispute = (row: TopUpRow, dispute: StoredDispute) => {
  const disputes = [...row.disputes.filter(({ id }) => id !== dispute.id), dispute];
  return { disputes, status: succeededStatus({ ...row, disputes }) };
};

export const topUps = table({
  name: 'topups',
  version: 2,
  prefixes: [TOP_UP_PREFIX],
  columns,
  indexes: ['(account_id, id desc)', '(business, id desc)'],
  fold: startsWith(
    TopUpBegun,
    (
      { topup_id, business, account_id, amount, currency, method, reference, order_id, expires_at, card },
      event,
    ): TopUpRow => ({
      id: topup_id,
      business,
      account_id,
      status: 'pending',
      method,
      amount,
      received_amount: null,
      currency,
      reference,
      order_id: order_id ?? null,
      created_at: recordedAt(event),
      expires_at,
      confirmed_at: null,
      provider: card?.provider ?? null,
      account: card?.account ?? null,
      checkout: card?.checkout ?? null,
      remote_id: null,
      payment_id: null,
      failure_code: null,
      refunds: [],
      disputes: [],
      sealed: [],
      revision: event.revision,
    }),
  )
    .on(BankTransferConfirmed, ({ amount }, _row, event) => ({
      status: 'succeeded',
      received_amount: amount,
      confirmed_at: recordedAt(event),
      sealed: [sealedMembersOf(event)],
    }))
    .on(TopUpExpired, () => ({ status: 'expired' }))
    .on(CARD_PAYMENT.done, ({ result }) => ({ remote_id: result['remote_id'] as string }))
    .on(CardPaymentProcessing, (_data, { status }) => ({ status: status === 'pending' ? 'processing' : status }))
    .on(TopUpSucceeded, ({ amount, payment_id }, _row, event) => ({
      status: 'succeeded',
      received_amount: amount,
      payment_id,
      failure_code: null,
      confirmed_at: recordedAt(event),
    }))
    .on(TopUpFailed, ({ code: failure_code }) => ({ status: 'failed', failure_code }))
    .on(CardRefundRequested, ({ refund_id: id, amount }, { refunds }) => ({
      refunds: [...refunds, { id, amount, status: 'pending', code: null }],
    }))
    .on(CardRefundMade, ({ refund_id }, row) => withRefund(row, refund_id, { status: 'made' }))
    .on(CardRefundRefused, ({ refund_id, code }, row) => withRefund(row, refund_id, { status: 'refused', code }))
    .on(TopUpDisputed, ({ dispute_id: id, amount }, row) => withDispute(row, { id, amount, is_won: false }))
    .on(TopUpDisputeWon, ({ dispute_id: id, amount }, row) => withDispute(row, { id, amount, is_won: true })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'topups', { 'topups.topups': TopUpRow }> {}
}
