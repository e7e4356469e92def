/**
 * Resources for commands: the engines of the service, whether it runs or not, and its write commands with current read
 * models.
 */
import { EVENT_TYPES, PROJECTIONS } from '../areas/index.js';
import { createCommands, type Commands } from '../commands/commands.js';
import { attachEngines, type Engines } from '../engines/open.js';
import { createDirectory } from '../projections/trackings/directory.js';
import { Progress } from '../projections/core/progress.js';
import { makeMissing } from '../projections/rebuild/rebuild.js';
import { startRunner } from '../projections/core/runner.js';
import { createTrackingQueries, type TrackingQueries } from '../projections/trackings/queries.js';
import type { Context } from './command.js';

/**
 * Much longer than a projector's lease. The work of a killed projector is taken over only after its lease has expired,
 * and a machine may be slow.
 */
const WAIT_MS = 60_000;

export interface EnginesOptions {
  /** Throws if the embedded database does not exist yet. */
  readonly mustExist: boolean;
}

/** Opens the engines with tables for every read model and closes them after `use`. */
export async function withEngines<T>(
  { config }: Context,
  { mustExist }: EnginesOptions,
  use: (engines: Engines) => Promise<T>,
): Promise<T> {
  const engines = await attachEngines({ ...config, mustExist });
  try {
    await makeMissing(PROJECTIONS, engines.projectionPool);
    return await use(engines);
  } finally {
    await engines.close();
  }
}

export interface Workbench {
  readonly engines: Engines;
  readonly commands: Commands;
  readonly queries: TrackingQueries;
  readonly progress: Progress;
  /** Waits until the read models contain all current events of the log; throws after a minute. */
  readonly catchUp: () => Promise<void>;
}

/**
 * Provides engines and commands with working projections: the engines of a running service, or of this process if no
 * other process runs them.
 */
export async function withWorkbench<T>(context: Context, use: (workbench: Workbench) => Promise<T>): Promise<T> {
  return withEngines(context, { mustExist: false }, async (engines) => {
    const { log, pool, projectionPool, keyRing, holder } = engines;
    const progress = new Progress(projectionPool);
    const queries = createTrackingQueries(pool);
    const commands = createCommands({
      log,
      types: EVENT_TYPES,
      keyRing,
      now: Date.now,
      directory: createDirectory({ queries, log, progress }),
    });
    const runner = startRunner({
      log,
      pool: projectionPool,
      types: EVENT_TYPES,
      projections: PROJECTIONS,
      owner: holder,
      progress,
      onError: (projection, error) => context.note(`The projection ${projection} failed: ${(error as Error).message}`),
      onQuarantine: (projection, streams) =>
        context.note(`The projection ${projection} skips ${streams.map(({ stream }) => stream).join(', ')}.`),
    });
    try {
      return await use({ engines, commands, queries, progress, catchUp: () => catchUp(engines, progress) });
    } finally {
      await runner.stop();
    }
  });
}

async function catchUp({ log }: Engines, progress: Progress): Promise<void> {
  const head = await log.head();
  const reached = await Promise.all(PROJECTIONS.map(({ name }) => progress.waitFor(name, head, WAIT_MS)));
  const behind = PROJECTIONS.filter((_, index) => !reached[index]).map(({ name }) => name);
  if (behind.length > 0)
    throw new Error(
      `The events are in the log, but the read models ${behind.join(', ')} did not process them within ${WAIT_MS / 1_000} s: see /health/ready.`,
    );
}
