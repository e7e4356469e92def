/**
 * The two calls that change something at the provider: preparing a payment, and refunding it. The idempotency key is
 * the id of the effect, which is also in `metadata`, so that a search finds the result of an earlier call.
 */
import type { Stripe } from 'stripe';
import type { z } from 'zod';
import { CARD_ADAPTER } from '../../events/wallet/card-payments.js';
import type { CardRefundRequest, PaymentRequest } from '../../events/wallet/card-requests.js';
import type { ActCall, Adapter, EffectResult, LookCall, Outcome } from '../outside/adapter.js';
import { toCardAmount } from './card-amounts.js';
import { callStripe, type StoredFailure, type StripeAccount } from './stripe-client.js';
import { isPaymentOf } from './stripe-reader.js';
import { intentSchema, listOf, refundSchema, refundStatusOf, sessionSchema } from './stripe-objects.js';

/** The keys of an account; undefined: the service does not have them any more. */
export type StripeAccounts = (account: string) => Promise<StripeAccount | undefined>;

/** Codes after which the provider has prepared no payment. */
const PAYMENT_REFUSALS = new Set([
  'amount_too_large',
  'amount_too_small',
  'authentication_failed',
  'invalid_charge_amount',
  'invalid_request',
  'parameter_invalid_empty',
  'parameter_invalid_integer',
  'parameter_missing',
  'parameter_unknown',
  'permission_denied',
  'url_invalid',
]);
/**
 * Codes after which the provider has not started this refund. An earlier call of this service has the same key, and is
 * repeated.
 */
const REFUND_REFUSALS = new Set([
  'amount_too_large',
  'authentication_failed',
  'charge_already_refunded',
  'charge_disputed',
  'invalid_request',
  'parameter_invalid_integer',
  'parameter_unknown',
  'payment_intent_unexpected_state',
  'permission_denied',
  'refund_disputed_payment',
  'resource_missing',
]);

/** Maximum number of keys of one effect: another key is used only after a stored failure without an effect. */
const MAX_KEYS = 32;
/** Objects of a page, and the maximum number of pages of a search. */
const PAGE_SIZE = 100;
const MAX_PAGES = 20;
/** A payment is searched from this time before the end of its top-up on, in seconds. */
const SEARCHED_S = 25 * 3_600;

const NO_ACCOUNT: Outcome<never> = { is: 'unknown', cause: 'no_account' };
const ABSENT: Outcome<never> = { is: 'not_done', code: 'absent', final: false };

export function createStripeAdapters(accountOf: StripeAccounts) {
  const payments: Adapter<PaymentRequest> = {
    name: CARD_ADAPTER,
    dedupe: 'key',
    act: (call) => actOnce(call, (key) => preparePayment(call, key), findPayment),
    look: findPayment,
  };
  const refunds: Adapter<CardRefundRequest> = {
    name: CARD_ADAPTER,
    dedupe: 'key',
    act: (call) => actOnce(call, (key) => makeRefund(call, key), findRefund),
    look: findRefund,
  };
  return { payments, refunds };

  async function preparePayment({ account, request, signal, key: effectId }: ActCall<PaymentRequest>, key: string) {
    const keys = await accountOf(account);
    if (!keys) return NO_ACCOUNT;
    const metadata = { ...metadataOf(request, effectId), expires_at: request.expiresAt };
    const amount = toCardAmount(request);
    const currency = request.currency.toLowerCase();
    const options = { idempotencyKey: key };
    const call = { account: keys, signal, refusals: PAYMENT_REFUSALS };
    const prepared =
      request.checkout === 'hosted'
        ? await callStripe({
            ...call,
            schema: sessionSchema,
            send: (client) => client.checkout.sessions.create(sessionOf(request, amount, metadata), options),
          })
        : await callStripe({
            ...call,
            schema: intentSchema,
            send: (client) =>
              client.paymentIntents.create(
                { amount, currency, allowed_payment_method_types: ['card'], description: request.reference, metadata },
                options,
              ),
          });
    return prepared.is === 'done' ? found(prepared.result.id) : prepared;
  }

  async function findPayment({
    account,
    request,
    signal,
    key,
  }: LookCall<PaymentRequest>): Promise<Outcome<EffectResult>> {
    const keys = await accountOf(account);
    if (!keys) return NO_ACCOUNT;
    if (!request) return { is: 'unknown', cause: 'no_request' };
    const created = { gte: Math.floor(Date.parse(request.expiresAt) / 1_000) - SEARCHED_S };
    // Another database with the same account has the same effect ids.
    return search(
      keys,
      signal,
      (metadata) => metadata?.['effect_id'] === key && isPaymentOf(request, metadata),
      (client, page) =>
        request.checkout === 'hosted'
          ? client.checkout.sessions.list({ ...page, created })
          : client.paymentIntents.list({ ...page, created }),
    );
  }

  async function makeRefund({ account, request, signal, key: effectId }: ActCall<CardRefundRequest>, key: string) {
    const keys = await accountOf(account);
    if (!keys) return NO_ACCOUNT;
    const metadata = { ...metadataOf(request, effectId), refund_id: request.refundId };
    const made = await callStripe({
      account: keys,
      signal,
      refusals: REFUND_REFUSALS,
      schema: refundSchema,
      send: (client) =>
        client.refunds.create(
          { payment_intent: request.paymentId, amount: toCardAmount(request), metadata },
          { idempotencyKey: key },
        ),
    });
    return made.is === 'done' ? found(made.result.id, refundStatusOf(made.result.status)) : made;
  }

  async function findRefund({
    account,
    request,
    signal,
    key,
  }: LookCall<CardRefundRequest>): Promise<Outcome<EffectResult>> {
    const keys = await accountOf(account);
    if (!keys) return NO_ACCOUNT;
    if (!request) return { is: 'unknown', cause: 'no_request' };
    return search(
      keys,
      signal,
      (metadata) => metadata?.['effect_id'] === key,
      (client, page) => client.refunds.list({ ...page, payment_intent: request.paymentId }),
    );
  }
}

