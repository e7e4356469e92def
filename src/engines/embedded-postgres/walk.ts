import { lstat, readdir } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { join } from 'node:path';

/**
 * Everything in a folder, and the folder itself last: a walk that was broken off shows in the folder. Links are not
 * followed.
 */
export async function* walk(path: string): AsyncIterable<{ readonly path: string; readonly entry: Stats }> {
  const entry = await lstat(path);
  if (entry.isDirectory()) for (const name of await readdir(path)) yield* walk(join(path, name));
  yield { path, entry };
}
