/** Card payments without a provider, with one that does not respond, and top-ups that expire. */
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { CARD_TOP_UP, intentOf, openPayments, TOP_UPS, type PaymentWorld } from '../../support/payments/world.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers } from '../../support/worlds/users.js';

const DAY_MS = 24 * 3_600_000;

describe('card payments without a provider', () => {
  let test: TestService;
  before(async () => void (test = await startTestService()));
  after(() => test.stop());

  it('are unavailable: 503', async () => {
    const as = asUsers(test);
    const { status, json } = await as('customer', TOP_UPS, { ...CARD_TOP_UP, currency: 'EUR' });
    expect([status, json.code]).to.deep.equal([503, 'PAYMENTS_UNAVAILABLE']);
    const { payment_settings } = (await as('client_admin', '/payment-settings')).json;
    expect(payment_settings).to.deep.include({ provider: null, account: null, is_set: false, webhook_url: null });
    expect((await test.api('/inbound/stripe/operator', { body: '{}' })).status).to.equal(404);
  });
});

describe('card payments whose provider fails', () => {
  let w: PaymentWorld;
  let fails: boolean;
  before(async () => {
    fails = false;
    w = await openPayments({
      provider: {
        aroundAction: (_call, run) => (fails ? Promise.reject(new Error('The provider is broken.')) : run()),
      },
    });
  });
  after(() => w.stop());

  it('are pending without a link, and then unavailable with Retry-After', async () => {
    fails = true;
    const first = await w.begin();
    expect(first.status, first.text).to.equal(201);
    expect(first.json.top_up).to.include({ status: 'pending', client_secret: null });
    const refused = await eventually(async () => {
      const answer = await w.begin({ amount: '2.00' });
      return answer.status === 503 && answer;
    }, 'the circuit opens');
    expect(refused.json.code).to.equal('PAYMENTS_UNAVAILABLE');
    expect(Number(refused.headers.get('retry-after'))).to.be.above(0);
    fails = false;
    // The provider has stored its failures for the keys, so the payments are prepared with additional keys.
    const { id } = first.json.top_up;
    await eventually(async () => (await w.read(id)).client_secret !== null, 'the payment is prepared');
    await w.pay(await w.read(id));
    await w.until(id, 'succeeded');
    const { data } = await w.app.paymentIntents.list({ limit: 100 });
    expect(data.filter(({ metadata }) => metadata['top_up_id'] === String(id))).to.have.length(1);
  });
});

describe('top-ups by card that expire', () => {
  let w: PaymentWorld;
  let clock = Date.parse('2026-03-01T10:00:00Z');
  before(async () => void (w = await openPayments({ service: { now: () => clock }, sendsMessages: false })));
  after(() => w.stop());

  const lateRead = (id: number) =>
    w.test.service.engines.pool.query('update access.payment_reads set next_at = now() where top_up_id = $1', [id]);

  it('end after 24 hours, also at the provider', async () => {
    const topUp = await w.begun();
    clock += DAY_MS;
    expect((await w.read(topUp.id)).status, 'by the clock').to.equal('expired');
    await eventually(async () => (await w.events(topUp.id)).includes('TopUpExpired'), 'the expiry is recorded');
    await eventually(
      async () => (await w.app.paymentIntents.retrieve(intentOf(topUp.client_secret))).status === 'canceled',
      'the payment is ended at the provider',
    );
    expect((await w.credits()).balance).to.equal('0.00');
  });

  it('are credited if the payment was made just before', async () => {
    const topUp = await w.begun({ amount: '6.00' });
    await eventually(async () => {
      const { rowCount } = await w.test.service.engines.pool.query(
        "update access.payment_reads set next_at = now() + interval '1 day' where top_up_id = $1",
        [topUp.id],
      );
      return rowCount === 1;
    }, 'the reads wait');
    await w.pay(topUp);
    clock += DAY_MS;
    await eventually(async () => (await w.events(topUp.id)).includes('TopUpExpired'), 'the expiry is recorded');
    await lateRead(topUp.id);
    await w.until(topUp.id, 'succeeded');
    await eventually(async () => (await w.credits()).balance === '6.00', 'the late payment is credited');
  });
});
