/** The `projector` role: folds the log into the read models and runs the background work. */
import type { Stop } from '../areas/area.js';
import { releaseAll } from '../projections/core/checkpoints.js';
import { startRunner } from '../projections/core/runner.js';
import type { Tracing } from '../tracing/tracing.js';
import type { ProcessContext } from './areas.js';

/** Returns stop functions. The work that depends on the read models is stopped first. */
export async function startProjector(
  context: ProcessContext,
  { wrap }: Pick<Tracing, 'wrap'>,
): Promise<readonly Stop[]> {
  const { engines, types, progress, metrics, logger, readModels } = context;
  const { log, projectionPool, holder } = engines;
  // Only one process uses an embedded database, so all leases that are left from a crash can be released.
  if (engines.embedded) await releaseAll(projectionPool);
  const runner = startRunner({
    log,
    pool: projectionPool,
    types,
    projections: readModels,
    owner: holder,
    progress,
    wrap,
    onError: (projection, error) => {
      metrics.projectionFailed(projection);
      logger.error({ projection, err: error }, 'projection failed, retrying');
    },
    onQuarantine: (projection, streams) => {
      metrics.quarantined(projection, streams.length);
      logger.error({ projection, streams }, 'streams quarantined: the projection could not process them');
    },
  });
  const work = context.registry.areas.flatMap((area) => area.work?.(context.of(area), context) ?? []);
  return [...work, () => runner.stop()];
}
