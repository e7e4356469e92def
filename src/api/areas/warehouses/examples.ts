/** Example requests for warehouses and locations. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const WAREHOUSE_EXAMPLES: Examples = {
  warehouseCreate: {
    body: {
      code: 'MUC',
      name: 'Hub Munich',
      address: { street: 'Kai 1', city: 'München', postal_code: '80939', country: 'DE' },
      timezone: 'Europe/Berlin',
      opening_hours: [{ day: 1, from: '06:00', to: '20:00' }],
      contact: 'Gate 3, +49 89 5550100',
    },
  },
  warehouseUpdate: { path: { warehouse_id: 3 }, body: { name: 'Hub Munich North', dock_minutes: 10 } },
  locationsBatch: {
    path: { warehouse_id: 1 },
    body: {
      locations: [
        { code: 'A-1', kind: 'storage', zone: 'A', sequence: 1 },
        { code: 'A-2', kind: 'storage', zone: 'A', sequence: 2 },
        { code: 'X-9', kind: 'quarantine' },
      ],
    },
  },
  locationUpdate: { path: { warehouse_id: 1, code: 'A-2' }, body: { blocked: false } },
  locationsRemove: { path: { warehouse_id: 1 }, body: { codes: ['X-9'] } },
};
