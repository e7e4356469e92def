/** The account of a business at its payment provider: keys that are stored encrypted, and its own address for messages. */
import { expect } from 'chai';
import { storedEvents } from '../../support/checks/stored-events.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { intentOf, libraryFor, openPayments, type PaymentWorld } from '../../support/payments/world.js';

const SECRETS = { secret_key: 'sk_test_business_4242', webhook_secret: 'whsec_of_the_business' };
const FIRST = { provider: 'stripe', ...SECRETS, publishable_key: 'pk_test_business' };

describe('payment settings', () => {
  let w: PaymentWorld;
  before(async () => void (w = await openPayments()));
  after(() => w.stop());

  const update = (body: object, headers?: Record<string, string>) =>
    w.as('client_admin', '/payment-settings', body, 'PATCH', headers);
  const settings = async () => (await w.as('client_admin', '/payment-settings')).json.payment_settings;

  it('are those of the operator before the business has its own', async () => {
    expect(await settings()).to.deep.include({
      provider: 'stripe',
      account: 'operator',
      is_set: false,
      last4: null,
      publishable_key: 'pk_test_operator',
      webhook_url: null,
    });
  });

  it('need the provider and both secrets at first', async () => {
    const { status, json } = await update({ publishable_key: 'pk_test_business' });
    expect([status, json.code]).to.deep.equal([400, 'INVALID_INPUT']);
    expect(json.errors.map(({ path }: { path: string }) => path)).to.deep.equal([
      '/provider',
      '/secret_key',
      '/webhook_secret',
    ]);
  });

  it('reject a secret in place of the publishable key, which customers get', async () => {
    for (const publishable_key of ['sk_live_4242', 'rk_live_4242', 'whsec_4242']) {
      const { status, json } = await update({ ...FIRST, publishable_key });
      expect([status, json.errors?.[0]?.path], publishable_key).to.deep.equal([400, '/publishable_key']);
    }
    expect(await settings()).to.include({ account: 'operator' });
  });

  it('store the keys encrypted, and return an own address for messages', async () => {
    const { status, json, text } = await update(FIRST);
    expect(status, text).to.equal(200);
    const { webhook_url } = json.payment_settings;
    expect(webhook_url).to.match(/^http:\/\/.*\/api\/v1\/inbound\/stripe\/[0-9a-f]{32}$/);
    expect(json.payment_settings).to.deep.include({
      provider: 'stripe',
      account: 'business',
      is_set: true,
      last4: '4242',
      publishable_key: 'pk_test_business',
    });
    const stored = JSON.stringify(await storedEvents(w.test.service.engines.log));
    for (const secret of Object.values(SECRETS)) {
      expect(text).not.to.include(secret);
      expect(stored).not.to.include(secret);
    }
    const { rows } = await w.test.service.engines.pool.query('select sealed from access.credentials');
    expect(rows).to.have.length(2);
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.to.include('business');
  });

  it('are used for payments of customers, whose messages have the secret of the business', async () => {
    const { webhook_url } = await settings();
    w.provider.addEndpoint(SECRETS.secret_key, webhook_url, SECRETS.webhook_secret);
    const topUp = await w.begun({ amount: '12.00' });
    expect(topUp).to.include({ publishable_key: 'pk_test_business' });
    const own = libraryFor(w.provider.url, SECRETS.secret_key);
    const id = intentOf(topUp.client_secret);
    expect((await own.paymentIntents.retrieve(id)).amount).to.equal(1_200);
    const other = await w.app.paymentIntents.retrieve(id).catch((error: { code: string }) => error.code);
    expect(other, 'not in the account of the operator').to.equal('resource_missing');
    await own.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
    await w.until(topUp.id, 'succeeded');
  });

  it('keep omitted members, and the address', async () => {
    const { webhook_url, version } = await settings();
    const { json, status } = await update({ secret_key: 'sk_test_business_9999' }, { 'if-match': `"${version}"` });
    expect(status).to.equal(200);
    expect(json.payment_settings).to.deep.include({ last4: '9999', webhook_url, publishable_key: 'pk_test_business' });
    const late = await update({ publishable_key: null }, { 'if-match': `"${version}"` });
    expect(late.status).to.equal(412);
    expect((await update({ publishable_key: null })).json.payment_settings.publishable_key).to.equal(null);
  });

  it('fail a top-up with keys that the provider rejects', async () => {
    await update({ secret_key: 'rk_live_unknown_key' });
    const { status, failure_code } = await w.begun();
    expect([status, failure_code]).to.deep.equal(['failed', 'authentication_failed']);
  });

  it('are removed with the provider null, and only by a client admin', async () => {
    for (const user of ['employee', 'customer', 'auditor'] as const)
      expect((await w.as(user, '/payment-settings')).status, user).to.equal(403);
    const { webhook_url } = await settings();
    const { json } = await update({ provider: null });
    expect(json.payment_settings).to.deep.include({ account: 'operator', is_set: false, webhook_url: null });
    expect((await w.test.api(new URL(webhook_url).pathname.replace('/api/v1', ''), { body: '{}' })).status).to.equal(
      404,
    );
    expect((await w.begun()).status).to.equal('pending');
    await expectSameReplay(w.test, ['businesses']);
  });

  it('of another business are not visible', async () => {
    expect((await w.as('other_client_admin', '/payment-settings')).json.payment_settings).to.include({
      account: 'operator',
      is_set: false,
    });
  });
});
