/** Creates folders of this service on disk. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const MODE = 0o700;

/**
 * Creates a folder and its parents, accessible to the owner only. An existing folder is not changed. Throws the error
 * of the operating system. Node's `recursive` option never returns if a parent exists but nothing can be created in it,
 * as in /proc.
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
