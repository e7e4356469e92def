/** `admin keys rotate`: replaces the master key or the signing key while the service runs. */
import { EVENT_TYPES } from '../../areas/index.js';
import { createHandler } from '../../commands/core/handler.js';
import { keys } from '../../commands/keys/decider.js';
import { recordKeys } from '../../commands/keys/record-keys.js';
import { fingerprintOf, isInUse, rotateMasterKey, rotateSigningKey } from '../../engines/postgres/known-keys.js';
import { nextKey, settleKey } from '../../engines/secrets.js';
import type { KeyName } from '../../events/keys/events.js';
import { command, UsageError } from '../command.js';
import { withEngines } from '../engines.js';

const NAMES: Readonly<Record<string, KeyName>> = { master: 'MASTER_KEY', signing: 'SIGNING_KEY' };

export const rotateKeys = command({
  name: 'keys rotate',
  summary:
    'Replace a key. If the current key is configured, the new one is read from NEW_MASTER_KEY or NEW_SIGNING_KEY; otherwise it is generated. Running processes continue; their next start needs the new key.',

  args: ['master|signing'],

  async run({ positionals: [which] }, context) {
    const name = NAMES[which!];
    if (!name) throw new UsageError(`Unknown key ${which}: the keys are master and signing.`);
    const { config } = context;
    const configured =
      config.databaseUrl !== undefined || (name === 'MASTER_KEY' ? config.masterKey : config.signingKey) !== undefined;
    const given = config.newKeys[name];
    if (configured && given === undefined)
      throw new UsageError(`NEW_${name} is missing: 32 bytes, for example from openssl rand -hex 32.`);
    return withEngines(context, { mustExist: true }, async ({ pool, masterKey, log, logEngine, keyRing }) => {
      const next = configured ? given! : await nextKey(config.dataDir, name);
      if (name === 'MASTER_KEY') await rotateMasterKey(pool, masterKey, next);
      else await rotateSigningKey(pool, next);
      // The database is updated first: if the log is behind it, the next start records the key there.
      if (logEngine === 'eventstore')
        await recordKeys(createHandler({ decider: keys, types: EVENT_TYPES, log, keyRing, now: Date.now }), [
          [name, fingerprintOf[name](next)],
        ]);
      if (configured) return context.note(`Done. Start every process with the new ${name} from now on.`);
      await settleKey(config.dataDir, name, (key) => isInUse(pool, name, key));
      context.note(`Done: the new key is in ${config.dataDir}. Store a copy of it separately from the database.`);
    });
  },
});
