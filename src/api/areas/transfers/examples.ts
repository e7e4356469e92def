/** Example requests for transfers between warehouses. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const TRANSFER_EXAMPLES: Examples = {
  transferCreate: {
    body: {
      from_warehouse_id: 1,
      to_warehouse_id: 2,
      tracking_numbers: ['DEMOASSIGNABLE03X3'],
      mode: 'ship',
      reason_code: 'mis_received',
    },
  },
  transferShip: { path: { transfer_id: 1 }, body: { seal: 'S-4711', vehicle: 'B-OT 1001' } },
  transferArrive: { path: { transfer_id: 1 }, body: { tracking_numbers: ['DEMOASSIGNABLE03X3'] } },
  transferRollback: { path: { transfer_id: 1 }, body: { reason: 'It was right before' } },
};
