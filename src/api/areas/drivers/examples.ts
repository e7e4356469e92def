/** Examples for capacity, profile, documents and scans of a driver. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const DRIVER_EXAMPLES: Examples = {
  driverCapacitySet: { path: { driver_id: 5 }, body: { max_orders: 40, max_weight_kg: 600, max_volume_m3: 8 } },
  driverInfoUpdate: {
    path: { driver_id: 5 },
    body: {
      home_region: 'Berlin',
      languages: ['de', 'tr'],
      transport: 'van',
      emergency_contact: 'Kim, +49 30 5550142',
    },
  },
  meDriverInfoUpdate: {
    as: 'driver',
    body: { home_region: 'Berlin', languages: ['de', 'tr'], transport: 'van', licence_no: 'B072RRE2I55' },
  },
  driverDocumentSubmit: {
    as: 'driver',
    path: { driver_id: 5 },
    body: { kind: 'driving_licence', number: 'B072RRE2I55', valid_until: '2033-06-30' },
  },
  driverDocumentDecide: {
    path: { driver_id: 5, document_id: '0b9d7c1e-5a0e-5c39-9a53-1f7e5f1f2a10' },
    body: { decision: 'verify' },
  },
  driverScan: {
    as: 'driver',
    body: {
      tracking_number: 'DEMOONROUTE01X13',
      status_code: 'out_for_delivery',
      occurred_at: '2026-11-20T08:05:00+01:00',
      position: { latitude: 52.5302, longitude: 13.379 },
    },
  },
  scanConflictSettle: {
    path: { scan_conflict_id: '0b9d7c1e-5a0e-5c39-9a53-1f7e5f1f2a10' },
    body: { decision: 'apply', reason: 'The recipient has the parcel.' },
  },
  scanSupersede: {
    path: { order_id: 8, scan_id: '0b9d7c1e-5a0e-5c39-9a53-1f7e5f1f2a10' },
    body: {
      reason: 'The driver scanned the wrong parcel.',
      replacement: {
        status_code: 'delivery_failed',
        occurred_at: '2026-11-20T08:05:00+01:00',
        reason_code: 'recipient_absent',
      },
    },
  },
};
