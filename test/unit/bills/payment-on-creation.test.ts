/** Orders that are paid when they are created: they are held while the payment is missing, and released by it. */
import { expect } from 'chai';
import { cancel, cash, command, failed, paid, paidOrder, pay, scan, setCharges } from './commands.js';

const hold = command({ do: 'hold', reason: 'The office decides' });
const release = command({ do: 'release' });
const onRoute = command({ do: 'put_on_route', routeId: 4 });

describe('payment of a new order', () => {
  it('leaves the order dispatchable once it is received', () => {
    const made = paidOrder('wallet');
    expect(made.refusal(onRoute), 'while the payment is open').to.equal('PAYMENT_IN_PROGRESS');
    expect(made.when(paid(1)).types).to.deep.equal(['PaymentReceived']);
    expect(paidOrder('wallet', paid(1)).when(onRoute).types).to.deep.equal(['OrderPutOnRoute']);
  });

  it('holds the order if it fails, in the same append', () => {
    const { facts, types } = paidOrder('wallet').when(failed(1));
    expect(types).to.deep.equal(['PaymentFailed', 'OrderHeld']);
    expect(facts[1]!.data).to.include({ why: 'payment' });
    expect(paidOrder('wallet', failed(1)).refusal(onRoute)).to.equal('ORDER_HELD');
  });

  it('holds no order for a later payment that fails', () => {
    const waiting = paidOrder('wallet', failed(1), release, pay(2));
    expect(waiting.when(failed(2)).types).to.deep.equal(['PaymentFailed']);
  });

  for (const from of ['wallet', 'awaited'] as const)
    it(`releases an order that waits for it (${from})`, () => {
      const waiting = paidOrder(from, ...(from === 'wallet' ? [failed(1)] : []));
      expect(waiting.when(cash(3, '4.00')).types, 'a part').to.deep.equal(['PaymentReceived']);
      expect(waiting.when(cash(3, '10.00')).types).to.deep.equal(['PaymentReceived', 'OrderReleased']);
      expect(waiting.when(setCharges('0.00')).types).to.deep.equal(['ChargesSet', 'OrderReleased']);
      expect(waiting.when(setCharges('12.00')).types).to.deep.equal(['ChargesSet']);
    });

  it('begins with the hold, if the customer pays later', () => {
    expect(paidOrder('awaited', pay(2)).when(paid(2)).types).to.deep.equal(['PaymentReceived', 'OrderReleased']);
  });

  it('does not release an order that a user holds', () => {
    expect(paidOrder('awaited').when(hold).types).to.deep.equal(['OrderHeld']);
    expect(paidOrder('awaited', hold).when(cash(3, '10.00')).types).to.deep.equal(['PaymentReceived']);
    expect(paidOrder('awaited', hold).when(hold).types, 'held before').to.deep.equal([]);
    expect(paidOrder('awaited', release).when(cash(3, '10.00')).types).to.deep.equal(['PaymentReceived']);
  });
});

describe('cancellation by the customer', () => {
  it('is refused once a package is in hand; the office can still cancel', () => {
    for (const code of ['picked_up', 'received']) {
      expect(paidOrder('wallet', paid(1), scan(code)).refusal(cancel(true)), code).to.equal('NOT_CANCELLABLE');
      expect(paidOrder('wallet', paid(1), scan(code)).when(cancel()).types, code).to.include('OrderCancelled');
    }
    const early = paidOrder('wallet', paid(1)).when(cancel(true)).types;
    expect(early).to.deep.equal(['OrderCancelled', 'ChargesSet', 'RefundBegun']);
  });
});
