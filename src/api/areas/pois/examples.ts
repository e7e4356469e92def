/** Example requests for points of interest. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const POI_EXAMPLES: Examples = {
  poiCreate: {
    body: {
      name: 'Kiosk at the station',
      category: 'pickup_point',
      position: { latitude: 52.5251, longitude: 13.3694 },
      address: { street: 'Europaplatz 1', city: 'Berlin', postal_code: '10557', country: 'DE' },
      opening_hours: [{ day: 1, from: '08:00', to: '20:00' }],
      tags: ['parcels'],
      visibility: 'public',
    },
  },
  poiUpdate: { path: { poi_id: 6 }, body: { name: 'Kiosk at the central station' } },
};
