/** Entries of families whose prices are hidden have no amounts. */
import { expect } from 'chai';
import { hidingOf } from '../../../src/api/core/prices.js';
import { entrySchema } from '../../../src/api/areas/wallet/shapes.js';

const payment = {
  id: '6f2c8a52-6a54-4d5e-9d2f-0d8f4f6f0a11',
  created_at: '2026-03-01T10:00:00.000Z',
  kind: 'payment',
  amount: '-18.37',
  balance_after: '81.63',
  order_id: 3,
  family: 'local_delivery',
  top_up_id: null,
  note: null,
};
const credit = { ...payment, kind: 'credit', amount: '100.00', order_id: null, family: null };

describe('hidden prices of wallet entries', () => {
  const hide = hidingOf(entrySchema)!;

  it('are absent, with a mark', () => {
    const { amount: _amount, balance_after: _after, ...rest } = payment;
    expect(hide(payment, new Set(['local_delivery']))).to.deep.equal({ ...rest, price_hidden: true });
    expect(entrySchema.safeParse(hide(payment, new Set(['local_delivery']))).success).to.equal(true);
  });

  it('do not concern other families, and entries without a family', () => {
    expect(hide(payment, new Set(['label_service']))).to.deep.equal(payment);
    expect(hide(credit, new Set(['local_delivery']))).to.deep.equal(credit);
  });
});
