/** wallet 3: a message of the payment provider that is lost, repeated, reordered or forged: the payment counts once. */
import { expect } from 'chai';
import { signatureOf } from '../../../src/engines/payments/test-provider/messages.js';
import { compare } from '../../../src/events/core/money.js';
import { eventually } from '../../support/eventually.js';
import { intentOf, openPayments, WEBHOOK_SECRET, type PaymentWorld } from '../../support/payments/world.js';

const message = (id: string, type: string, object: object): string =>
  JSON.stringify({ id, object: 'event', type, data: { object } });

describe('messages about card payments', () => {
  let w: PaymentWorld;
  // The provider itself sends nothing: the test is the provider.
  before(async () => void (w = await openPayments({ sendsMessages: false })));
  after(() => w.stop());

  const send = (body: string, signature = signatureOf(body, WEBHOOK_SECRET, Date.now()), token = 'operator') =>
    w.test.api(`/inbound/stripe/${token}`, { body, headers: { 'stripe-signature': signature } });
  const messages = async (): Promise<number> =>
    Number((await w.test.service.engines.pool.query('select count(*) from access.inbox')).rows[0].count);
  const processed = () =>
    eventually(
      async () =>
        (await w.test.service.engines.pool.query('select from access.inbox where done_at is null')).rowCount === 0,
      'all messages are processed',
    );
  const creditsOf = async (id: number) => (await w.entries()).filter(({ top_up_id }) => top_up_id === id);
  /** Lets the reads at intervals wait, so that only messages count. */
  const stopReads = () =>
    w.test.service.engines.pool.query("update access.payment_reads set next_at = now() + interval '1 day'");
  const intentOfTopUp = async (client_secret: string) => {
    const { id, object, metadata } = await w.app.paymentIntents.retrieve(intentOf(client_secret));
    return { id, object, metadata };
  };

  it('that are lost: the payment is read at intervals, and credited once', async () => {
    const topUp = await w.begun({ amount: '10.00' });
    await w.pay(topUp);
    expect(await messages()).to.equal(0);
    await w.until(topUp.id, 'succeeded');
    expect(await creditsOf(topUp.id)).to.have.length(1);
    const { rowCount } = await w.test.service.engines.pool.query(
      'select from access.payment_reads where top_up_id = $1',
      [topUp.id],
    );
    await eventually(() => rowCount === 0 || w.credits().then(() => true), 'the reads have ended');
  });

  it('that are tripled, reordered and concurrent: credited once', async () => {
    const topUp = await w.begun({ amount: '20.00' });
    const object = await intentOfTopUp(topUp.client_secret);
    await eventually(async () => (await stopReads()).rowCount! > 0, 'the reads wait');
    await w.pay(topUp);
    const types = ['payment_intent.succeeded', 'payment_intent.created', 'payment_intent.processing'];
    const bodies = types.flatMap((type, index) =>
      Array.from({ length: 3 }, () => message(`evt_${index}`, type, object)),
    );
    for (const { status } of await Promise.all(bodies.map((body) => send(body)))) expect(status).to.equal(200);
    expect(await messages()).to.equal(types.length);
    await processed();
    expect((await w.read(topUp.id)).status).to.equal('succeeded');
    expect(await creditsOf(topUp.id)).to.have.length(1);
    expect((await w.events(topUp.id)).filter((type) => type === 'TopUpSucceeded')).to.have.length(1);
  });

  it('that lie: a signed message without a payment at the provider changes no money (R10)', async () => {
    const topUp = await w.begun({ amount: '500.00' });
    const object = await intentOfTopUp(topUp.client_secret);
    const before = await w.credits();
    const lie = { ...object, status: 'succeeded', amount: 99_999_999, amount_received: 99_999_999, currency: 'eur' };
    expect((await send(message('evt_lie', 'payment_intent.succeeded', lie))).status).to.equal(200);
    await processed();
    expect(await w.credits()).to.deep.equal(before);
    expect((await w.read(topUp.id)).status).to.equal('pending');
  });

  it('that are forged, old, unsigned or for another account are rejected, and leave nothing', async () => {
    const body = message('evt_forged', 'payment_intent.succeeded', { id: 'pi_1', object: 'payment_intent' });
    const before = await messages();
    const now = Date.now();
    const good = signatureOf(body, WEBHOOK_SECRET, now);
    const [time, value = ''] = good.split(',');
    for (const [name, signature] of Object.entries({
      'another secret': signatureOf(body, 'whsec_other', now),
      'a changed body': signatureOf(`${body} `, WEBHOOK_SECRET, now),
      'too old': signatureOf(body, WEBHOOK_SECRET, now - 301_000),
      'from the future': signatureOf(body, WEBHOOK_SECRET, now + 400_000),
      'another scheme': `${time},${value.replace('v1=', 'v0=')}`,
      empty: '',
    })) {
      const { status, json } = await send(body, signature);
      expect([status, json.code], name).to.deep.equal([401, 'BAD_SIGNATURE']);
    }
    expect((await send(body, good, 'unknown-token')).status).to.equal(404);
    expect(await messages()).to.equal(before);
    // Several signatures: one must be valid, while the provider replaces its secret.
    const several = `${time},v1=${'0'.repeat(64)},${value},v1=${'f'.repeat(64)}`;
    expect((await send(body, several)).status).to.equal(200);
    expect(await messages()).to.equal(before + 1);
  });

  it('about unknown objects and payments are processed without a change', async () => {
    const before = await w.credits();
    for (const [index, object] of [
      { id: 'cus_1', object: 'customer' },
      { id: 'pi_unknown', object: 'payment_intent' },
      { id: 'pi_2', object: 'payment_intent', metadata: { top_up_id: '2000000000' } },
      { id: 'pi_3', object: 'payment_intent', metadata: { top_up_id: '1 or 1' } },
    ].entries())
      expect((await send(message(`evt_unknown_${index}`, 'x', object))).status).to.equal(200);
    expect((await send('[]')).status, 'no message').to.equal(401);
    await processed();
    expect(await w.credits()).to.deep.equal(before);
  });

  it('are not needed for the books: they balance', async () => {
    const { balances } = (await w.as('client_admin', '/ledger/balances')).json;
    const [debit, credit] = ['debit', 'credit'].map((side) =>
      balances.filter((one: { side: string }) => one.side === side).map((one: { amount: string }) => one.amount),
    );
    expect(debit).to.have.length(1);
    expect(compare(debit[0], credit[0])).to.equal(0);
    expect(debit[0]).to.equal('30.00');
  });
});
