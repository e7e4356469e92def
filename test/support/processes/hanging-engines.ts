/** Engines whose log hangs before the first append to certain streams, so that a test can kill the process there. */
import { tmpdir } from 'node:os';
import { openEngines, type Engines } from '../../../src/engines/open.js';
import type { EventLog } from '../../../src/events/core/log.js';

/** Prints `hangs` when an append to a stream with this prefix was requested. `masterKey`: hexadecimal. */
export async function openHangingEngines(
  databaseUrl: string,
  masterKey: string,
  prefix: string,
): Promise<Pick<Engines, 'log' | 'keyRing'>> {
  const { log, keyRing } = await openEngines({
    databaseUrl,
    eventStoreUrl: undefined,
    dataDir: tmpdir(),
    masterKey: Buffer.from(masterKey, 'hex'),
  });
  const hanging: EventLog = Object.assign(Object.create(log) as EventLog, {
    append(appends: Parameters<EventLog['append']>[0]) {
      if (!appends.some(({ stream }) => stream.startsWith(prefix))) return log.append(appends);
      process.stdout.write('hangs\n');
      return new Promise<never>(() => undefined);
    },
  });
  return { log: hanging, keyRing };
}
