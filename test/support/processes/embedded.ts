/** The embedded database of a service, seen from outside. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** While it runs. */
export const embeddedUrl = async (dataDir: string): Promise<string> =>
  (await readFile(join(dataDir, 'postgres', 'postgres.url'), 'utf8')).trim();

/** Id of its first process. */
export const postmasterOf = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres', 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