type Acted = Outcome<EffectResult> | StoredFailure;

/**
 * Acts with the key of the effect. The provider stores a failure for its key, too, and repeats it. If it has stored
 * one, and a search does not find the result, nothing has happened, so another key is used. All workers derive the same
 * keys, so two of them act once.
 */
async function actOnce<Request>(
  call: ActCall<Request>,
  act: (key: string) => Promise<Acted>,
  look: (call: LookCall<Request>) => Promise<Outcome<EffectResult>>,
): Promise<Outcome<EffectResult>> {
  let acted: Acted = { is: 'unknown', cause: 'keys' };
  for (let count = 1; count <= MAX_KEYS; count += 1) {
    acted = await act(count === 1 ? call.key : `${call.key}-${count}`);
    if (!(acted.is === 'unknown' && 'isStored' in acted && acted.isStored)) break;
    const seen = await look(call);
    if (seen.is !== 'not_done') return seen;
  }
  return acted.is === 'unknown' ? { is: 'unknown', cause: acted.cause } : acted;
}

const itemSchema = sessionSchema.pick({ id: true, metadata: true }).extend({ status: refundSchema.shape.status });

/** Finds the object of the effect by its `metadata`. */
async function search(
  account: StripeAccount,
  signal: AbortSignal,
  isOfEffect: (metadata: z.infer<typeof itemSchema>['metadata']) => boolean,
  list: (client: Stripe, page: { readonly limit: number; readonly starting_after?: string }) => Promise<unknown>,
): Promise<Outcome<EffectResult>> {
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listed = await callStripe({
      account,
      signal,
      schema: listOf(itemSchema),
      send: (client) => list(client, { limit: PAGE_SIZE, ...(after !== undefined && { starting_after: after }) }),
    });
    if (listed.is !== 'done') return listed;
    const { data, has_more } = listed.result;
    const item = data.find(({ metadata }) => isOfEffect(metadata));
    if (item) return found(item.id, item.id.startsWith('re_') ? refundStatusOf(item.status) : undefined);
    after = data.at(-1)?.id;
    if (!has_more || after === undefined) return ABSENT;
  }
  return { is: 'unknown', cause: 'too_many' };
}

const found = (remoteId: string, status?: string): Outcome<EffectResult> => ({
  is: 'done',
  result: { remote_id: remoteId, ...(status !== undefined && { status }) },
});

const metadataOf = ({ topUpId }: { readonly topUpId: number }, effectId: string) => ({
  effect_id: effectId,
  top_up_id: String(topUpId),
});

/** The customer returns to the same page after a payment and without one: the app reads the status of the top-up. */
function sessionOf(
  { currency, reference, returnUrl }: PaymentRequest,
  amount: number,
  metadata: Record<string, string>,
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    allowed_payment_method_types: ['card'],
    line_items: [
      {
        quantity: 1,
        price_data: { currency: currency.toLowerCase(), unit_amount: amount, product_data: { name: reference } },
      },
    ],
    success_url: returnUrl!,
    cancel_url: returnUrl!,
    metadata,
    payment_intent_data: { description: reference, metadata },
  };
}
