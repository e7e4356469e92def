/**
 * A process that accepts an EPCIS capture and hangs after a given number of its trackings, so that a test can kill it.
 * Arguments: database, task as JSON.
 */
import { tmpdir } from 'node:os';
import { readCapture } from '../../../src/api/areas/captures/read.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createCapture } from '../../../src/commands/captures/capture.js';
import { createCommands } from '../../../src/commands/commands.js';
import { openEngines } from '../../../src/engines/open.js';
import type { EventLog } from '../../../src/events/core/log.js';
import { TRACKING_PREFIX } from '../../../src/events/trackings/events.js';
import { createDirectory } from '../../../src/projections/trackings/directory.js';
import { Progress } from '../../../src/projections/core/progress.js';
import { createTrackingQueries } from '../../../src/projections/trackings/queries.js';

export interface Task {
  readonly id: string;
  readonly provider: string;
  readonly mayOpen: boolean;
  readonly behaviour: 'proceed' | 'rollback';
  readonly document: unknown;
  /** Number of trackings that are written before the process hangs. */
  readonly trackings: number;
  readonly masterKey: string;
}

const [, , databaseUrl = '', json = '{}'] = process.argv;
const task = JSON.parse(json) as Task;
const { log, pool, projectionPool, keyRing } = await openEngines({
  databaseUrl,
  eventStoreUrl: undefined,
  dataDir: tmpdir(),
  masterKey: Buffer.from(task.masterKey, 'hex'),
});
const written: Promise<unknown>[] = [];

const hanging: EventLog = Object.assign(Object.create(log) as EventLog, {
  async append(appends: Parameters<EventLog['append']>[0]) {
    if (!appends.some(({ stream }) => stream.startsWith(TRACKING_PREFIX))) return log.append(appends);
    if (written.length < task.trackings) {
      const done = log.append(appends);
      written.push(done);
      return done;
    }
    await Promise.all(written);
    process.stdout.write('hangs\n');
    return new Promise<never>(() => undefined);
  },
});

const now = Date.now;
const progress = new Progress(projectionPool);
const directory = createDirectory({ queries: createTrackingQueries(pool), log, progress });
const commands = createCommands({ log: hanging, types: EVENT_TYPES, keyRing, now, directory });
const capture = createCapture({
  handle: commands.captures,
  ingest: commands.ingest,
  log: hanging,
  types: EVENT_TYPES,
  keyRing,
  directory: { recorded: () => Promise.resolve(new Set()), hashesOf: () => Promise.resolve([]), contains: () => true },
  read: readCapture,
});
const { id, provider, mayOpen, behaviour, document } = task;
await capture.take(
  { id: provider, kind: 'carrier', mayOpen },
  { id, behaviour, document, time: now() },
  { correlationId: id, actor: { kind: 'provider', id: provider }, channel: 'rest' },
);
