/** What a driver's vehicle takes, and a scan at the door. Bodies that work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const DRIVER_EXAMPLES: Examples = {
  driverCapacitySet: { path: { driver_id: 5 }, body: { max_orders: 40, max_weight: 600, max_volume: 8 } },
  driverScan: {
    as: 'driver',
    body: {
      tracking_number: 'DEMOONROUTE01X13',
      status_code: 'out_for_delivery',
      occurred_at: '2026-11-20T08:05:00+01:00',
      gps: { latitude: 52.5302, longitude: 13.379 },
    },
  },
};
