/** Keys that the embedded default generates for itself, once, readable by their owner only. */
import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The 32-byte key in `dataDir/name`, made at the first call. */
export async function generatedKey(dataDir: string, name: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, name);
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(fresh, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
    // A link never replaces: of two processes that start together the first one's key stays.
    await link(fresh, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(fresh, { force: true });
  }
  await chmod(file, 0o600);
  return Buffer.from((await readFile(file, 'utf8')).trim(), 'hex');
}
