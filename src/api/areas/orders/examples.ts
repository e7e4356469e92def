/**
 * Example requests for orders: creating and changing them. They work on a fresh demo when they are sent in this order.
 */
import type { Examples } from '../../core/example.js';

const ORDER = {
  type: 'D',
  order_ref: 'WEB-2002',
  schedule_date: '2030-12-02',
  delivery: {
    name: 'Ada Muster',
    phone: '+49 30 5550100',
    street: 'Invalidenstraße 44',
    city: 'Berlin',
    postal_code: '10115',
    country: 'DE',
  },
  packages: [{ description: 'Books', weight_kg: 2.5, length_cm: 30, width_cm: 20, height_cm: 12 }],
  time_windows: [{ stop: 'delivery', from: '09:00', to: '17:00' }],
};

export const ORDER_EXAMPLES: Examples = {
  orderCreate: { body: { ...ORDER, order_ref: 'WEB-2001' } },
  ordersBatch: { body: { orders: [ORDER, { ...ORDER, order_ref: 'WEB-2003' }] } },
  ordersBatchAsync: { body: { orders: [{ ...ORDER, order_ref: 'WEB-2004' }] } },
  ordersImport: {
    body: {
      csv: 'Reference,Type,Day,Name,Street,City,Postcode,Country\nWEB-2005,D,2030-12-02,Ada Muster,Invalidenstraße 44,Berlin,10115,DE\n',
      mapping: [
        { from: 'Reference', to: 'order_ref' },
        { from: 'Type', to: 'type' },
        { from: 'Day', to: 'schedule_date' },
        { from: 'Name', to: 'delivery.name' },
        { from: 'Street', to: 'delivery.street' },
        { from: 'City', to: 'delivery.city' },
        { from: 'Postcode', to: 'delivery.postal_code' },
        { from: 'Country', to: 'delivery.country' },
      ],
      dry_run: true,
    },
  },
  orderHold: { path: { order_id: 1 }, body: { reason: 'Address unclear' } },
  orderRelease: { path: { order_id: 1 }, body: { reason: 'The customer answered' } },
  orderCancel: { path: { order_id: 2 }, body: { reason: 'Ordered twice' } },
  orderUpdate: {
    path: { order_id: 1 },
    body: {
      schedule_date: '2030-12-03',
      time_windows: [{ stop: 'delivery', from: '09:00', to: '12:00' }],
      note: 'Prefers the morning',
      planning: { service_time_s: 300 },
    },
  },
  ordersTimeWindows: {
    body: {
      order_refs: ['DEMO-ASSIGNABLE-04'],
      schedule_date: '2030-12-03',
      time_windows: [{ stop: 'delivery', from: '13:00', to: '17:00' }],
    },
  },
  orderReroute: { path: { order_id: 4 }, body: { delivery: ORDER.delivery, reason: 'Moved' } },
  orderPositionSet: { path: { order_id: 1 }, body: { position: { latitude: 52.53021, longitude: 13.37905 } } },
  orderThirdPartyGive: { path: { order_id: 6 }, body: { provider: 'demo-courier' } },
  orderThirdPartyTake: { path: { order_id: 6 }, body: { provider: 'demo-courier' } },
  trackingOperationevents: { body: { order_id: 1 } },
};
