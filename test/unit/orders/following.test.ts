/** Events that follow from an order in other streams: one that is rejected does not prevent the others. */
import { expect } from 'chai';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { DomainError } from '../../../src/commands/core/domain-error.js';
import { createFollowOrder, type FollowOrdersOptions } from '../../../src/commands/orders/following.js';
import { derivedId } from '../../../src/events/otep/identity.js';

const PAYMENTS = [derivedId('payment', 1), derivedId('payment', 2)];
const metadata = { actor: { kind: 'user', id: '7', channel: 'rest' }, $correlationId: 'c' };

describe('events that follow from an order', () => {
  it('are written even if an earlier one is rejected', async () => {
    const event = (id: string, type: string, data: object) => ({
      id,
      type,
      version: 1,
      stream: 'order-3',
      data,
      metadata,
    });
    const refund = (id: string, payment_id: string) =>
      event(id, 'RefundBegun', {
        refund_id: id,
        payment_id,
        amount: '1.00',
        currency: 'EUR',
        to: 'wallet',
        why: 'cancelled',
      });
    const past = [
      event('created', 'OrderCreated', { order_id: 3, business: 1, customer_id: 7, packages: [] }),
      event('charged', 'ChargesSet', { bill_version: 1, currency: 'EUR', total: '2.00', settlement: 'online' }),
      ...PAYMENTS.map((payment_id, n) =>
        event(`paid ${n}`, 'PaymentReceived', { payment_id, amount: '1.00', currency: 'EUR', method: 'cash' }),
      ),
      refund('first', PAYMENTS[0]!),
      refund('second', PAYMENTS[1]!),
    ];
    const begun: string[] = [];
    const follow = createFollowOrder({
      log: {
        async *read() {
          yield* past;
        },
      },
      types: EVENT_TYPES,
      settle: {
        async refund(_order: object, { refund_id }: { refund_id: string }) {
          begun.push(refund_id);
          if (refund_id === 'first') throw new DomainError('AMOUNT_TOO_HIGH');
          return 'position';
        },
      },
    } as unknown as FollowOrdersOptions);
    expect(await follow('order-3', new Set(['first', 'second']))).to.equal('position');
    expect(begun).to.deep.equal(['first', 'second']);
  });
});
