/** Changes of the objects of the test provider: payments, refunds and disputes, at once or later. */
import type { Card } from './cards.js';
import type { Messages } from './messages.js';
import {
  newDispute,
  newEvent,
  newId,
  newRefund,
  type DisputeItem,
  type IntentItem,
  type Metadata,
  type RefundItem,
  type SessionItem,
} from './objects.js';
import { failed, invalidAmount, missing, ok, type Reply } from './errors.js';
import type { Item, Kind, Store } from './store.js';

/** Something that happens at a time. */
interface LaterItem extends Item {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly what: 'succeed' | 'dispute' | 'refund_succeeds' | 'refund_fails';
  readonly target: string;
}

export interface LedgerOptions {
  readonly store: Store;
  readonly messages: Messages;
  /** Base URL of the provider. */
  readonly url: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Delay of later changes, in milliseconds. */
  readonly laterMs: number;
}

export type Ledger = ReturnType<typeof createLedger>;

const PAYABLE = new Set(['requires_payment_method', 'requires_confirmation', 'requires_action']);

export function createLedger({ store, messages, url, now, laterMs }: LedgerOptions) {
  function change<T extends Item>(kind: Kind, account: string, item: T, type: string | undefined): T {
    store.put(kind, account, item);
    if (type !== undefined) messages.add(account, newEvent(type, item, now()));
    return item;
  }
  const changeIntent = (account: string, intent: IntentItem, changes: Partial<IntentItem>, type: string) =>
    change('payment_intent', account, { ...intent, ...changes } as IntentItem, type);
  const later = (account: string, what: LaterItem['what'], target: string): void =>
    store.put('later', account, { id: newId('later'), at: now() + laterMs, what, target });
  const intentOf = (account: string, id: string) => store.get<IntentItem>('payment_intent', account, id);

  /** The customer pays. */
  function confirm(account: string, intent: IntentItem, card: Card, returnUrl: string | null): Reply {
    if (!PAYABLE.has(intent.status))
      return failed(400, {
        code: 'payment_intent_unexpected_state',
        message: `This PaymentIntent's status is ${intent.status}.`,
        payment_intent: intent,
      });
    const paid = { payment_method: card, last_payment_error: null, next_action: null };
    if (card === 'pm_card_chargeDeclined') {
      const error = { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline' };
      const message = 'Your card was declined.';
      const changes = { status: 'requires_payment_method', last_payment_error: { ...error, message } };
      const declined = changeIntent(account, intent, changes, 'payment_intent.payment_failed');
      return failed(402, { ...error, message, payment_intent: declined });
    }
    if (card === 'pm_card_authenticationRequired') {
      const redirect = { return_url: returnUrl, url: `${url()}/authenticate/${intent.id}` };
      const next = { redirect_to_url: redirect, type: 'redirect_to_url' };
      const changes = { ...paid, status: 'requires_action', next_action: next };
      return ok(changeIntent(account, intent, changes, 'payment_intent.requires_action'));
    }
    if (card === 'pm_card_succeedsLate') {
      later(account, 'succeed', intent.id);
      return ok(changeIntent(account, intent, { ...paid, status: 'processing' }, 'payment_intent.processing'));
    }
    const done = succeed(account, { ...intent, ...paid });
    if (card === 'pm_card_createDispute') later(account, 'dispute', intent.id);
    return ok(done);
  }

  function succeed(account: string, intent: IntentItem): IntentItem {
    const changes = {
      status: 'succeeded',
      amount_received: intent.amount,
      latest_charge: newId('ch'),
      next_action: null,
    };
    const done = changeIntent(account, intent, changes, 'payment_intent.succeeded');
    const session = store
      .list<SessionItem>('checkout.session', account)
      .find(({ payment_intent }) => payment_intent === intent.id);
    const paid = { status: 'complete', payment_status: 'paid', url: null };
    if (session) change('checkout.session', account, { ...session, ...paid }, 'checkout.session.completed');
    return done;
  }

  function cancel(account: string, id: string, reason: string | null): Reply {
    const intent = intentOf(account, id);
    if (!intent) return missing('payment_intent', id);
    if (!PAYABLE.has(intent.status))
      return failed(400, {
        code: 'payment_intent_unexpected_state',
        message: `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        payment_intent: intent,
      });
    const changes = { status: 'canceled', cancellation_reason: reason, canceled_at: Math.floor(now() / 1_000) };
    return ok(changeIntent(account, intent, changes, 'payment_intent.canceled'));
  }

  function refund(
    account: string,
    id: string,
    given: { readonly amount: number | undefined; readonly metadata: Metadata; readonly reason: string | null },
  ): Reply {
    const intent = intentOf(account, id);
    if (!intent) return missing('payment_intent', id);
    if (intent.status !== 'succeeded')
      return failed(400, { code: 'payment_intent_unexpected_state', message: 'This PaymentIntent has no charge.' });
    const earlier = store
      .list<RefundItem>('refund', account)
      .filter((one) => one.payment_intent === id && one.status !== 'failed' && one.status !== 'canceled');
    const left = intent.amount_received - earlier.reduce((total, one) => total + one.amount, 0);
    if (left === 0) return failed(400, { code: 'charge_already_refunded', message: 'The charge has been refunded.' });
    const { amount = left, metadata, reason } = given;
    if (!(amount > 0)) return invalidAmount();
    if (amount > left)
      return failed(400, { message: `Refund amount (${amount}) is greater than unrefunded amount (${left}).` });
    const card = intent.payment_method;
    const status = card === 'pm_card_pendingRefund' ? 'pending' : 'succeeded';
    const made = newRefund(intent, { amount, metadata, reason, status }, now());
    if (card === 'pm_card_pendingRefund') later(account, 'refund_succeeds', made.id);
    if (card === 'pm_card_refundFail') later(account, 'refund_fails', made.id);
    return ok(change('refund', account, made, 'refund.created'));
  }

  /** As in Stripe's test mode: the text `winning_evidence` wins a dispute, and `losing_evidence` loses it. */
  function decideDispute(account: string, id: string, evidence: string | undefined): Reply {
    const dispute = store.get<DisputeItem>('dispute', account, id);
    if (!dispute) return missing('dispute', id);
    const status = { winning_evidence: 'won', losing_evidence: 'lost' }[evidence ?? ''];
    if (status === undefined) return ok(change('dispute', account, dispute, 'charge.dispute.updated'));
    return ok(change('dispute', account, { ...dispute, status }, 'charge.dispute.closed'));
  }

  /** Makes the changes that are due. */
  function tick(): void {
    for (const { account, item } of store.all<LaterItem>('later')) {
      if (item.at > now()) continue;
      happen(account, item);
      store.remove('later', account, item.id);
    }
  }

  function happen(account: string, { what, target }: LaterItem): void {
    const intent = intentOf(account, target);
    if (what === 'succeed' && intent?.status === 'processing') succeed(account, intent);
    if (what === 'dispute' && intent) change('dispute', account, newDispute(intent, now()), 'charge.dispute.created');
    const made = store.get<RefundItem>('refund', account, target);
    if (what === 'refund_succeeds' && made)
      change('refund', account, { ...made, status: 'succeeded' }, 'refund.updated');
    if (what === 'refund_fails' && made)
      change(
        'refund',
        account,
        { ...made, status: 'failed', failure_reason: 'expired_or_canceled_card' },
        'refund.failed',
      );
  }

  return { change, confirm, succeed, cancel, refund, decideDispute, intentOf, tick };
}
