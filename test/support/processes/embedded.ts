/** Access to the embedded database of a service from outside. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the URL of the database while it runs. */
export const embeddedUrl = async (dataDir: string): Promise<string> =>
  (await readFile(join(dataDir, 'postgres', 'postgres.url'), 'utf8')).trim();

/** Returns the id of its main process. */
export const postmasterOf = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres', 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
