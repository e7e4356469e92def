/** Riders: drivers who accept single orders on demand, and the search for a rider for an order. */
import { dutyOperations } from '../api/areas/riders/duty.js';
import { RIDER_EXAMPLES } from '../api/areas/riders/examples.js';
import { riderFeed } from '../api/areas/riders/feed.js';
import { riderLocations } from '../api/areas/riders/locations.js';
import { createRiderNotices, RIDER_NOTICES } from '../api/areas/riders/notices.js';
import { riderOfferOperations } from '../api/areas/riders/offers.js';
import { requestOperations } from '../api/areas/riders/requests.js';
import { driverTrail } from '../api/areas/riders/trail.js';
import { orderDriverPosition } from '../api/areas/riders/order-driver-position.js';
import { createPositions } from '../engines/postgres/positions.js';
import { createTrails } from '../engines/postgres/trails.js';
import { accountIdsIn } from '../events/accounts/events.js';
import { INSTANT_EVENTS, INSTANT_PREFIX } from '../events/riders/events.js';
import { createBoardQueries } from '../projections/board/queries.js';
import { startFollower } from '../projections/core/follower.js';
import { createHeldDocuments } from '../projections/drivers/document-queries.js';
import { instants } from '../projections/riders/instants.js';
import { riderOffers } from '../projections/riders/offers.js';
import { riders as riderRows } from '../projections/riders/riders.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { fleets } from './fleets.js';
import type { AreaContext } from './area-context.js';
import { messages } from './messages.js';
import { orders } from './orders.js';
import { planning } from './planning.js';
import { routes } from './routes.js';
import { createRiderParts, expireInstant, startInstantPolicy } from './wiring/riders.js';

export const riders = area({
  name: 'riders',
  examples: RIDER_EXAMPLES,
  streams: [
    {
      prefix: INSTANT_PREFIX,
      events: INSTANT_EVENTS,
      tenant: 'business',
      expires: (context) => expireInstant(context as AreaContext),
    },
  ],
  readModels: [riderRows, instants, riderOffers],
  followers: [RIDER_NOTICES],
  errors: {
    INSTANT_NOT_GRANTED: 403,
    INSTANT_NOT_FOUND: 404,
    INSTANT_ACCEPTED: 409,
    INSTANT_NEEDS_PLACE: 422,
    ORDER_GONE: 409,
    NOT_ON_DUTY: 409,
  },
  services(context) {
    const { now, config, engines } = context;
    const { pool, keyRing } = engines;
    return {
      ...createRiderParts(context),
      positions: createPositions(pool, now),
      trails: createTrails({ pool, keyRing, now, keptDays: config.positionDays }),
    };
  },
  operations({ queries, service, pickupOf, positions, trails }, { commands, database, of }) {
    const boards = createBoardQueries(database);
    const shared = { queries, service, pickupOf, orders: of(orders).queries };
    return [
      ...dutyOperations({
        ...shared,
        commands,
        routes: of(routes).queries,
        boards,
        accounts: of(accounts).queries,
        positions,
        async lacksDocuments(business, driverId, date) {
          const required = (await of(planning).settings.settingsOf(business)).required_documents ?? [];
          if (required.length === 0) return false;
          const held = (await createHeldDocuments(database).held(date, [driverId])).get(driverId);
          return required.some((kind) => !held?.has(kind));
        },
      }),
      riderLocations({ positions, trails, queries }),
      driverTrail({ trails, accounts: of(accounts).queries, fleets: of(fleets).queries }),
      orderDriverPosition({ positions, queries, boards, orders: of(orders).queries, routes: of(routes).queries }),
      ...riderOfferOperations(shared),
      ...requestOperations({ ...shared, fleets: of(fleets).queries }),
    ];
  },
  feeds: ({ queries }, { engines: { log }, progress, now }) => [riderFeed({ queries, log, progress, now })],
  work(riderParts, context) {
    const { engines, progress, now, logger, of } = context;
    const { log, projectionPool: pool, holder: owner } = engines;
    const follower = startFollower({
      reader: RIDER_NOTICES,
      log,
      pool,
      owner,
      progress,
      background: true,
      take: createRiderNotices({ messenger: of(messages).messenger, businessOf: riderParts.queries.businessOf, now }),
      onError: (error) => logger.error({ err: error }, 'pushes to riders were not sent, trying again'),
    });
    return [startInstantPolicy(riderParts, context), () => follower.stop()];
  },
  forget:
    ({ positions, trails }) =>
    async (keys) => {
      const users = accountIdsIn(keys);
      if (users.length > 0) await Promise.all([positions.forget(users), trails.forget(users)]);
    },
  sweep: ({ positions, trails }) => Promise.all([positions.sweep(), trails.sweep()]),
});
