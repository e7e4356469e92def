/**
 * A projector process for tests that kill it. It processes the timeline in small batches and can kill itself between
 * the save of a batch and its commit. Arguments: database URL, owner, number of the batch in which it dies (0: never).
 */
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createPostgresLog } from '../../../src/engines/postgres-log/log.js';
import { createPool } from '../../../src/engines/postgres/pool.js';
import { leaseHolder } from '../../../src/events/core/time-limits.js';
import { Progress } from '../../../src/projections/core/progress.js';
import type { Projection } from '../../../src/projections/core/projection.js';
import { startRunner } from '../../../src/projections/core/runner.js';
import { timeline } from '../../../src/projections/trackings/read-model.js';

const [url = '', owner = '', dieIn = '0'] = process.argv.slice(2);
const pool = createPool(url, { name: 'projector' });
const progress = new Progress(pool);
let saves = 0;

const projection: typeof timeline = {
  ...timeline,
  async save(db, schema, rows) {
    await timeline.save(db, schema, rows);
    if (++saves === Number(dieIn)) process.kill(process.pid, 'SIGKILL');
  },
};

progress.onBatch((_name, batch) => process.stdout.write(`${batch.position}\n`));
startRunner({
  log: createPostgresLog(pool),
  pool,
  types: EVENT_TYPES,
  projections: [projection as unknown as Projection],
  owner: leaseHolder(owner),
  progress,
  batch: 10,
  onError: (_name, error) => console.error(error),
  onQuarantine: (_name, streams) => console.error(streams),
});
