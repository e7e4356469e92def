/**
 * The service without its interfaces, for tests of the layers below: engines on a new database, commands, read models.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { EVENT_TYPES, PROJECTIONS } from '../../../src/areas/index.js';
import { createCommands, type Commands } from '../../../src/commands/commands.js';
import type { Cause } from '../../../src/commands/core/handle.js';
import { openEngines, type Engines } from '../../../src/engines/open.js';
import { leaseHolder } from '../../../src/events/core/time-limits.js';
import { createDirectory } from '../../../src/projections/trackings/directory.js';
import { Progress } from '../../../src/projections/core/progress.js';
import type { Projection } from '../../../src/projections/core/projection.js';
import { prepareProjections, rebuild, type Rebuilt } from '../../../src/projections/rebuild/rebuild.js';
import type { Difference } from '../../../src/projections/rebuild/compare.js';
import { startRunner, type Runner, type RunnerOptions } from '../../../src/projections/core/runner.js';
import { createTrackingQueries, type TrackingQueries } from '../../../src/projections/trackings/queries.js';
import { expectCaughtUp } from '../checks/caught-up.js';
import { FEW_CONNECTIONS, freshDatabase } from './database.js';

export const CAUSE: Cause = { correlationId: randomUUID(), actor: { kind: 'system', id: 'test' }, channel: 'system' };

export interface TestCore {
  readonly url: string;
  readonly masterKey: Buffer;
  readonly engines: Engines;
  readonly commands: Commands;
  readonly queries: TrackingQueries;
  readonly progress: Progress;
  /**
   * Starts a runner with a separate owner, which is stopped at the latest with the room. Errors are collected, not
   * hidden.
   */
  run(
    options?: Partial<RunnerOptions>,
  ): Runner & { readonly errors: readonly unknown[]; readonly quarantined: readonly string[] };
  /** Waits until every projection has processed all current events of the log; fails after WAIT_LIMIT_MS. */
  caughtUp(): Promise<void>;
  /** Replays a projection and collects its differences. */
  replay(
    projection: Projection,
    switchOver?: boolean,
    batch?: number,
  ): Promise<Rebuilt & { readonly found: readonly Difference[] }>;
  close(): Promise<void>;
}

export interface TestCoreOptions {
  /** Clock of recorded times, milliseconds since 1970. */
  readonly now?: () => number;
}

export async function openTestCore({ now = Date.now }: TestCoreOptions = {}): Promise<TestCore> {
  const database = await freshDatabase();
  const masterKey = randomBytes(32);
  const engines = await openEngines({
    databaseConnections: Number(FEW_CONNECTIONS.DATABASE_CONNECTIONS),
    databaseUrl: database.url,
    dataDir: tmpdir(),
    eventStoreUrl: undefined,
    masterKey,
  });
  const { log, pool, projectionPool, keyRing } = engines;
  await prepareProjections(PROJECTIONS, { log, pool: projectionPool, types: EVENT_TYPES });
  const progress = new Progress(projectionPool, log);
  const queries = createTrackingQueries(pool);
  const commands = createCommands({
    log,
    types: EVENT_TYPES,
    keyRing,
    now,
    directory: createDirectory({ queries, log, progress }),
  });
  const runners: Runner[] = [];
  return {
    url: database.url,
    masterKey,
    engines,
    commands,
    queries,
    progress,
    run(options = {}) {
      const errors: unknown[] = [];
      const quarantined: string[] = [];
      const runner = startRunner({
        log,
        pool: projectionPool,
        types: EVENT_TYPES,
        projections: PROJECTIONS,
        owner: leaseHolder(randomUUID()),
        progress,
        onError: (_projection, error) => errors.push(error),
        onQuarantine: (_projection, streams) => quarantined.push(...streams.map(({ stream }) => stream)),
        ...options,
      });
      runners.push(runner);
      return { ...runner, errors, quarantined };
    },
    caughtUp: () =>
      expectCaughtUp(
        { engines, progress },
        PROJECTIONS.map(({ name }) => name),
      ),
    async replay(projection, switchOver = false, batch = 5_000) {
      const found: Difference[] = [];
      const rebuilt = await rebuild(projection, {
        log,
        pool: projectionPool,
        types: EVENT_TYPES,
        switchOver,
        batch,
        onDifference: (difference) => void found.push(difference),
      });
      return { ...rebuilt, found };
    },
    async close() {
      await Promise.all(runners.map((runner) => runner.stop()));
      await engines.close();
      await database.drop();
    },
  };
}
