/** Examples for bills. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

const path = { order_id: 1 };

export const BILL_EXAMPLES: Examples = {
  orderChargesSet: {
    path,
    body: {
      currency: 'EUR',
      lines: [
        { code: 'delivery', name: 'Delivery', amount: '12.50' },
        { code: 'vat', name: 'VAT 19 %', amount: '2.38', is_tax: true },
      ],
    },
  },
  billPaymentRecord: { path, body: { amount: '10.00', method: 'cash', reference: 'Receipt 17' } },
};
