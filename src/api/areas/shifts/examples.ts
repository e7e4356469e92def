/** Example requests for a driver's shift. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const SHIFT_EXAMPLES: Examples = {
  shiftsBatch: {
    path: { fleet_id: 1 },
    body: {
      shifts: [
        {
          driver_id: 5,
          start_at: '2030-12-02T08:00:00+01:00',
          end_at: '2030-12-02T16:30:00+01:00',
          breaks: [
            { duration_s: 1800, earliest_at: '2030-12-02T11:30:00+01:00', latest_at: '2030-12-02T13:30:00+01:00' },
          ],
          start_place: { kind: 'warehouse', warehouse_id: 1 },
          end_place: { kind: 'warehouse', warehouse_id: 1 },
        },
      ],
    },
  },
  shiftUpdate: { path: { shift_id: 1 }, body: { breaks: [], end_place: { kind: 'open' } } },
};
