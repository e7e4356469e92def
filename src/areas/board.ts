/** The board of routes: drivers claim posted routes, or queue for them. Its events are in the streams of the routes. */
import { claimOperations } from '../api/areas/board/claiming.js';
import { createBoardService } from '../api/areas/board/board-service.js';
import { BOARD_EXAMPLES } from '../api/areas/board/examples.js';
import { boardFeed } from '../api/areas/board/feed.js';
import { CLAIM_LOSSES, createClaimLosses, ELIGIBILITY_READ_MODELS } from '../api/areas/board/claim-losses.js';
import { BOARD_NOTICES, createNotices } from '../api/areas/board/notices.js';
import { postingOperations } from '../api/areas/board/posting.js';
import { startFollower } from '../projections/core/follower.js';
import { board as boardRows } from '../projections/board/read-model.js';
import { createDriverTimeQueries } from '../projections/drivers/time-queries.js';
import { driverTimes } from '../projections/drivers/times.js';
import { area } from './area.js';
import { fleets } from './fleets.js';
import { messages } from './messages.js';
import { routes } from './routes.js';
import { createBoardParts } from './wiring/board.js';
import { startDriverPolicy } from './wiring/driver-policy.js';

export const board = area({
  name: 'board',
  examples: BOARD_EXAMPLES,
  readModels: [boardRows, driverTimes],
  followers: [BOARD_NOTICES, CLAIM_LOSSES],
  errors: {
    ROUTE_CLAIMED: 409,
    ROUTE_STARTED: 409,
    ROUTE_NOT_STARTED: 409,
    ROUTE_FREE: 409,
    ROUTE_TIMES_NEEDED: 422,
    TIME_TAKEN: 409,
    NOT_CLAIMABLE: 409,
    STANDBY_FULL: 409,
    STANDBY_HOLD_OVER: 409,
  },
  services(context) {
    const parts = createBoardParts(context);
    return { ...parts, service: createBoardService({ commands: context.commands, checkEligibility: parts.judge }) };
  },
  operations({ boards, judge, service }, { commands, of }) {
    const shared = { boards, fleets: of(fleets).queries };
    return [
      ...postingOperations({ ...shared, commands, routes: of(routes).queries, checkEligibility: judge }),
      ...claimOperations({ ...shared, service }),
    ];
  },
  feeds: ({ boards }, { of, engines: { log }, progress, now }) => [
    boardFeed({ boards, fleets: of(fleets).queries, log, progress, now }),
  ],
  work: ({ boards, judge, service }, { database, commands, engines, types, progress, now, logger, of }) => {
    const { log, projectionPool: pool, holder: owner, limits } = engines;
    const notices = createNotices({
      messenger: of(messages).messenger,
      boards,
      fleets: of(fleets).queries,
      awaitReadModel: (position) => progress.waitFor('board', position, 5_000),
      now,
    });
    const noticeFollower = startFollower({
      reader: BOARD_NOTICES,
      log,
      pool,
      owner,
      progress,
      background: true,
      take: notices,
      onError: (error) => logger.error({ err: error }, 'pushes about the route board were not sent, trying again'),
    });
    const claimLossFollower = startFollower({
      reader: CLAIM_LOSSES,
      log,
      pool,
      owner,
      progress,
      background: true,
      take: createClaimLosses({
        boards,
        checkEligibility: judge,
        service,
        awaitReadModels: (position) =>
          Promise.all(ELIGIBILITY_READ_MODELS.map((name) => progress.waitFor(name, position, 5_000))),
        now,
      }),
      onError: (error) => logger.error({ err: error }, 'invalid claims of the route board are not released yet'),
    });
    return [
      () => claimLossFollower.stop(),
      startDriverPolicy({ times: createDriverTimeQueries(database), commands, log, types, now, limits, logger }),
      () => noticeFollower.stop(),
    ];
  },
});
