/** A shipment of one package, for tests of carriers. */
import { localDate } from '../../../src/events/core/local-time.js';
import type { CarrierShipment } from '../../../src/engines/outside/carriers/port.js';

export const CARRIER_SHIPMENT: CarrierShipment = {
  from: {
    name: 'Demo Logistics',
    street: 'Turmstraße 21',
    city: 'Berlin',
    postal_code: '10559',
    country: 'DE',
    phone: '+49 30 5550100',
  },
  to: { name: 'Ada Muster', street: 'Kantstraße 12', city: 'Berlin', postal_code: '10623', country: 'DE' },
  packages: [{ package_id: '1', weight_kg: 1.2, length_cm: 30, width_cm: 20, height_cm: 10 }],
  ship_date: localDate(Date.now(), 'UTC'),
  options: {},
};
