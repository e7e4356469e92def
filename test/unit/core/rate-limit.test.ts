/** The requests and streams that count for one client. */
import { expect } from 'chai';
import { ANONYMOUS } from '../../../src/api/core/callers.js';
import { createSubscriptions } from '../../../src/api/core/subscriptions.js';
import { createQuota } from '../../../src/api/core/rate-limit.js';
import type { SharedCounts } from '../../../src/engines/postgres/shared-counts.js';

const ALONE = { join: () => () => undefined, close: () => Promise.resolve() } as SharedCounts;

describe('an IPv6 subscriber', () => {
  const address = (count: number) => `2001:db8:1:2::${count.toString(16)}`;

  it('is one client, however many addresses it uses', async () => {
    const take = createQuota('test', 5, ALONE);
    const taken = await Promise.allSettled(Array.from({ length: 20 }, (_, count) => take(address(count))));
    expect(taken.filter(({ status }) => status === 'fulfilled')).to.have.length(5);
    await take('2001:db8:1:3::1');
    await take('198.51.100.1');
    await take('198.51.100.2');
  });

  it('has the stream limit of one address', () => {
    const following = createSubscriptions(() => Promise.resolve(ANONYMOUS));
    const enter = (from: string) => following.reserve(ANONYMOUS, from, new AbortController().signal);
    for (let count = 0; count < 200; count++) enter(address(count));
    expect(() => enter(address(999))).to.throw('RATE_LIMITED');
    enter('2001:db8:1:3::1');
  });
});
