/** Changes by the customer of an order, with their price, and the bill of a rerouted order (customers R4). */
import { expect } from 'chai';
import type { ChangedPrice } from '../../../src/commands/orders/command.js';
import type { OrderCommand } from '../../../src/commands/orders/decider.js';
import {
  cash,
  chargesOf,
  command,
  CUSTOMER,
  failed,
  idOf,
  order,
  paid,
  paidOrder,
  pay,
  refund,
  scan,
  setCharges,
} from './commands.js';

const DAY = '2030-12-02';
const of = (billVersion: number, schedule_date: string | undefined = DAY): ChangedPrice['of'] => ({
  schedule: { time_windows: [], schedule_date },
  warehouse: undefined,
  billVersion,
});
const agreedAt = (amount: string, currency = 'EUR') => ({
  agreed: { charges: chargesOf(amount, currency), settlement: 'online' as const },
});
const BY_WALLET = { payment: { from: 'wallet' as const, paymentId: idOf(2), accountId: CUSTOMER } };
const AWAITED = { payment: { from: 'awaited' as const } };
const change = (price?: ChangedPrice, schedule_date = DAY): OrderCommand =>
  command({ do: 'update', updates: [{ do: 'reschedule', schedule_date }], byCustomer: true, ...(price && { price }) });
const reroute = (price?: ChangedPrice, byCustomer = true): OrderCommand =>
  command({
    do: 'reroute',
    replacement: { order_id: 4, delivery: { postal_code: '20095' }, tracking_numbers: ['B1'] },
    ...(byCustomer && { byCustomer }),
    ...(price && { price }),
  });
const moved = (types: readonly string[]) => ['OrderCancelled', ...types];

describe('a change by the customer', () => {
  it('with a higher price begins the payment of the rest, or holds the order', () => {
    const ordered = paidOrder('wallet', paid(1));
    const byWallet = ordered.when(change({ of: of(1), ...agreedAt('12.00'), ...BY_WALLET }));
    expect(byWallet.types).to.deep.equal(['TimeWindowChanged', 'ChargesSet', 'PaymentBegun']);
    expect(byWallet.facts[2]!.data).to.include({ amount: '2.00', required: true });
    expect(byWallet.then.when(failed(2)).types).to.deep.equal(['PaymentFailed', 'OrderHeld']);
    const awaited = ordered.when(change({ of: of(1), ...agreedAt('12.00'), ...AWAITED }));
    expect(awaited.types).to.deep.equal(['TimeWindowChanged', 'ChargesSet', 'OrderHeld']);
    expect(awaited.then.when(pay(3)).then.when(paid(3)).types).to.deep.equal(['PaymentReceived', 'OrderReleased']);
  });

  it('with a lower price refunds the difference, and releases an order that is paid by it', () => {
    const lower = paidOrder('wallet', paid(1)).when(change({ of: of(1), ...agreedAt('7.00'), ...BY_WALLET }));
    expect(lower.types).to.deep.equal(['TimeWindowChanged', 'ChargesSet', 'RefundBegun']);
    expect(lower.facts[2]!.data).to.include({ amount: '3.00', to: 'wallet', why: 'repriced' });
    const held = paidOrder('awaited', cash(5, '7.00'));
    expect(held.when(change({ of: of(1), ...agreedAt('7.00') })).types).to.deep.equal([
      'TimeWindowChanged',
      'ChargesSet',
      'OrderReleased',
    ]);
  });

  it('without a price waits for the office; a payment of the old price does not end that', () => {
    const waiting = paidOrder('awaited', change({ of: of(1), awaitsPrice: true }));
    expect(waiting.past.at(-1)).to.deep.nested.include({ 'data.why': 'price' });
    expect(waiting.when(pay(2)).then.when(paid(2)).types).to.deep.equal(['PaymentReceived']);
    expect(waiting.when(setCharges('11.00')).facts.at(-1)).to.deep.nested.include({
      type: 'OrderHeld',
      'data.why': 'payment',
    });
    expect(waiting.when(cash(3, '10.00')).then.when(setCharges('8.00')).types).to.deep.equal([
      'ChargesSet',
      'RefundBegun',
      'OrderReleased',
    ]);
  });

  it('of an order that a user holds does not end that hold', () => {
    const held = paidOrder('wallet', paid(1), command({ do: 'hold', reason: 'unclear' }));
    for (const price of [{ awaitsPrice: true }, { ...agreedAt('12.00'), ...AWAITED }, agreedAt('7.00')])
      expect(held.when(change({ of: of(1), ...price })).reply.status).to.equal('HOLD');
    expect(held.when(change({ of: of(1), ...agreedAt('7.00') })).types).to.not.include('OrderReleased');
  });

  it('is rejected if the price is for another state, while a payment is open, and after the driver has started', () => {
    const ordered = paidOrder('wallet', paid(1));
    const price = { of: of(1), ...agreedAt('12.00') };
    for (const wrong of [
      of(2),
      of(1, '2030-12-09'),
      { ...of(1), warehouse: 9 },
      {
        ...of(1),
        schedule: { time_windows: [{ stop: 'delivery' as const, from: '09:00', to: '10:00' }], schedule_date: DAY },
      },
    ])
      expect(ordered.refusal(change({ ...price, of: wrong }))).to.equal('CONFLICT');
    expect(ordered.refusal(reroute({ ...price, of: of(1) }))).to.equal('CONFLICT');
    const open = paidOrder('wallet');
    expect(open.refusal(change(price))).to.equal('PAYMENT_IN_PROGRESS');
    expect(
      open.refusal(reroute({ ...price, of: { ...of(1), schedule: { time_windows: [], schedule_date: undefined } } })),
    ).to.equal('PAYMENT_IN_PROGRESS');
    expect(open.refusal(reroute(undefined, false))).to.equal('PAYMENT_IN_PROGRESS');
    const started = paidOrder('wallet', paid(1), scan('out_for_pickup'));
    expect(started.refusal(change(price))).to.equal('NOT_CHANGEABLE');
    expect(started.refusal(reroute())).to.equal('NOT_CHANGEABLE');
    expect(started.when(reroute(undefined, false)).types[0], 'by staff').to.equal('OrderCancelled');
    const offered = paidOrder(
      'wallet',
      paid(1),
      command({
        do: 'offer_to_third_parties',
        offerId: idOf(9),
        providers: ['acme'],
        respondBy: '2099-01-01T00:00:00Z',
      } as never),
    );
    expect(offered.refusal(change(price))).to.equal('OFFERED_TO_THIRD_PARTY');
  });
});

