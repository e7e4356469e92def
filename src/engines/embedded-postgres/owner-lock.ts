/** Allows one service process per data folder: a lock file names the owner by pid and start time. */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMark } from './processes.js';
import { StartupError } from '../startup-error.js';

interface Owner {
  readonly pid: number;
  readonly started: string;
}

const SETTLE_MS = 50;
const ATTEMPTS = 40;

/**
 * Takes the lock. A lock whose owner has exited is taken over. Throws if the owner is still running.
 * @returns a function that releases the lock
 */
export async function takeOwnership(path: string): Promise<() => Promise<void>> {
  const mine = JSON.stringify({ pid: process.pid, started: await startMark(process.pid), lock: randomUUID() });
  let tookOver = false;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await create(path, mine)) {
      if (tookOver) await sleep(SETTLE_MS);
      if ((await contentOf(path)) === mine) return () => giveBack(path, mine);
    }
    const held = await contentOf(path);
    if (held === undefined) continue;
    const owner = parse(held);
    if (owner && (await startMark(owner.pid)) === owner.started) {
      throw new StartupError(
        `${dirname(path)} is in use by process ${owner.pid}. Stop it first, or give each process a separate DATA_DIR.`,
      );
    }
    if (owner || attempt > ATTEMPTS / 2) {
      await removeStale(path, held);
      tookOver = true;
    } else {
      await sleep(SETTLE_MS); // another process has created the file but not written it yet
    }
  }
  throw new StartupError(`${path} changes its owner too often: too many processes start with the same DATA_DIR`);
}

const contentOf = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch(unless('ENOENT', undefined));

const create = (path: string, content: string): Promise<boolean> =>
  writeFile(path, content, { flag: 'wx', mode: 0o600 }).then(() => true, unless('EEXIST', false));

const giveBack = async (path: string, mine: string): Promise<void> => {
  if ((await contentOf(path)) === mine) await rm(path, { force: true });
};

/**
 * Moves the file away before reading it again. If two processes found the lock stale, the later process must not remove
 * the new lock of the first process.
 */
async function removeStale(path: string, stale: string): Promise<void> {
  const renamedPath = `${path}.${randomUUID()}`;
  if (!(await rename(path, renamedPath).then(() => true, unless('ENOENT', false)))) return;
  if ((await contentOf(renamedPath)) !== stale) await link(renamedPath, path).catch(unless('EEXIST', undefined));
  await rm(renamedPath, { force: true });
}

function parse(content: string): Owner | undefined {
  try {
    const owner = JSON.parse(content) as Partial<Owner> | null;
    return typeof owner?.pid === 'number' && typeof owner.started === 'string'
      ? { pid: owner.pid, started: owner.started }
      : undefined;
  } catch {
    return undefined;
  }
}

function unless<T>(code: string, value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code !== code) throw error;
    return value;
  };
}
