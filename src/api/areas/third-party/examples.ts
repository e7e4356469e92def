/** Example requests for offers to providers. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

/** Assigned by the service when the order is offered. */
const OFFER_ID = '6f1d2b0e-52a4-5c3f-9a77-0d3c1f4b8e21';

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
  thirdPartyAccept: {
    as: 'provider',
    path: { order_id: 7 },
    body: { offer_id: OFFER_ID, reference: 'CR-2031', eta_at: '2036-11-20T13:40:00+01:00' },
  },
  thirdPartyRelease: { as: 'provider', path: { order_id: 7 }, body: { reason: 'The van broke down' } },
  thirdPartyDecline: {
    as: 'provider',
    path: { order_id: 8 },
    body: { offer_id: OFFER_ID, reason: 'No van in this area today' },
  },
};
