/** Example requests for riders. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const RIDER_EXAMPLES: Examples = {
  riderGrantSet: { path: { driver_id: 5 }, body: { enabled: true, max_concurrent: 2, radius_m: 8_000 } },
  riderOnline: { as: 'driver', body: {} },
  riderLocations: {
    as: 'driver',
    body: {
      points: [{ at: '2026-11-20T08:05:00+01:00', latitude: 52.5302, longitude: 13.379, accuracy_m: 12 }],
      device_id: 'phone-1',
    },
  },
  instantDeliveryRequest: { path: { order_id: 6 }, body: { offer_s: 20, radius_m: 5_000, max_rounds: 3 } },
  riderOffline: { as: 'driver', body: {} },
};
