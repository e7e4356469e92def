/** Today's service on the database that an earlier release left: a dump of PostgreSQL, and the keys that open it. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { freshDatabase } from './database.js';
import { startTestService, type TestService } from './service.js';

export interface ReleaseKeys {
  readonly master_key: string;
  readonly signing_key: string;
}

/** `dump`: a file of `pg_dump --inserts`, in gzip. `stop` drops the database. */
export async function startRelease(dump: string, keys: ReleaseKeys): Promise<TestService> {
  const database = await freshDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(gunzipSync(readFileSync(dump)).toString());
  await client.end();
  const env = { MASTER_KEY: keys.master_key, SIGNING_KEY: keys.signing_key };
  const world = await startTestService({ databaseUrl: database.url, seed: false, env });
  const stop = async (): Promise<void> => {
    await world.stop();
    await database.drop();
  };
  return { ...world, stop };
}
