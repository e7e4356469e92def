/** `log adopt`: rebuilds the read models from the log that the configuration names. */
import { READ_MODELS, PROJECTIONS } from '../../areas/index.js';
import { ORDER_POLICY } from '../../areas/wiring/order-followers.js';
import { destroyErased } from '../../areas/wiring/erasure.js';
import { attachEngines } from '../../engines/open.js';
import { dropReadModels } from '../../projections/rebuild/drop-read-models.js';
import { command } from '../command.js';

export const adopt = command({
  name: 'adopt',
  summary:
    'Delete the read models of the database, after a restore or after the log has moved. The next start rebuilds them from the configured log. Keys of persons whom that log records as erased are destroyed.',

  async run(_given, context) {
    const engines = await attachEngines({ ...context.config, mustExist: true, anySource: true });
    try {
      await destroyErased(engines, { signal: context.signal });
      await dropReadModels(PROJECTIONS, {
        pool: engines.projectionPool,
        log: engines.log,
        engine: engines.logEngine,
        restarted: READ_MODELS,
        queues: [ORDER_POLICY.queue],
      });
      await context.print(
        `the read models of ${PROJECTIONS.map(({ name }) => name).join(', ')} are rebuilt at the next start`,
      );
    } finally {
      await engines.close();
    }
  },
});
