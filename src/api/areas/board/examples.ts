/** Examples for the route board. The bodies work on a fresh demo, in this order, after the examples of routes. */
import type { Examples } from '../../core/example.js';

export const BOARD_EXAMPLES: Examples = {
  boardPost: {
    path: { route_id: 2 },
    body: {
      fleet_ids: [1],
      start_at: '2030-12-02T08:00:00+01:00',
      end_at: '2030-12-02T13:00:00+01:00',
      standby_limit: 3,
      reward: { amount: '95.00', currency: 'EUR' },
    },
  },
  boardWithdraw: { as: 'driver', path: { route_id: 2 }, body: { reason: 'The van is in the workshop.' } },
};