describe('a reroute of an order with the maximum number of payments', () => {
  it('by the customer is refused if the replacement needs one more', () => {
    let many = order(setCharges('200.00'));
    for (let n = 1; n <= 100; n++) many = many.when(cash(1_000 + n, '0.01')).then;
    const price = { of: { ...of(1), schedule: { time_windows: [], schedule_date: undefined } }, ...agreedAt('300.00') };
    expect(many.refusal(reroute({ ...price, ...BY_WALLET }))).to.equal('TOO_MANY_PAYMENTS');
    expect(many.when(reroute({ ...price, ...AWAITED })).types[0]).to.equal('OrderCancelled');
  });
});

describe('the bill of a rerouted order', () => {
  it('gives its payments to the replacement, without the parts that were refunded', () => {
    const past = order(setCharges('10.00'), cash(1, '4.00'), pay(2), paid(2), refund(3, 2, '1.00'));
    const { facts, types, reply } = past.when(reroute(undefined, false));
    expect(types).to.deep.equal(moved(['ChargesSet', 'RefundBegun', 'RefundMade', 'RefundBegun', 'RefundMade']));
    const refunds = facts
      .filter(({ type }) => type === 'RefundBegun')
      .map(({ data }) => data as Record<string, unknown>);
    expect(refunds.map(({ payment_id, amount, to }) => [payment_id, amount, to])).to.deep.equal([
      [idOf(1), '4.00', 'replacement'],
      [idOf(2), '5.00', 'replacement'],
    ]);
    expect(reply.bill.total).to.equal('0.00');
    expect(order().when(reroute(undefined, false)).types, 'without a price').to.deep.equal(['OrderCancelled']);
  });

  it('records the new price in the same event, in the currency of the payments', () => {
    const parts = { ...of(1), schedule: { time_windows: [], schedule_date: undefined } };
    const ordered = paidOrder('wallet', paid(1));
    const { facts } = ordered.when(reroute({ of: parts, ...agreedAt('12.00'), ...AWAITED }));
    expect(facts[0]!.data).to.deep.nested.include({
      'replacement.bill.price.total': '12.00',
      'replacement.bill.payment': 'awaited',
    });
    expect(ordered.refusal(reroute({ of: parts, ...agreedAt('12.00', 'USD') }))).to.equal('MIXED_CURRENCIES');
  });
});
