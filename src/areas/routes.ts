/** Routes: create them, assign drivers, add orders. */
import { createBoardService } from '../api/areas/board/board-service.js';
import { ROUTE_EXAMPLES } from '../api/areas/routes/examples.js';
import { routeLabels } from '../api/areas/routes/labels.js';
import { routeOperations } from '../api/areas/routes/operations.js';
import { startFinishOperations } from '../api/areas/routes/start-finish.js';
import { BOARD_EVENTS, RouteFinished, RouteStarted } from '../events/routes/board.js';
import { ROUTE_EVENTS, ROUTE_PREFIX } from '../events/routes/events.js';
import { createRouteQueries } from '../projections/routes/queries.js';
import { ROUTE_IDS, routes as routeRows } from '../projections/routes/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { contractors } from './contractors.js';
import { documents } from './documents.js';
import { fleets } from './fleets.js';
import type { AreaContext } from './area-context.js';
import { orders } from './orders.js';
import { createBoardParts, expireRoute } from './wiring/board.js';

export const routes = area({
  name: 'routes',
  examples: ROUTE_EXAMPLES,
  streams: [
    {
      prefix: ROUTE_PREFIX,
      events: [...ROUTE_EVENTS, ...BOARD_EVENTS, RouteStarted, RouteFinished],
      tenant: 'business',
      erasure: 'own',
      expires: (context) => expireRoute(context as AreaContext),
    },
  ],
  readModels: [routeRows],
  sequences: [ROUTE_IDS],
  errors: { ROUTE_DRIVER_CHANGED: 409, ROUTE_CLOSED: 409, ROUTE_NOT_FOUND: 404 },
  services(context) {
    const { boards, judge } = createBoardParts(context);
    const { promotable } = createBoardService({ commands: context.commands, checkEligibility: judge });
    return { queries: createRouteQueries(context.database, context.engines.keyRing), boards, promotable };
  },
  operations({ queries, boards, promotable }, { commands, of, baseUrl }) {
    const shared = { routes: queries, orders: of(orders).queries, accounts: of(accounts).queries };
    return [
      ...routeOperations({
        ...shared,
        commands,
        fleets: of(fleets).queries,
        planning: of(contractors).planning,
        board: boards,
        promotable,
      }),
      ...startFinishOperations({ commands, routes: queries }),
      routeLabels({ ...shared, warehouses: of(orders).warehouses, issue: of(documents), baseUrl }),
    ];
  },
});
