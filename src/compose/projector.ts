/** The role `projector`: folds the log into the read models, and does the background work. */
import type { Stop } from '../areas/area.js';
import type { House } from '../areas/house.js';
import { AREAS } from '../areas/index.js';
import { releaseAll } from '../projections/core/checkpoints.js';
import { startRunner } from '../projections/core/runner.js';
import type { Tracing } from '../tracing/tracing.js';

/** Returns how to stop it: what depends on the read models first. */
export async function startProjector(house: House, { around }: Pick<Tracing, 'around'>): Promise<readonly Stop[]> {
  const { engines, types, progress, metrics, logger, readModels } = house;
  const { log, projectionPool, holder } = engines;
  // An embedded database has no other process: what a crash left taken is free.
  if (engines.embedded) await releaseAll(projectionPool);
  const runner = startRunner({
    log,
    pool: projectionPool,
    types,
    projections: readModels,
    owner: holder,
    progress,
    around,
    onError: (projection, error) => {
      metrics.projectionFailed(projection);
      logger.error({ projection, err: error }, 'projection failed, trying again');
    },
    onQuarantine: (projection, streams) => {
      metrics.quarantined(projection, streams.length);
      logger.error({ projection, streams }, 'streams left out: the fold could not take them');
    },
  });
  const work = AREAS.flatMap((area) => area.work?.(house.of(area), house) ?? []);
  return [...work, () => runner.stop()];
}
