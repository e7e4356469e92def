/** Examples for assigning orders to contractors. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const ASSIGNMENT_EXAMPLES: Examples = {
  assignOrdersToBroker: { body: { order_ids: [7, 9], broker_id: 3, note: 'With the evening tour' } },
  revokeBrokerOrderAssignments: { body: { order_ids: [7], reason: 'We deliver it ourselves' } },
  releaseBrokerOrderAssignment: { as: 'broker', body: { order_id: 9, reason: 'No vehicle' } },
};
