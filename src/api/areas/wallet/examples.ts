/** Examples for wallets. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

const path = { customer_id: 6 };

export const WALLET_EXAMPLES: Examples = {
  walletCredit: { path, body: { amount: '100.00', currency: 'EUR', source: 'bank', reference: 'Transfer of 1 March' } },
  walletAdjust: { path, body: { amount: '-2.50', currency: 'EUR', reason: 'The delivery of 3 March was late' } },
  walletWithdraw: { path, body: { amount: '10.00', currency: 'EUR', to: 'bank' } },
  topUpCreate: { as: 'customer', body: { amount: '100.00', method: 'bank_transfer' } },
  topUpConfirm: { path: { top_up_id: 1 }, body: { amount: '100.00', bank_reference: 'Transfer 4711' } },
  paymentSettingsUpdate: {
    body: {
      provider: 'stripe',
      secret_key: 'sk_test_your_secret_key',
      webhook_secret: 'whsec_your_signing_secret',
      publishable_key: 'pk_test_your_publishable_key',
    },
  },
  walletTermsUpdate: { path, body: { currency: 'EUR', credit_limit: '50.00' } },
};
