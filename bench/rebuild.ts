/** (c) Rebuilding the timeline read model against a bare catch-up read of the same events. */
import pg from 'pg';
import { EVENT_TYPES } from '../src/areas/index.js';
import { createPostgresLog } from '../src/engines/postgres-log/log.js';
import { createPool } from '../src/engines/postgres/pool.js';
import { rebuild } from '../src/projections/rebuild/rebuild.js';
import { timeline } from '../src/projections/trackings/read-model.js';
import type { Projection } from '../src/projections/core/projection.js';
import { seconds } from './support.js';

const PAGE = 1_000;

/** Returns events per second of a rebuild that compares and switches. */
export async function measureRebuild(databaseUrl: string): Promise<{ rate: number; events: number }> {
  const pool = createPool(databaseUrl, { name: 'bench', statementTimeout: 0, lazyCommit: true });
  const log = createPostgresLog(pool);
  let events = 0;
  const took = await seconds(async () => {
    const rebuilt = await rebuild(timeline as unknown as Projection, {
      log,
      pool,
      types: EVENT_TYPES,
      switchOver: true,
    });
    if (rebuilt.differences !== 0) throw new Error('The rebuilt read model differs.');
    events = rebuilt.events;
  });
  await log.close();
  await pool.end();
  return { rate: events / took, events };
}

/** Returns events per second of a plain client that reads the log page by page and parses its documents. */
export async function measureCatchUp(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  let events = 0;
  const took = await seconds(async () => {
    for (let last = '0'; ;) {
      const { rows } = await client.query<{ position: string }>({
        name: 'page',
        text: `select position, stream, revision, id, type, version, data, metadata from log.events where position > $1 order by position limit ${PAGE}`,
        values: [last],
      });
      events += rows.length;
      if (rows.length < PAGE) return;
      last = rows.at(-1)!.position;
    }
  });
  await client.end();
  return events / took;
}
