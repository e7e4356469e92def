/** Example requests for a route that is planned by hand. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const ROUTE_EXAMPLES: Examples = {
  routeCreate: { body: { name: 'Berlin Mitte, morning', schedule_date: '2030-12-02', driver_id: 5 } },
  routeAddOrders: { path: { route_id: 2 }, body: { order_ids: [8, 10] } },
  routeRemoveOrders: { path: { route_id: 2 }, body: { order_ids: [10] } },
  routeDriverSet: { path: { route_id: 2 }, body: { driver_id: null } },
};
