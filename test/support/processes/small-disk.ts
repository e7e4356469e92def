/** A small in-memory file system, mounted for a test, that can be filled. */
import { execFile } from 'node:child_process';
import { statfs, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MB = 1 << 20;

/** Returns false if the process lacks permission: only root may mount. A test of a full disk is then skipped. */
export const mountSmallDisk = (folder: string, megabytes: number): Promise<boolean> =>
  run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );

export const unmount = (folder: string): Promise<unknown> => run('umount', ['-l', folder]);

/** Fills the file system except for less than 64 kB. The returned function frees the space again. */
export async function fillDisk(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'ballast');
  for (;;) {
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    if (free < 64 * 1024) break;
    await writeFile(file, Buffer.alloc(Math.min(free, 16 * MB)), { flag: 'a' }).catch(() => undefined);
    await sleep(5);
  }
  return () => unlink(file);
}
