/** Money that goes back to a card: withdrawals, refunds that fail later, and disputes. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { eventually } from '../../support/eventually.js';
import { intentOf, openPayments, type PaymentWorld, type ShownTopUp } from '../../support/payments/world.js';

describe('withdrawals to a card', () => {
  let w: PaymentWorld;
  before(async () => void (w = await openPayments()));
  after(() => w.stop());

  const paid = async (amount: string, card?: string): Promise<ShownTopUp> => {
    const topUp = await w.begun({ amount });
    await w.pay(topUp, card);
    await w.until(topUp.id, 'succeeded');
    return topUp;
  };
  const refundsAt = async ({ client_secret }: ShownTopUp) =>
    (await w.app.refunds.list({ payment_intent: intentOf(client_secret) })).data;
  const code = async (id: number, amount: string) => {
    const { status, json } = await w.withdraw(id, amount);
    return [status, json.code];
  };

  it('return a part to the card, after the wallet has held it (R11)', async () => {
    const topUp = await paid('40.00');
    const { status, json, text } = await w.withdraw(topUp.id, '15.00');
    expect(status, text).to.equal(200);
    expect(json.withdrawal_status).to.equal('made');
    expect(await w.credits()).to.deep.include({ balance: '25.00', available: '25.00', held: '0.00' });
    const [refund, ...others] = await refundsAt(topUp);
    expect(others).to.deep.equal([]);
    expect(refund).to.include({ amount: 1_500, status: 'succeeded' });
    expect(await w.read(topUp.id)).to.deep.include({
      status: 'partly_refunded',
      refunds: [{ id: json.entry_id, amount: '15.00', status: 'made', code: null }],
    });
    expect((await w.entries())[0]).to.include({ kind: 'withdrawal', amount: '-15.00', top_up_id: topUp.id });
    expect((await w.events(topUp.id)).slice(4)).to.deep.equal([
      'CardRefundRequested',
      'CardRefundBegun',
      'CardRefundAccepted',
      'CardRefundMade',
    ]);
    const types = (await w.test.service.engines.log.readMany([`wallet-${w.customer}-EUR`])).get(
      `wallet-${w.customer}-EUR`,
    )!;
    expect(types.map(({ type }) => type)).to.deep.equal(['WalletOpened', 'FundsAdded', 'FundsHeld', 'FundsWithdrawn']);
    expect(await code(topUp.id, '25.01'), 'more than the rest').to.deep.equal([422, 'AMOUNT_TOO_HIGH']);
    expect((await w.withdraw(topUp.id, '25.00')).json.withdrawal_status).to.equal('made');
    expect((await w.read(topUp.id)).status).to.equal('refunded');
    expect(await w.credits()).to.deep.include({ balance: '0.00', available: '0.00' });
  });

  it('are pending until the provider reports the result, and the amount is held', async () => {
    const topUp = await paid('10.00', 'pm_card_pendingRefund');
    const { json } = await w.withdraw(topUp.id, '4.00');
    expect(json.withdrawal_status).to.be.oneOf(['pending', 'made']);
    await w.until(topUp.id, 'partly_refunded');
    expect(await w.credits()).to.deep.include({ balance: '6.00', available: '6.00', held: '0.00' });
  });

  it('give the money back to the wallet if the refund fails later', async () => {
    const { balance } = await w.credits();
    const topUp = await paid('8.00', 'pm_card_refundFail');
    expect((await w.withdraw(topUp.id, '8.00')).json.withdrawal_status).to.equal('made');
    await eventually(async () => (await w.read(topUp.id)).refunds[0]!.status === 'refused', 'the refund fails');
    await eventually(async () => (await w.credits()).balance === '14.00', 'the money is back');
    expect(balance).to.equal('6.00');
    expect((await w.read(topUp.id)).refunds[0]!.code).to.equal('expired_or_canceled_card');
    expect((await w.withdraw(topUp.id, '8.00')).status, 'again').to.equal(200);
    // Otherwise it would change the balance during a later test.
    await eventually(async () => (await w.read(topUp.id)).refunds[1]?.status === 'refused', 'it fails again');
    await eventually(async () => (await w.credits()).balance === '14.00', 'the money is back again');
  });

  it('are refused without the money, in a frozen wallet, and for other top-ups, and leave no trace', async () => {
    const topUp = await paid('30.00');
    const terms = (is_frozen: boolean) =>
      w.as('client_admin', `/customers/${w.customer}/wallet/terms`, { is_frozen, currency: 'EUR' }, 'PATCH');
    await terms(true);
    expect(await code(topUp.id, '1.00')).to.deep.equal([409, 'WALLET_FROZEN']);
    await terms(false);
    const { available } = await w.credits();
    await w.as('client_admin', `/customers/${w.customer}/wallet/adjustments`, {
      amount: `-${available}`,
      reason: 'taken for the test',
      currency: 'EUR',
    });
    expect(await code(topUp.id, '1.00')).to.deep.equal([402, 'INSUFFICIENT_FUNDS']);
    expect(await code(2_000_000_000, '1.00')).to.deep.equal([404, 'NOT_FOUND']);
    const bank = (await w.as('customer', '/customer/wallet/top-ups', { amount: '5.00', method: 'bank_transfer' })).json;
    expect(await code(bank.top_up.id, '1.00')).to.deep.equal([404, 'NOT_FOUND']);
    expect((await w.read(topUp.id)).refunds).to.deep.equal([]);
    expect(await refundsAt(topUp)).to.deep.equal([]);
    const path = `/customers/${w.customer}/wallet/withdrawals`;
    const incomplete = await w.as('client_admin', path, { amount: '1.00', to: 'card', currency: 'EUR' });
    expect([incomplete.status, incomplete.json.errors[0].path]).to.deep.equal([400, '/top_up_id']);
  });

  it('that the provider refuses leave the money in the wallet', async () => {
    const topUp = await paid('9.00');
    // The business returns the payment at the provider, without the service.
    await w.app.refunds.create({ payment_intent: intentOf(topUp.client_secret) });
    const { balance } = await w.credits();
    const { status, json } = await w.withdraw(topUp.id, '9.00');
    expect([status, json.withdrawal_status]).to.deep.equal([200, 'refused']);
    expect(await w.credits()).to.deep.include({ balance, available: balance, held: '0.00' });
    expect((await w.read(topUp.id)).refunds[0]).to.include({ status: 'refused', code: 'charge_already_refunded' });
  });

  it('with the same idempotency key are made once', async () => {
    const topUp = await paid('6.00');
    const body = { amount: '2.00', to: 'card', top_up_id: topUp.id, currency: 'EUR' };
    const send = () =>
      w.as('client_admin', `/customers/${w.customer}/wallet/withdrawals`, body, 'POST', { 'idempotency-key': 'once' });
    const answers = [await send(), await send()];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(answers[1]!.json.entry_id).to.equal(answers[0]!.json.entry_id);
    expect(await refundsAt(topUp)).to.have.length(1);
  });

  it('disputes take the amount, even from an empty wallet, and return it when they are won', async () => {
    await w.as('client_admin', `/customers/${w.customer}/wallet/adjustments`, {
      amount: `-${(await w.credits()).available}`,
      reason: 'taken for the test',
      currency: 'EUR',
    });
    const topUp = await paid('11.00', 'pm_card_createDispute');
    const spent = await w.as('client_admin', `/customers/${w.customer}/wallet/withdrawals`, {
      amount: '11.00',
      to: 'bank',
      currency: 'EUR',
    });
    expect(spent.status, spent.text).to.be.oneOf([200, 402]);
    await w.until(topUp.id, 'disputed');
    expect(await w.read(topUp.id)).to.include({ disputed_amount: '11.00' });
    const expected = spent.status === 200 ? '-11.00' : '0.00';
    await eventually(async () => (await w.credits()).available === expected, 'the money is gone');
    expect(await code(topUp.id, '1.00')).to.deep.equal([422, 'AMOUNT_TOO_HIGH']);
    const [dispute] = (await w.app.disputes.list({ payment_intent: intentOf(topUp.client_secret) })).data;
    await w.app.disputes.update(dispute!.id, { evidence: { uncategorized_text: 'winning_evidence' } });
    await w.until(topUp.id, 'succeeded');
    expect(await w.read(topUp.id)).to.include({ disputed_amount: null });
    const after = spent.status === 200 ? '0.00' : '11.00';
    await eventually(async () => (await w.credits()).available === after, 'the money is back');
  });

  it('are the same after a replay', async () => {
    await expectSameReplay(w.test, ['topups', 'wallets', 'wallet_entries', 'ledger']);
  });
});
