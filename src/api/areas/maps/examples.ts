/** Example requests for a map with a layer. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const MAP_EXAMPLES: Examples = {
  mapCreate: {
    body: {
      name: 'Pick-up points',
      view: { center: { latitude: 52.52, longitude: 13.4 }, zoom: 11 },
      layers: [
        {
          layer_id: 'points',
          title: 'Pick-up points',
          source: { pois: { category: 'pickup_point' } },
          style: { kind: 'point', color: '#0050a0' },
        },
      ],
    },
  },
  mapUpdate: { path: { map_id: 1 }, body: { name: 'Pick-up points in Berlin' } },
  mapPublish: { path: { map_id: 1 }, body: { allowed_origins: ['https://shop.example'], expires_in_days: 90 } },
};
