/** Examples for a fleet with captains, drivers and vehicles. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const FLEET_EXAMPLES: Examples = {
  fleetCreate: { body: { name: 'Night shift' } },
  fleetUpdate: { path: { fleet_id: 4 }, body: { name: 'Night shift, Berlin' } },
  fleetCaptainsSet: { path: { fleet_id: 4 }, body: { user_ids: [2] } },
  fleetDriversSet: { path: { fleet_id: 4 }, body: { driver_ids: [5, 11] } },
  fleetVehiclesSet: {
    path: { fleet_id: 4 },
    body: {
      vehicles: [
        {
          id: 'VAN-N1',
          name: 'Van of the night',
          plate: 'B-OT 1001',
          capacity: { weight_kg: 600, volume_m3: 8 },
          attributes: ['fridge'],
          speed_factor: 1,
          cost: { per_km: '0.40' },
        },
      ],
    },
  },
};
