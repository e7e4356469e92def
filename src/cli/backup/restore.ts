/** `backup restore`: restores a backup into the empty engines of the configuration. */
import { join } from 'node:path';
import { AREAS, READ_MODELS } from '../../areas/index.js';
import { destroyErased } from '../../areas/wiring/erasure.js';
import { attachEngines, backupVaultOf } from '../../engines/open.js';
import { createIds } from '../../engines/postgres/ids.js';
import { appliedMigrations } from '../../engines/postgres/migrate.js';
import { filledTables, writeTables } from '../../engines/postgres/tables.js';
import { transfer } from '../../engines/transfer.js';
import { inTransaction } from '../../projections/core/transaction.js';
import { command } from '../command.js';
import { progressNotes } from '../progress-notes.js';
import { KEYS_FILE, LOG_FILE } from './files.js';
import { entriesOf, opens, readKeysHeader } from './keys-file.js';
import { readLogFile } from './log-file.js';
import { verifyBackup } from './verify.js';

export const restore = command({
  name: 'restore',
  summary:
    'Write a backup into an empty database (and EventStoreDB, if configured) before the service starts there. An interrupted restore is resumed. The next start creates the read models.',

  args: ['folder'],

  async run({ positionals: [folder] }, context) {
    const { signal, note } = context;
    const { events: total } = await verifyBackup(folder!, signal, progressNotes('verify', note));
    const header = await readKeysHeader(join(folder!, KEYS_FILE));
    // Checked before the database is accessed, because the database would be bound to this key.
    const { masterKey } = context.config;
    if (masterKey && !opens(header, backupVaultOf(masterKey))) throw wrongKey();
    const engines = await attachEngines(context.config);
    const { projectionPool: pool, log, logEngine, backupVault } = engines;
    try {
      if (!opens(header, backupVault)) throw wrongKey();
      const migrations = await appliedMigrations(pool);
      if (String(migrations) !== String(header.migrations))
        throw new Error(
          `Another version of the service created this backup: restore it with that version, then upgrade. The backup has the migration ${header.migrations.at(-1)}, this version has ${migrations.at(-1)}.`,
        );
      const filled = await inTransaction(pool, (db) => filledTables(db, READ_MODELS));
      if (filled.length > 0) throw new Error(`The database is not empty: ${filled.join(', ')} contain rows.`);
      const { events, root } = await transfer(
        readLogFile(join(folder!, LOG_FILE)),
        { log, ordered: logEngine === 'postgres' },
        { signal, onProgress: progressNotes('restore', note, total) },
      );
      // Sequences that no migration creates.
      const ids = createIds(pool);
      for (const { name } of AREAS.flatMap(({ sequences }) => sequences)) await ids.prepare(name);
      // Last and in one transaction: until it commits, the restore is incomplete and can be started again.
      await inTransaction(pool, async (db) => {
        await db.query('set local synchronous_commit = on');
        note(`${await writeTables(db, entriesOf(join(folder!, KEYS_FILE)), READ_MODELS)} keys, accounts and claims`);
      });
      // The keys file can be older than the log, so keys that the log reports as erased are destroyed again.
      const erased = await destroyErased(engines, { signal });
      if (erased > 0) note(`${erased} keys of erased persons are destroyed`);
      await context.print(`${events} ${root.toString('hex')}`);
    } finally {
      await engines.close();
    }
  },
});

const wrongKey = (): Error => new Error('MASTER_KEY is not the key that encrypts the keys of this backup.');
