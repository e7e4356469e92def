/** `backup create`: writes the whole service to two files, for any engines and while it runs. */
import { join } from 'node:path';
import { makeFolder } from '../../engines/folder.js';
import { READ_MODELS } from '../../areas/index.js';
import { attachEngines } from '../../engines/open.js';
import { appliedMigrations } from '../../engines/postgres/migrate.js';
import { readTables } from '../../engines/postgres/tables.js';
import { wholeLog } from '../../engines/transfer.js';
import { inTransaction } from '../../projections/core/transaction.js';
import { treeSize } from '../../projections/tree/tree-proofs.js';
import { command } from '../command.js';
import { progressNotes } from '../progress-notes.js';
import { KEYS_FILE, LOG_FILE } from './files.js';
import { writeKeysFile } from './keys-file.js';
import { writeLogFile } from './log-file.js';

export const create = command({
  name: 'create',
  summary: `Write ${LOG_FILE} (the events; keep it as long as you like) and ${KEYS_FILE} (wrapped keys and accounts; keep only the latest, in another place). Neither contains MASTER_KEY.`,

  args: ['folder'],

  async run({ positionals: [folder] }, context) {
    const { signal, note } = context;
    const engines = await attachEngines({ ...context.config, mustExist: true });
    try {
      await makeFolder(folder!);
      const { events, root } = await writeLogFile(join(folder!, LOG_FILE), wholeLog(engines.log, signal), {
        signal,
        // The total is needed only to show the remaining time. A database that was just restored has no tree yet.
        onProgress: progressNotes('backup', note, await treeSize(engines.projectionPool).catch(() => undefined)),
      });
      // The log is read first: a key is created before the event that it encrypts, so the key of every event is
      // included.
      const migrations = await appliedMigrations(engines.projectionPool);
      const entries = await inTransaction(
        engines.projectionPool,
        (db) =>
          writeKeysFile(join(folder!, KEYS_FILE), readTables(db, READ_MODELS), {
            migrations,
            vault: engines.backupVault,
            signal,
          }),
        { isolation: 'repeatable read' },
      );
      note(`${entries} keys, accounts and claims`);
      await context.print(`${events} ${root}`);
    } finally {
      await engines.close();
    }
  },
});
