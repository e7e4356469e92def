/** Routes: made, given to drivers, filled with orders. */
import { ROUTE_EXAMPLES } from '../api/areas/routes/examples.js';
import { routeLabels } from '../api/areas/routes/labels.js';
import { ROUTE_MESSAGES } from '../api/areas/routes/messages.js';
import { routeOperations } from '../api/areas/routes/operations.js';
import { ROUTE_EVENTS, ROUTE_PREFIX } from '../events/routes/events.js';
import { createRouteQueries } from '../projections/routes/queries.js';
import { ROUTE_IDS, routes as routeRows } from '../projections/routes/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { contractors } from './contractors.js';
import { orders } from './orders.js';

export const routes = area({
  name: 'routes',
  examples: ROUTE_EXAMPLES,
  streams: [{ prefix: ROUTE_PREFIX, events: ROUTE_EVENTS, tenant: 'business' }],
  readModels: [routeRows],
  sequences: [ROUTE_IDS],
  messages: ROUTE_MESSAGES,
  services: ({ database }) => ({ queries: createRouteQueries(database) }),
  operations({ queries }, { commands, of }) {
    const shared = { routes: queries, orders: of(orders).queries, accounts: of(accounts).queries };
    return [...routeOperations({ ...shared, commands, planning: of(contractors).planning }), routeLabels(shared)];
  },
});
