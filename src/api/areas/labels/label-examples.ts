/** Examples for label orders. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

const ship_to = {
  name: 'Grace Hopper',
  street: 'Spitalerstr. 1',
  city: 'Hamburg',
  postal_code: '20095',
  country: 'DE',
};
const ship_from = {
  name: 'Demo Logistics',
  street: 'Invalidenstr. 1',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
};
const shipment = { ship_from, ship_to, packages: [{ weight_kg: 1.5, length_cm: 30, width_cm: 20, height_cm: 10 }] };

export const LABEL_EXAMPLES: Examples = {
  labelOrderCreate: { body: { ...shipment, method_id: 1001 } },
  labelOrderQuoteAndShip: { body: { ...shipment, strategy: 'cheapest' } },
  labelOrderPurchase: { path: { order_id: 1 }, body: {} },
  labelOrderCarrierDetail: { body: { order_id: 1 } },
  labelOrderFiles: { body: { order_id: 1 } },
  labelOrderCancel: { body: { order_id: 1, reason: 'The customer has changed the order' } },
};
