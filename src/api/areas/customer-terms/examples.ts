/** Example requests for the terms of a customer. They work on a fresh demo. */
import type { Examples } from '../../core/example.js';

export const CUSTOMER_TERMS_EXAMPLES: Examples = {
  customerTermsSet: {
    path: { customer_id: 6 },
    body: {
      families: [{ family: 'local_delivery', markup_percent: '-5', payment_terms: 'pay_later' }],
      tags: ['wholesale'],
    },
  },
};
