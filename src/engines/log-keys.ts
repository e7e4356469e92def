/**
 * A log in EventStoreDB records its keys. Otherwise a process with an empty database, or with the database of another
 * installation, would use other keys and write data that cannot be decrypted.
 */
import type { Pool } from 'pg';
import type { EventLog } from '../events/core/log.js';
import { KEY_STREAMS, KeyTakenIntoUse, type KeyName } from '../events/keys/events.js';
import { fingerprintsOf, wasInUse, wrongKey, type Keys } from './postgres/known-keys.js';

/**
 * Throws `StartRefused` if the log's key is neither the given key nor an earlier key of the database. A key rotation
 * updates the database first.
 */
export async function expectKeysOfLog(log: EventLog, pool: Pool, keys: Keys): Promise<void> {
  for (const [name, own] of fingerprintsOf(keys)) {
    const recorded = await lastRecorded(log, name);
    if (recorded === undefined || recorded.equals(own)) continue;
    if (!(await wasInUse(pool, name, recorded))) throw wrongKey(name, own, recorded, 'log');
  }
}

async function lastRecorded(log: EventLog, name: KeyName): Promise<Buffer | undefined> {
  let last: string | undefined;
  for await (const { data } of log.read(KEY_STREAMS[name])) last = KeyTakenIntoUse.schema.parse(data).fingerprint;
  return last === undefined ? undefined : Buffer.from(last, 'hex');
}
