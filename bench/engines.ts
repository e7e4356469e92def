/** The engines of a service without the service, for bulk inserts and for separate queries. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEngines } from '../src/engines/open.js';
import { MASTER_KEY } from './support.js';

type Engines = Awaited<ReturnType<typeof openEngines>>;

/** `db`: a connection in addition to the engines' pool. All connections are closed after `work`. */
export async function withEngines<T>(
  databaseUrl: string,
  work: (engines: Engines, db: pg.Client) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'transport-bench-'));
  const masterKey = Buffer.from(MASTER_KEY, 'hex');
  const engines = await openEngines({ databaseUrl, dataDir, eventStoreUrl: undefined, masterKey });
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    return await work(engines, db);
  } finally {
    await db.end();
    await engines.close();
    await rm(dataDir, { recursive: true });
  }
}
