/** Top-ups by card over real HTTP: begin, pay with the official library, credit, decline, authenticate, expire. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { storedEvents } from '../../support/checks/stored-events.js';
import { eventually } from '../../support/eventually.js';
import { intentOf, openPayments, TOP_UPS, type PaymentWorld } from '../../support/payments/world.js';

const RETURN_URL = 'https://shop.example/wallet';

describe('top-ups by card', () => {
  let w: PaymentWorld;
  before(async () => void (w = await openPayments()));
  after(() => w.stop());

  const failure = async (body: object) => {
    const { status, json } = await w.begin(body);
    return [status, json.code, json.errors?.[0]?.path, json.errors?.[0]?.code];
  };

  it('return what the app needs to pay, only to the customer and only while they are pending', async () => {
    const { status, json, headers } = await w.begin();
    expect(status).to.equal(201);
    const { id, client_secret } = json.top_up;
    expect(json.top_up).to.deep.include({
      status: 'pending',
      method: 'card',
      amount: '50.00',
      received_amount: null,
      currency: 'EUR',
      provider: 'stripe',
      checkout: 'embedded',
      checkout_url: null,
      publishable_key: 'pk_test_operator',
      failure_code: null,
      refunds: [],
      disputed_amount: null,
      bank_details: null,
    });
    expect(client_secret).to.match(/^pi_\w+_secret_\w+$/);
    expect(headers.get('location')).to.equal(`/api/v1${TOP_UPS}/${id}`);
    expect((await w.read(id)).client_secret, 'read again').to.equal(client_secret);
    expect((await w.read(id, 'client_admin')).client_secret, 'for staff').to.equal(null);
    const [listed] = (await w.as('customer', TOP_UPS)).json.top_ups;
    expect(listed).not.to.have.any.keys('client_secret', 'checkout_url', 'publishable_key');
    const intent = await w.app.paymentIntents.retrieve(intentOf(client_secret));
    expect(intent).to.deep.include({ amount: 5_000, currency: 'eur' });
    expect(intent.metadata['top_up_id']).to.equal(String(id));
    expect(JSON.stringify(await storedEvents(w.test.service.engines.log))).not.to.include(client_secret);
    await w.pay(json.top_up);
    await w.until(id, 'succeeded');
    expect((await w.read(id)).client_secret, 'after the payment').to.equal(null);
  });

  it('are credited when the provider reports the payment', async () => {
    const [{ id }] = (await w.as('customer', TOP_UPS)).json.top_ups;
    expect(await w.credits()).to.deep.include({ balance: '50.00', available: '50.00' });
    const [entry, ...others] = await w.entries();
    expect(others).to.deep.equal([]);
    expect(entry).to.include({ kind: 'credit', amount: '50.00', top_up_id: id });
    expect(await w.events(id)).to.deep.equal([
      'TopUpBegun',
      'CardPaymentBegun',
      'CardPaymentPrepared',
      'TopUpSucceeded',
    ]);
    const { balances } = (await w.as('client_admin', '/ledger/balances')).json;
    expect(
      balances.map((one: Record<string, string>) => [one['ledger_account'], one['side'], one['amount']]),
    ).to.deep.equal([
      ['clearing:stripe', 'debit', '50.00'],
      ['customer', 'credit', '50.00'],
    ]);
    const { recent_top_ups } = (await w.as('customer', '/customer/credits')).json;
    expect(recent_top_ups[0]).to.include({ id, method: 'card', status: 'succeeded' });
  });

  it('stay open after a declined card, and after a request for an authentication', async () => {
    const topUp = await w.begun({ amount: '7.00' });
    const declined = await w.pay(topUp, 'pm_card_chargeDeclined').catch((error: { code: string }) => error.code);
    expect(declined).to.equal('card_declined');
    expect((await w.read(topUp.id)).status).to.equal('pending');
    const { next_action } = await w.pay(topUp, 'pm_card_authenticationRequired');
    const authenticated = await fetch(next_action!.redirect_to_url!.url!, { method: 'POST', redirect: 'manual' });
    expect([authenticated.status, authenticated.headers.get('location')]).to.deep.equal([303, 'https://shop.example/']);
    await w.until(topUp.id, 'succeeded');
    expect((await w.read(topUp.id)).received_amount).to.equal('7.00');
  });

  it('are processing until a payment that succeeds late is known', async () => {
    const topUp = await w.begun({ amount: '3.00' });
    await w.pay(topUp, 'pm_card_succeedsLate');
    await w.until(topUp.id, 'succeeded');
    expect(await w.events(topUp.id)).to.include('TopUpSucceeded');
  });

  it('are paid on the page of the provider', async () => {
    const { checkout_url, client_secret, id } = await w.begun({
      checkout: 'hosted',
      return_url: RETURN_URL,
      amount: '4.00',
    });
    expect(client_secret).to.equal(null);
    const page = await (await fetch(checkout_url)).text();
    expect(page).to.include('pm_card_visa').and.to.include('400 EUR');
    const pay = (card: string) =>
      fetch(checkout_url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ card }) });
    expect((await pay('pm_card_chargeDeclined')).status).to.equal(402);
    const paid = await pay('pm_card_visa');
    expect([paid.status, paid.headers.get('location')]).to.deep.equal([303, RETURN_URL]);
    await w.until(id, 'succeeded');
    expect((await w.read(id)).received_amount).to.equal('4.00');
    expect((await fetch(checkout_url)).status, 'paid once').to.equal(404);
  });

  it('fail if the provider refuses them or ends them', async () => {
    expect(await w.begun({ amount: '1', currency: 'JPY' })).to.include({
      status: 'failed',
      failure_code: 'amount_too_small',
      client_secret: null,
    });
    const ended = await w.begun();
    await w.app.paymentIntents.cancel(intentOf(ended.client_secret));
    await w.until(ended.id, 'failed');
    expect(await w.read(ended.id)).to.include({ failure_code: 'canceled', received_amount: null });
  });

  it('reject amounts that cannot be paid by card, and incomplete requests', async () => {
    expect(await failure({ amount: '1.005' })).to.deep.equal([400, 'TOO_PRECISE', '/amount', 'TOO_PRECISE']);
    expect(await failure({ amount: '1.005', currency: 'KWD' })).to.deep.equal([
      400,
      'TOO_PRECISE',
      '/amount',
      'TOO_PRECISE',
    ]);
    expect(await failure({ checkout: 'hosted' })).to.deep.equal([400, 'INVALID_INPUT', '/return_url', 'REQUIRED']);
    expect((await failure({ checkout: 'hosted', return_url: 'http://shop.example' })).slice(0, 3)).to.deep.equal([
      400,
      'INVALID_INPUT',
      '/return_url',
    ]);
    expect((await failure({ return_url: RETURN_URL })).slice(0, 3)).to.deep.equal([
      400,
      'INVALID_INPUT',
      '/return_url',
    ]);
  });

  it('are not confirmed by staff', async () => {
    const { id } = await w.begun();
    const { status, json } = await w.as('employee', `/top-ups/${id}/confirm`, { amount: '50.00' });
    expect([status, json.code]).to.deep.equal([409, 'CONFLICT']);
  });

  it('are the same after a replay', async () => {
    await eventually(async () => (await w.credits()).balance === '64.00', 'all credits');
    await expectSameReplay(w.test, ['topups', 'wallets', 'wallet_entries', 'ledger', 'businesses']);
  });
});
