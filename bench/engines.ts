/** The engines of a service without the service, for rows that are put there in bulk and queries that are asked alone. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEngines } from '../src/engines/open.js';
import { MASTER_KEY } from './support.js';

type Engines = Awaited<ReturnType<typeof openEngines>>;

/** `db`: a connection beside their pool. Both are closed behind the work. */
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
