/**
 * A process that runs timers of alliances, for tests that kill it. It kills itself in the middle of a round, before a
 * given command. Arguments: database URL, owner, number of the command before which it dies.
 */
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { alliances } from '../../../src/commands/alliances/decider.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import { startTimers, type Expiring } from '../../../src/commands/timers/runner.js';
import { createPostgresLog } from '../../../src/engines/postgres-log/log.js';
import { createPool } from '../../../src/engines/postgres/pool.js';
import { ALLIANCE_PREFIX } from '../../../src/events/alliances/events.js';
import { MIN_LEASE_SECONDS, timeLimits } from '../../../src/events/core/time-limits.js';
import { createTimerQueries } from '../../../src/projections/timers/queries.js';

const [url = '', owner = '', dieBefore = '', now = ''] = process.argv.slice(2);
const LIMITS = timeLimits(MIN_LEASE_SECONDS);
const pool = createPool(url, { name: 'timers' });
const emptyKeyRing = { keysFor: () => Promise.resolve(new Map()), existing: () => Promise.resolve(new Map()) };
const handle = createHandler({
  decider: alliances,
  types: EVENT_TYPES,
  log: createPostgresLog(pool),
  keyRing: emptyKeyRing,
  now: () => Number(now),
});
let commands = 0;
// One after the other, so that some commands of the round are in the log when it dies.
let last: Promise<unknown> = Promise.resolve();
const send: Expiring = (...command) => {
  const sent = last.then(() => {
    if (++commands === Number(dieBefore)) process.kill(process.pid, 'SIGKILL');
    return handle(...command);
  });
  last = sent.catch(() => undefined);
  return sent;
};

startTimers({
  queries: createTimerQueries(pool, LIMITS),
  expiring: new Map([[ALLIANCE_PREFIX, send]]),
  owner,
  every: LIMITS.timerEveryMs,
  now: () => Number(now),
  settled: () => Promise.resolve(),
  onError: (error) => console.error(error),
});
