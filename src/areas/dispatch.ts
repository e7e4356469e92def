/** Dispatch: items that need a dispatcher's attention today, and the dispatchers' decisions. */
import { DISPATCH_EXAMPLES } from '../api/areas/dispatch/examples.js';
import { createDispatchAccess } from '../api/areas/dispatch/dispatch-access.js';
import { dispatchFeed } from '../api/areas/dispatch/feed.js';
import { dispatchOperations } from '../api/areas/dispatch/operations.js';
import { dispatch as decider } from '../commands/dispatch/decider.js';
import { createGuards } from '../commands/dispatch/guards.js';
import { planningSettings as settingsDecider } from '../commands/dispatch/settings.js';
import { createDispatchClaims } from '../engines/postgres/dispatch-claims.js';
import { DISPATCH_EVENTS, DISPATCH_PREFIX } from '../events/dispatch/events.js';
import { createBoardQueries } from '../projections/dispatch/board.js';
import { createDispatchQueries } from '../projections/dispatch/queries.js';
import { dispatchDecisions } from '../projections/dispatch/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { fleets } from './fleets.js';

export const dispatch = area({
  name: 'dispatch',
  examples: DISPATCH_EXAMPLES,
  // The dispatch settings of a business are stored in the planning streams.
  streams: [{ prefix: DISPATCH_PREFIX, events: DISPATCH_EVENTS, tenant: 'actor', erasure: 'mentions' }],
  readModels: [dispatchDecisions],
  errors: { ITEM_GONE: 404, ITEM_CHANGED: 409, ITEM_TAKEN: 409 },
  services({ database, engines: { pool, keyRing, log, limits }, types, of, operations, now }) {
    const queries = createDispatchQueries(database, keyRing);
    const guards = createGuards({ log, types });
    const operation = (name: string) => operations().find((one) => one.name === name)!;
    return {
      boards: createBoardQueries(database),
      queries,
      claims: createDispatchClaims(pool, limits),
      guards,
      operation,
      access: createDispatchAccess({
        queries,
        accounts: of(accounts).queries,
        fleets: of(fleets).queries,
        guards,
        operation,
        now,
      }),
    };
  },
  operations({ boards, queries, claims, guards, access, operation }, { handle, engines: { log }, invoke, of }) {
    return dispatchOperations({
      handle: handle(decider),
      settings: handle(settingsDecider),
      boards,
      queries,
      claims,
      access,
      fleets: of(fleets).queries,
      guards,
      operation,
      invoke,
      log,
    });
  },
  feeds: ({ boards, access }, { engines: { log }, progress, now }) => [
    dispatchFeed({ boards, access, log, progress, now }),
  ],
  sweep: ({ claims }) => claims.sweep(),
});
