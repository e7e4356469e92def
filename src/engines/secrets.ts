/** Keys that a service with the embedded database generates once. Only their owner can read them. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDataFolder } from './data-folder.js';
import type { KeyName } from '../events/keys/events.js';
import { StartupError } from './startup-error.js';

const FILES: Readonly<Record<KeyName, string>> = { MASTER_KEY: 'master.key', SIGNING_KEY: 'signing.key' };

/**
 * Returns the 32-byte key in `dataDir`. Creates it if there is no database yet. Throws if a database exists but its key
 * is missing: a new key could not decrypt its data.
 */
export async function ownKey(dataDir: string, name: KeyName): Promise<Buffer> {
  const file = join(dataDir, FILES[name]);
  if (!existsSync(file)) {
    if (existsSync(join(dataDir, 'postgres', 'postgres', 'PG_VERSION')))
      throw new StartupError(
        `${file} is missing, but the database in ${dataDir} requires it. Restore it from your copy, or set ${name} to it; to start again without data, move ${dataDir} away.`,
      );
    await makeKey(dataDir, FILES[name]);
  }
  await chmod(file, 0o600);
  return readKey(file);
}

/** Creates a new key next to the current one. The database records it before it replaces the current key. */
export async function nextKey(dataDir: string, name: KeyName): Promise<Buffer> {
  await rm(nextFile(dataDir, name), { force: true });
  await makeKey(dataDir, `${FILES[name]}.next`);
  return readKey(nextFile(dataDir, name));
}

/**
 * Completes an interrupted key rotation: activates the new key if the database records it (`isInUse`), and deletes it
 * otherwise. Returns the activated key; undefined if there was no new key or it was deleted.
 */
export async function settleKey(
  dataDir: string,
  name: KeyName,
  isInUse: (key: Buffer) => Promise<boolean>,
): Promise<Buffer | undefined> {
  const file = nextFile(dataDir, name);
  if (!existsSync(file)) return undefined;
  const key = await readKey(file);
  if (await isInUse(key)) {
    await rename(file, join(dataDir, FILES[name]));
    return key;
  }
  await rm(file, { force: true });
  return undefined;
}

const nextFile = (dataDir: string, name: KeyName): string => join(dataDir, `${FILES[name]}.next`);
const readKey = async (file: string): Promise<Buffer> => Buffer.from((await readFile(file, 'utf8')).trim(), 'hex');

async function makeKey(dataDir: string, name: string): Promise<void> {
  await makeDataFolder(dataDir);
  const file = join(dataDir, name);
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(fresh, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
    // A link never replaces a file: if two processes start at the same time, the key of the first process stays.
    await link(fresh, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(fresh, { force: true });
  }
}
