/** Example requests for carrier accounts. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const CARRIER_ACCOUNT_EXAMPLES: Examples = {
  carrierAccountCreate: {
    body: {
      adapter: 'sheet',
      name: 'Vans in Hamburg',
      settings: { rate_card_id: 3, carrier_name: 'Demo Logistics', company_prefix: '4012346' },
    },
  },
  carrierAccountUpdate: {
    path: { carrier_account_id: 1 },
    body: { price_tolerance_percent: '2.5', methods: [{ id: 1_001, markup_card: 2 }] },
  },
  carrierAccountTest: { path: { carrier_account_id: 1 }, body: {} },
  carrierAccountDisable: { path: { carrier_account_id: 1 }, body: {} },
  carrierAccountEnable: { path: { carrier_account_id: 1 }, body: {} },
};
