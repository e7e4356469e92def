/** Example requests for offers to providers. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const THIRD_PARTY_EXAMPLES: Examples = {
  orderThirdPartyOffer: {
    path: { order_id: 7 },
    body: {
      providers: ['demo-courier', 'demo-carrier'],
      respond_within_s: 600,
      pickup_by: '2036-11-20T14:00:00+01:00',
      deliver_by: '2036-11-20T18:00:00+01:00',
      fee: '8.50',
      currency: 'EUR',
    },
  },
};
