/** Stores messages without a configured channel as files: for developers, never in production. */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../folder.js';

export interface OutboxEntry {
  readonly id: string;
  readonly business: number;
  readonly channel: 'push';
  /** User id. */
  readonly to: number;
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
  /** RFC 3339, UTC. */
  readonly at: string;
}

export type Outbox = ReturnType<typeof createOutbox>;

const MAX_STORED = 500;

export function createOutbox(dataDir: string) {
  const folder = join(dataDir, 'outbox');
  /** Sorted by the time in the file name, newest first. */
  const names = async (): Promise<string[]> =>
    (await readdir(folder).catch(() => []))
      .filter((name) => name.endsWith('.json'))
      .sort()
      .reverse();
  const read = async (name: string): Promise<OutboxEntry | undefined> =>
    readFile(join(folder, name), 'utf8').then(
      (text) => JSON.parse(text) as OutboxEntry,
      () => undefined,
    );
  const remove = (some: readonly string[]) => Promise.all(some.map((name) => rm(join(folder, name), { force: true })));
  return {
    /** Stores a message once. After a crash or a lost lease, the sender repeats it with the same id. */
    async put(entry: OutboxEntry): Promise<void> {
      if ((await names()).some((name) => name.endsWith(`_${entry.id}.json`))) return;
      await makeFolder(folder);
      const file = join(folder, `${entry.at.replaceAll(':', '-')}_${entry.id}.json`);
      // Renamed into place, so that readers never see a partial file.
      await writeFile(`${file}.new`, JSON.stringify(entry), { mode: 0o600 });
      await rename(`${file}.new`, file);
      await remove((await names()).slice(MAX_STORED));
    },
    /** Messages of the business, newest first. */
    async list(business: number): Promise<readonly OutboxEntry[]> {
      const entries = await Promise.all((await names()).map(read));
      return entries.filter((entry): entry is OutboxEntry => entry?.business === business);
    },
    async forget(userIds: readonly number[]): Promise<void> {
      for (const name of await names()) {
        const entry = await read(name);
        if (entry && userIds.includes(entry.to)) await remove([name]);
      }
    },
  };
}
