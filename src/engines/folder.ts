/** Folders of this service on the disk. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const MODE = 0o700;

/**
 * Makes a folder and those above it, for the owner alone; one that is there stays as it is. Throws what the system says.
 * Node's own `recursive` never ends where a folder above is there and none can be made in it, as in /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path);
  try {
    await mkdir(folder, { mode: MODE });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await isFolder(folder))) return;
    if (code !== 'ENOENT' || (await isFolder(dirname(folder)))) throw error;
    await makeFolder(dirname(folder));
    await makeFolder(folder);
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
