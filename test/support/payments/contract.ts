/**
 * What the service needs of a payment provider, shown with the official library and with the adapters of the service.
 * The test provider and Stripe's test mode must both fulfil it.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Stripe } from 'stripe';
import type { CardRefundRequest, PaymentRequest } from '../../../src/events/wallet/card-requests.js';
import { createStripeAdapters } from '../../../src/engines/payments/stripe-adapters.js';
import { endPayment, readPayment, topUpOfIntent } from '../../../src/engines/payments/stripe-reader.js';
import { eventually } from '../eventually.js';
import { libraryFor } from './world.js';

export interface Provider {
  readonly url: string;
  /** Secret key of an account without other payments in progress. */
  readonly key: string;
}

type Members = Readonly<Record<string, unknown>>;

const RETURN_URL = 'https://shop.example/wallet';
/** Longer than the delays of Stripe's test mode. */
const LATER = { every: 500, limit: 120_000 };

export function describeContract(name: string, open: () => Promise<Provider>): void {
  describe(`${name} as a payment provider`, () => {
    let library: Stripe;
    let account: { readonly baseUrl: string; readonly secretKey: string };
    let adapters: ReturnType<typeof createStripeAdapters>;
    const { signal } = new AbortController();
    before(async () => {
      const { url, key } = await open();
      account = { baseUrl: url, secretKey: key };
      library = libraryFor(url, key);
      adapters = createStripeAdapters(() => Promise.resolve(account));
    });

    const expiresAt = new Date(Date.now() + 24 * 3_600_000).toISOString();
    const topUp = { topUpId: 12, expiresAt };
    const request = (more: Partial<PaymentRequest> = {}): PaymentRequest => ({
      topUpId: 12,
      business: 1,
      amount: '20.00',
      currency: 'EUR',
      reference: 'T00000001O',
      checkout: 'embedded',
      expiresAt,
      ...more,
    });
    const call = <Request>(key: string, request: Request) => ({
      business: 1,
      account: 'operator',
      key,
      signal,
      remoteId: undefined,
      request,
    });
    const prepare = async (more: Partial<PaymentRequest> = {}, key: string = randomUUID()) => {
      const outcome = await adapters.payments.act(call(key, request(more)));
      expect(outcome.is, JSON.stringify(outcome)).to.equal('done');
      return { key, remoteId: String((outcome as { result: Members }).result['remote_id']) };
    };
    const read = async (remoteId: string) => {
      const outcome = await readPayment({ account, signal, remoteId, topUp });
      expect(outcome.is, JSON.stringify(outcome)).to.equal('done');
      return (outcome as Extract<typeof outcome, { is: 'done' }>).result;
    };
    const pay = (remoteId: string, card = 'pm_card_visa') =>
      library.paymentIntents.confirm(remoteId, { payment_method: card, return_url: RETURN_URL });
    const errorOf = (refused: Promise<unknown>): Promise<{ code?: string; type?: string; statusCode?: number }> =>
      refused.then(
        () => expect.fail('The provider accepted it.'),
        (error: object) => error,
      );

    it('prepares a payment once for a key, and finds it by the effect', async () => {
      const { key, remoteId } = await prepare();
      expect((await prepare({}, key)).remoteId, 'repeated').to.equal(remoteId);
      const looked = await adapters.payments.look(call(key, request()));
      expect(looked).to.deep.equal({ is: 'done', result: { remote_id: remoteId } });
      const absent = await adapters.payments.look(call(randomUUID(), request()));
      expect(absent.is).to.equal('not_done');
      const other = await adapters.payments.act(call(key, request({ amount: '21.00' })));
      expect(other.is, 'another request with the key').to.equal('unknown');
      const { status, clientSecret } = await read(remoteId);
      expect(status).to.equal('pending');
      expect(clientSecret).to.match(/^pi_.+_secret_/);
      expect(await topUpOfIntent({ account, signal, remoteId })).to.deep.equal({ is: 'done', result: 12 });
    });

    for (const checkout of ['embedded', 'hosted'] as const)
      it(`reports no payment (${checkout}) of another top-up, or of another database`, async () => {
        const hosted = checkout === 'hosted' ? { checkout, returnUrl: RETURN_URL } : {};
        const { key, remoteId } = await prepare(hosted);
        const later = new Date(Date.parse(expiresAt) + 1).toISOString();
        for (const other of [
          { ...topUp, topUpId: 13 },
          { ...topUp, expiresAt: later },
        ])
          expect(await readPayment({ account, signal, remoteId, topUp: other })).to.include({
            is: 'not_done',
            code: 'other_payment',
          });
        expect((await read(remoteId)).status).to.equal('pending');
        const looked = await adapters.payments.look(call(key, request({ ...hosted, expiresAt: later })));
        expect(looked).to.include({ is: 'not_done', code: 'absent' });
      });

    it('reports a payment that succeeds, with its amount and currency', async () => {
      const { remoteId } = await prepare({ amount: '1234.56' });
      await pay(remoteId);
      expect(await read(remoteId)).to.deep.include({
        status: 'succeeded',
        amount: '1234.56',
        currency: 'EUR',
        paymentId: remoteId,
        refunds: [],
        disputes: [],
      });
      expect((await endPayment({ account, signal, remoteId })).is, 'not ended any more').to.equal('not_done');
    });

    it('has whole amounts for currencies without decimal digits', async () => {
      const { remoteId } = await prepare({ amount: '500', currency: 'JPY' });
      await pay(remoteId);
      expect(await read(remoteId)).to.include({ amount: '500', currency: 'JPY' });
    });

    it('keeps a payment open after a declined card', async () => {
      const { remoteId } = await prepare();
      expect((await errorOf(pay(remoteId, 'pm_card_chargeDeclined'))).code).to.equal('card_declined');
      expect((await read(remoteId)).status).to.equal('pending');
      await pay(remoteId);
      expect((await read(remoteId)).status).to.equal('succeeded');
    });

    it('keeps a payment open until the customer has authenticated', async () => {
      const { remoteId } = await prepare();
      const intent = await pay(remoteId, 'pm_card_authenticationRequired');
      expect(intent.status).to.equal('requires_action');
      expect(intent.next_action!.type).to.equal('redirect_to_url');
      expect((await read(remoteId)).status).to.equal('pending');
    });

    it('ends a payment that was not made', async () => {
      const { remoteId } = await prepare();
      expect((await endPayment({ account, signal, remoteId })).is).to.equal('done');
      expect(await read(remoteId)).to.deep.include({ status: 'failed', code: 'abandoned' });
      expect((await errorOf(pay(remoteId))).code).to.equal('payment_intent_unexpected_state');
    });

    it('shows a page for a hosted payment, and ends it', async () => {
      const { key, remoteId } = await prepare({ checkout: 'hosted', returnUrl: RETURN_URL });
      const { status, url } = await read(remoteId);
      expect(status).to.equal('pending');
      expect(url).to.match(/^https?:\/\//);
      const looked = await adapters.payments.look(call(key, request({ checkout: 'hosted', returnUrl: RETURN_URL })));
      expect(looked).to.deep.equal({ is: 'done', result: { remote_id: remoteId } });
      expect((await endPayment({ account, signal, remoteId })).is).to.equal('done');
      expect((await read(remoteId)).status).to.equal('failed');
    });

    it('refunds once for a key, at most the payment, and reports the refund', async () => {
      const { remoteId: paymentId } = await prepare();
      await pay(paymentId);
      const refund = (amount: string): CardRefundRequest => ({
        topUpId: 12,
        refundId: randomUUID(),
        paymentId,
        amount,
        currency: 'EUR',
      });
      const [key, part] = [randomUUID(), refund('5.00')];
      expect((await adapters.refunds.look(call(key, part))).is).to.equal('not_done');
      const made = await adapters.refunds.act(call(key, part));
      expect(made.is).to.equal('done');
      expect(await adapters.refunds.act(call(key, part)), 'repeated').to.deep.equal(made);
      expect(await adapters.refunds.look(call(key, part))).to.deep.equal(made);
      expect((await library.refunds.list({ payment_intent: paymentId })).data).to.have.length(1);
      await eventually(
        async () => (await read(paymentId)).refunds[0]?.status === 'succeeded',
        'the refund succeeds',
        LATER,
      );
      expect((await read(paymentId)).refunds).to.have.length(1);
      expect((await read(paymentId)).refunds[0]!.refundId).to.equal(part.refundId);
      const tooMuch = await adapters.refunds.act(call(randomUUID(), refund('15.01')));
      expect(tooMuch.is).to.equal('not_done');
      expect((await adapters.refunds.act(call(randomUUID(), refund('15.00')))).is).to.equal('done');
      const again = await adapters.refunds.act(call(randomUUID(), refund('1.00')));
      expect(again).to.include({ is: 'not_done', code: 'charge_already_refunded' });
    });

    it('reports refunds that fail, and disputes', async () => {
      const { remoteId: failing } = await prepare();
      await pay(failing, 'pm_card_refundFail');
      const request = { topUpId: 12, refundId: randomUUID(), paymentId: failing, amount: '20.00', currency: 'EUR' };
      await adapters.refunds.act(call(randomUUID(), request));
      await eventually(async () => (await read(failing)).refunds[0]?.status === 'failed', 'the refund fails', LATER);
      const { remoteId: disputed } = await prepare();
      await pay(disputed, 'pm_card_createDispute');
      const [dispute] = await eventually(
        async () => {
          const { disputes } = await read(disputed);
          return disputes.length > 0 && disputes;
        },
        'the payment is disputed',
        LATER,
      );
      expect(dispute).to.include({ amount: '20.00', currency: 'EUR', isWon: false });
      await library.disputes.update(dispute!.id, {
        evidence: { uncategorized_text: 'winning_evidence' },
        submit: true,
      });
      await eventually(async () => (await read(disputed)).disputes[0]?.isWon, 'the dispute is won', LATER);
    });

    it('refuses unknown keys and amounts that are too small', async () => {
      const unknown = libraryFor(account.baseUrl, 'sk_unknown_key_000000');
      expect((await errorOf(unknown.paymentIntents.list())).statusCode).to.equal(401);
      const wrong = createStripeAdapters(() => Promise.resolve({ ...account, secretKey: 'sk_unknown_key_000000' }));
      expect(await wrong.payments.act(call(randomUUID(), request()))).to.include({ code: 'authentication_failed' });
      const small = await adapters.payments.act(call(randomUUID(), request({ amount: '0.01' })));
      expect(small).to.include({ is: 'not_done', code: 'amount_too_small' });
      const missing = await readPayment({ account, signal, remoteId: 'pi_missing', topUp });
      expect(missing).to.include({ is: 'not_done', code: 'resource_missing' });
    });
  });
}
