import { lstat, readdir } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { join } from 'node:path';

/**
 * Yields all entries of a folder, and the folder itself last. If a caller changes each entry, the folder therefore
 * shows whether the walk was completed. Links are not followed.
 */
export async function* walk(path: string): AsyncIterable<{ readonly path: string; readonly entry: Stats }> {
  const entry = await lstat(path);
  if (entry.isDirectory()) for (const name of await readdir(path)) yield* walk(join(path, name));
  yield { path, entry };
}
