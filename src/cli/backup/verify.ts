/** `backup verify`: checks that both files are complete and unchanged, without database and key. */
import { join } from 'node:path';
import { command } from '../command.js';
import { progressNotes } from '../progress-notes.js';
import { KEYS_FILE, LOG_FILE } from './files.js';
import { entriesOf } from './keys-file.js';
import { readLogFile, type LogSummary } from './log-file.js';

export const verify = command({
  name: 'verify',
  summary: 'Read a backup and verify its Merkle root and checksum.',

  args: ['folder'],

  async run({ positionals: [folder] }, { print, note, signal }) {
    const { events, root } = await verifyBackup(folder!, signal, progressNotes('verify', note));
    await print(`${events} ${root}`);
  },
});

/** Throws `DamagedBackup` if a file is incomplete or changed. */
export async function verifyBackup(
  folder: string,
  signal: AbortSignal,
  onProgress: (events: number) => void,
): Promise<LogSummary> {
  for await (const _ of entriesOf(join(folder, KEYS_FILE))) signal.throwIfAborted();
  const events = readLogFile(join(folder, LOG_FILE));
  for (let read = 1; ; read++) {
    const next = await events.next();
    signal.throwIfAborted();
    if (next.done) return next.value;
    onProgress(read);
  }
}
