/** The policy of orders ignores queued names of events that became other events, after the log was replaced. */
import { expect } from 'chai';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createOrderPolicy, type FollowedEvent } from '../../../src/commands/orders/policy.js';

describe('queued events of the policy of orders', () => {
  it('are ignored if the log has another event at their place', async () => {
    const calls: string[] = [];
    const policy = createOrderPolicy({
      types: EVENT_TYPES,
      follow: async (stream) => (calls.push(stream), undefined),
      orders: async (stream) => (calls.push(stream), expect.fail('no command')),
      ordersOf: async () => ({ packages: new Map(), businesses: new Map() }),
    });
    const queued = (stream: string, type: string, tracking_number: string | null) =>
      ({
        order_id: 1,
        business: 1,
        tracking_number,
        event: { id: 'e', stream, type, data: {}, metadata: {} },
      }) as unknown as FollowedEvent;
    await policy.handle([
      queued('tracking-a', 'TrackingOpened', 'N1'),
      queued('order-1', 'OrderCreated', 'N1'),
      queued('order-1', 'OrderNoted', null),
      queued('order-2', 'OrderCancelled', null),
    ]);
    expect(calls).to.deep.equal([]);
    await policy.handle([queued('order-1', 'OrderCancelled', null)]);
    expect(calls).to.deep.equal(['order-1']);
  });
});
