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
  orderPay: { as: 'customer', path, body: { expected_amount: '4.88' } },
  billRefund: {
    path,
    body: { payment_id: '7d0f1d9e-3a47-5f0b-9f43-2f5f3f0c1f6a', amount: '4.88', reason: 'The parcel was late' },
  },
};
