/** The contract of payment providers against Stripe's test mode: `PAYMENTS_KEY=sk_test_... npm run test:stripe`. */
import { describeContract } from '../support/payments/contract.js';

const { PAYMENTS_KEY: key = '', PAYMENTS_BASE_URL: url = 'https://api.stripe.com' } = process.env;

if (/^sk_test_/.test(key)) describeContract('Stripe', () => Promise.resolve({ url, key }));
else
  describe('Stripe as a payment provider', () => {
    it.skip('needs PAYMENTS_KEY=sk_test_...');
  });
