/** The rules of the bill of an order: charges, payments, refunds and cancellation. */
import { expect } from 'chai';
import { evolveBill, paidAmount, paymentStatus, remainingAmount, type Bill } from '../../../src/events/bill/state.js';
import { TooPrecise } from '../../../src/events/core/money.js';
import {
  cancel,
  cash,
  command,
  failed,
  idOf,
  officeOrder,
  order,
  paid,
  pay,
  refund,
  refunded,
  scan,
  setCharges,
  CUSTOMER,
} from './commands.js';

const amounts = (bill: Bill) => ({
  status: paymentStatus(bill),
  total: bill.total,
  paid: paidAmount(bill),
  remaining: remainingAmount(bill),
});
const amountsAfter = (past: ReturnType<typeof order>, last: Parameters<typeof past.when>[0]) =>
  amounts(past.when(last).reply.bill);

describe('decider of bills', () => {
  it('sets the charges of an order, each time with the next version', () => {
    const { facts, reply } = order().when(setCharges('12.5'));
    expect(facts).to.have.length(1);
    expect(facts[0]!.data).to.deep.include({
      order_id: 3,
      business: 1,
      customer_id: CUSTOMER,
      family: 'local_delivery',
      bill_version: 1,
      total: '12.50',
      settlement: 'online',
      why: 'agreed',
      set_by: 2,
    });
    expect(amounts(reply.bill)).to.deep.equal({ status: 'unpaid', total: '12.50', paid: '0.00', remaining: '12.50' });
    const [again] = order(setCharges('12.5')).when(setCharges('20')).facts;
    expect(again!.data).to.deep.include({ bill_version: 2, why: 'repriced', total: '20.00' });
  });

  it('pays the whole remaining amount from the wallet', () => {
    const begun = order(setCharges('12.5')).when(pay(1, '12.50'));
    expect(begun.facts).to.deep.equal([
      {
        type: 'PaymentBegun',
        data: {
          payment_id: idOf(1),
          amount: '12.50',
          currency: 'EUR',
          account_id: CUSTOMER,
          bill_version: 1,
          begun_by: 2,
        },
      },
    ]);
    expect(amounts(begun.reply.bill).remaining, 'until the wallet has paid').to.equal('12.50');
    const done = begun.then.when(paid(1));
    expect(done.types).to.deep.equal(['PaymentReceived']);
    expect(amounts(done.reply.bill)).to.deep.equal({
      status: 'paid',
      total: '12.50',
      paid: '12.50',
      remaining: '0.00',
    });
    expect(done.then.when(paid(1)).types, 'the follower reports the same').to.deep.equal([]);
    expect(done.then.when(failed(1)).types, 'the first report counts').to.deep.equal([]);
    expect(done.then.refusal(pay(2))).to.equal('NOTHING_DUE');
  });

  it('R7: checks a payment in this order', () => {
    expect(order().refusal(pay(1))).to.equal('NOT_PRICED');
    expect(order(setCharges('5', { settlement: 'offline' })).refusal(pay(1, '9'))).to.equal(
      'PRICE_HIDDEN_SETTLE_OFFLINE',
    );
    const priced = order(setCharges('5'));
    expect(priced.refusal(pay(1, '4.99'))).to.equal('PRICE_CHANGED');
    expect(priced.when(pay(1, '5')).types).to.deep.equal(['PaymentBegun']);
    expect(order(setCharges('0')).refusal(pay(1))).to.equal('NOTHING_DUE');
    expect(order(setCharges('5'), cash(1, '2')).refusal(pay(2, '5'))).to.equal('PRICE_CHANGED');
  });

  it('R6: has one open payment, and neither cancels nor reprices until it has ended', () => {
    const open = order(setCharges('5'), pay(1));
    for (const other of [pay(2), cash(2, '1'), setCharges('6'), cancel()])
      expect(open.refusal(other), other.do).to.equal('PAYMENT_IN_PROGRESS');
    const after = open.when(failed(1));
    expect(after.types).to.deep.equal(['PaymentFailed']);
    expect(amounts(after.reply.bill)).to.deep.equal({
      status: 'unpaid',
      total: '5.00',
      paid: '0.00',
      remaining: '5.00',
    });
    expect(after.then.when(pay(2)).types).to.deep.equal(['PaymentBegun']);
    expect(after.then.when(cancel()).types).to.include('OrderCancelled');
  });

  it('records payments outside of the service, at most the remaining amount', () => {
    const priced = order(setCharges('10'));
    expect(priced.refusal(cash(1, '10.01'))).to.equal('AMOUNT_TOO_HIGH');
    expect(() => priced.when(cash(1, '1.005'))).to.throw(TooPrecise);
    const part = priced.when(cash(1, '4'));
    expect(part.facts[0]!.data).to.deep.include({ amount: '4.00', method: 'cash', received_by: 2 });
    expect(amounts(part.reply.bill).status).to.equal('partly_paid');
    expect(amountsAfter(part.then, cash(2, '6'))).to.include({ status: 'paid', paid: '10.00' });
    const offline = order(setCharges('10', { settlement: 'offline' }));
    expect(amountsAfter(offline, cash(1, '4')).status).to.equal('settle_offline');
    expect(amountsAfter(offline, cash(1, '10')).status).to.equal('paid');
  });

  it('R5: refunds never exceed their payment', () => {
    const done = order(setCharges('10'), pay(1), paid(1));
    expect(done.refusal(refund(2, 1, '10.01'))).to.equal('AMOUNT_TOO_HIGH');
    const part = done.when(refund(2, 1, '4'));
    expect(part.types).to.deep.equal(['RefundBegun']);
    expect(amounts(part.reply.bill)).to.deep.equal({
      status: 'partly_refunded',
      total: '10.00',
      paid: '6.00',
      remaining: '4.00',
    });
    expect(part.then.refusal(refund(3, 1, '6.01'))).to.equal('AMOUNT_TOO_HIGH');
    const rest = part.then.when(refund(3, 1));
    expect(rest.facts[0]!.data).to.deep.include({ amount: '6.00', why: 'requested', reason: 'late' });
    expect(amounts(rest.reply.bill).status).to.equal('refunded');
    expect(rest.then.refusal(refund(4, 1))).to.equal('AMOUNT_TOO_HIGH');
    expect(rest.then.when(refunded(3)).types).to.deep.equal(['RefundMade']);
    expect(rest.then.when(refunded(3)).then.when(refunded(3)).types).to.deep.equal([]);
    expect(done.refusal(refund(2, 9))).to.equal('PAYMENT_NOT_FOUND');
    expect(order(setCharges('10'), pay(1), failed(1)).refusal(refund(2, 1))).to.equal('PAYMENT_NOT_FOUND');
  });

  it('refunds outside of the service are made at once', () => {
    const done = order(setCharges('10'), cash(1, '10')).when(refund(2, 1, '3', 'outside'));
    expect(done.types).to.deep.equal(['RefundBegun', 'RefundMade']);
    const office = officeOrder(setCharges('10'), cash(1, '10'));
    expect(office.refusal(refund(2, 1)), 'no customer has a wallet').to.equal('NO_WALLET_IN_CURRENCY');
  });

  it('R7: a lower price refunds the difference, the last payment first', () => {
    const done = order(setCharges('10'), cash(1, '4'), pay(2), paid(2));
    const { facts, reply } = done.when(setCharges('3'));
    expect(facts.map(({ type, data }) => [type, (data as { amount?: string }).amount])).to.deep.equal([
      ['ChargesSet', undefined],
      ['RefundBegun', '6.00'],
      ['RefundBegun', '1.00'],
    ]);
    expect(facts[1]!.data).to.deep.include({ payment_id: idOf(2), to: 'wallet', why: 'repriced' });
    expect(facts[2]!.data, 'cash becomes a balance').to.deep.include({ payment_id: idOf(1), to: 'wallet' });
    expect(amounts(reply.bill)).to.deep.equal({
      status: 'partly_refunded',
      total: '3.00',
      paid: '3.00',
      remaining: '0.00',
    });
    const office = officeOrder(setCharges('10'), cash(1, '10')).when(setCharges('4'));
    expect(office.types).to.deep.equal(['ChargesSet', 'RefundBegun', 'RefundMade']);
  });

  it('a higher price is due', () => {
    expect(amountsAfter(order(setCharges('10'), pay(1), paid(1)), setCharges('12'))).to.deep.equal({
      status: 'partly_paid',
      total: '12.00',
      paid: '10.00',
      remaining: '2.00',
    });
  });

  it('R12: a paid bill keeps its currency', () => {
    expect(order(setCharges('10'), cash(1, '1')).refusal(setCharges('5', { currency: 'JPY' }))).to.equal(
      'MIXED_CURRENCIES',
    );
    expect(order(setCharges('10')).when(setCharges('500', { currency: 'JPY' })).types).to.deep.equal(['ChargesSet']);
  });

  it('R8: cancelling refunds everything, in the same append', () => {
    const done = order(setCharges('10', { fee: { flat: '5.00' } }), pay(1), paid(1));
    const { types, facts, reply } = done.when(cancel());
    expect(types).to.deep.equal(['OrderCancelled', 'ChargesSet', 'RefundBegun']);
    expect(facts[1]!.data).to.deep.include({ total: '0.00', lines: [], why: 'cancelled' });
    expect(facts[2]!.data).to.deep.include({ amount: '10.00', to: 'wallet', why: 'cancelled' });
    expect(amounts(reply.bill)).to.deep.equal({ status: 'refunded', total: '0.00', paid: '0.00', remaining: '0.00' });
    expect(order().when(cancel()).types, 'without a price').to.deep.equal(['OrderCancelled']);
  });

  it('a late cancellation by the customer costs the fee, at most the price', () => {
    const late = (fee: { flat: string } | { percent_of_total: string }, price = '10') =>
      order(setCharges(price, { fee }), pay(1), paid(1), scan('out_for_pickup')).when(cancel(true));
    const { facts, reply } = late({ flat: '5.00' });
    expect(facts[1]!.data).to.deep.include({
      total: '5.00',
      lines: [{ code: 'cancellation_fee', kind: 'cancellation_fee', amount: '5.00', taxable: false }],
    });
    expect(facts[2]!.data).to.deep.include({ amount: '5.00' });
    expect(amounts(reply.bill)).to.deep.equal({
      status: 'partly_refunded',
      total: '5.00',
      paid: '5.00',
      remaining: '0.00',
    });
    expect(late({ percent_of_total: '12.5' }, '9.99').reply.bill.total, '1.24875').to.equal('1.25');
    expect(late({ flat: '50' }).reply.bill.total).to.equal('10.00');
    const early = order(setCharges('10', { fee: { flat: '5.00' } })).when(cancel(true));
    expect(early.reply.bill.total, 'before the driver is on the way').to.equal('0.00');
    const byOffice = order(setCharges('10', { fee: { flat: '5.00' } }), scan('out_for_pickup')).when(cancel());
    expect(byOffice.reply.bill.total, 'the office decides itself').to.equal('0.00');
    const unpaid = order(setCharges('10', { fee: { flat: '5.00' } }), scan('out_for_pickup')).when(cancel(true));
    expect(amounts(unpaid.reply.bill)).to.include({ status: 'unpaid', remaining: '5.00' });
    expect(unpaid.then.when(pay(2)).types).to.deep.equal(['PaymentBegun']);
  });

  it('a cancellation on hold costs no fee, and is refused to the customer if a package was picked up', () => {
    const fee = setCharges('10', { fee: { flat: '5.00' } });
    const onHold = order(fee, scan('arrival_scan'), command({ do: 'hold' }));
    expect(onHold.refusal(cancel(true))).to.equal('NOT_CANCELLABLE');
    expect(onHold.when(cancel()).reply.bill.total).to.equal('0.00');
    const notStarted = order(fee, command({ do: 'hold' }));
    expect(notStarted.when(cancel(true)).reply.bill.total).to.equal('0.00');
  });

  it('does not begin a payment of charges that have changed since the wallet was asked', () => {
    const charged = order(setCharges('10'));
    const asked = { ...pay(1), billVersion: 1 };
    expect(charged.when(asked).types).to.deep.equal(['PaymentBegun']);
    expect(charged.when(setCharges('10', { currency: 'USD' })).then.refusal(asked)).to.equal('PRICE_CHANGED');
  });

  it('has at most 100 payments, including failed payments', () => {
    const attempts = Array.from({ length: 100 }, (_, n) => [pay(n), failed(n)]).flat();
    expect(order(setCharges('5'), ...attempts).refusal(pay(100))).to.equal('TOO_MANY_PAYMENTS');
  });

  it('has at most 100 refunds by the office, and can be cancelled afterwards', () => {
    const refunds = Array.from({ length: 100 }, (_, n) => refund(n + 2, 1, '0.01', 'outside'));
    const many = order(setCharges('5'), cash(1, '5'), ...refunds);
    expect(many.refusal(refund(200, 1, '0.01', 'outside'))).to.equal('TOO_MANY_REFUNDS');
    expect(paidAmount(many.when(cancel()).reply.bill)).to.equal('0.00');
  });

  it('has at most 200 charges, and can be cancelled afterwards', () => {
    const many = order(...Array.from({ length: 200 }, (_, n) => setCharges(String(n + 1))));
    expect(many.refusal(setCharges('5'))).to.equal('TOO_MANY_CHARGES');
    expect(many.when(cancel()).reply.bill.total).to.equal('0.00');
  });

  it('keeps the currency of its payments, also if all are refunded', () => {
    const refundedAll = order(setCharges('10'), cash(1, '10'), refund(2, 1, '10', 'outside'));
    expect(refundedAll.refusal(setCharges('900', { currency: 'JPY' }))).to.equal('MIXED_CURRENCIES');
    expect(refundedAll.when(setCharges('9')).types[0]).to.equal('ChargesSet');
    const notPaid = order(setCharges('10'), pay(1), failed(1));
    expect(notPaid.when(setCharges('900', { currency: 'JPY' })).reply.bill.currency).to.equal('JPY');
  });

  it('owes nothing while more is paid than charged', () => {
    const paidMore = order(setCharges('10'), cash(1, '10')).when(setCharges('4'));
    const { type, data } = paidMore.facts[0]!;
    const between = evolveBill(order(setCharges('10'), cash(1, '10')).when(cash(1, '10')).reply.bill, { type, data });
    expect(remainingAmount(between)).to.equal('0.00');
    expect(paidAmount(between)).to.equal('10.00');
  });

  it('the same ids change nothing', () => {
    const done = order(setCharges('10'), cash(1, '4'));
    expect(done.when(cash(1, '4')).types).to.deep.equal([]);
    const back = done.when(refund(2, 1, '1')).then;
    expect(back.when(refund(2, 1, '1')).types).to.deep.equal([]);
  });
});
