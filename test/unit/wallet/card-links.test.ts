/** What the app of a customer needs to pay: read at the provider, but not for each request. */
import { expect } from 'chai';
import type { PaymentState } from '../../../src/engines/payments/stripe-reader.js';
import type { Outcome } from '../../../src/engines/outside/adapter.js';
import { createCardPayments, type CardPaymentsOptions } from '../../../src/areas/wiring/card-payments.js';
import { timeLimits } from '../../../src/events/core/time-limits.js';

const PENDING: PaymentState = { status: 'pending', clientSecret: 'pi_1_secret_1', refunds: [], disputes: [] };
const TOP_UP = { account: 'operator', topUpId: 1, expiresAt: '2026-03-02T10:00:00.000Z' };

function open(outcome: Outcome<PaymentState>) {
  let calls = 0;
  const parts = {
    accounts: { keysOf: () => Promise.resolve({ baseUrl: 'http://localhost', secretKey: 'k', webhookSecret: 'w' }) },
    performer: {
      call: () => {
        calls += 1;
        return Promise.resolve(outcome);
      },
    },
    limits: timeLimits(),
    now: Date.now,
  };
  const { linkOf } = createCardPayments(parts as unknown as CardPaymentsOptions);
  return { linkOf, calls: () => calls };
}

describe('links of card payments', () => {
  it('are read once for many requests of the same time, so a customer cannot use up the limit of the account', async () => {
    const { linkOf, calls } = open({ is: 'done', result: PENDING });
    for (let count = 0; count < 20; count += 1)
      expect(await linkOf(TOP_UP, 'pi_1')).to.deep.equal({ clientSecret: 'pi_1_secret_1', url: null });
    expect(calls()).to.equal(1);
  });

  it('are not shared by two top-ups that name the same payment', async () => {
    const { linkOf, calls } = open({ is: 'done', result: PENDING });
    await linkOf(TOP_UP, 'pi_1');
    await linkOf({ ...TOP_UP, topUpId: 2 }, 'pi_1');
    expect(calls()).to.equal(2);
  });

  it('are read again after a failure, and absent for a payment of another top-up', async () => {
    const failing = open({ is: 'unknown', cause: 'timeout' });
    for (const outcome of [failing, open({ is: 'not_done', code: 'other_payment', final: true })]) {
      expect(await outcome.linkOf(TOP_UP, 'pi_1')).to.deep.equal({ clientSecret: null, url: null });
      await outcome.linkOf(TOP_UP, 'pi_1');
      expect(outcome.calls()).to.equal(2);
    }
  });
});
