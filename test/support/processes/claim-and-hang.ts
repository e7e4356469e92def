/**
 * A process that reserves a driver's time for a route and hangs before the claim, so that a test can kill it.
 * Arguments: database, master key, row of the board as JSON, driver.
 */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { createBoardService } from '../../../src/api/areas/board/board-service.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createCommands } from '../../../src/commands/commands.js';
import { openEngines } from '../../../src/engines/open.js';
import type { EventLog } from '../../../src/events/core/log.js';
import { ROUTE_PREFIX } from '../../../src/events/routes/events.js';
import type { BoardRow } from '../../../src/projections/board/read-model.js';

const [, , databaseUrl = '', masterKey = '', json = '{}', driver = ''] = process.argv;
const row = JSON.parse(json) as BoardRow;
const { log, keyRing } = await openEngines({
  databaseUrl,
  eventStoreUrl: undefined,
  dataDir: tmpdir(),
  masterKey: Buffer.from(masterKey, 'hex'),
});
const hanging: EventLog = Object.assign(Object.create(log) as EventLog, {
  append(appends: Parameters<EventLog['append']>[0]) {
    if (!appends.some(({ stream }) => stream.startsWith(ROUTE_PREFIX))) return log.append(appends);
    process.stdout.write('hangs\n');
    return new Promise<never>(() => undefined);
  },
});
const directory = { find: () => Promise.resolve([]) };
const commands = createCommands({ log: hanging, types: EVENT_TYPES, keyRing, now: Date.now, directory });
const judge = Object.assign(() => Promise.resolve(new Map()), {
  claimLimitOf: () => Promise.resolve(2),
  conflictingRouteOf: () => Promise.resolve('route'),
});
const boardService = createBoardService({ commands, checkEligibility: judge });
const commandId = randomUUID();
const cause = {
  correlationId: commandId,
  actor: { kind: 'user', id: driver },
  channel: 'rest',
  business: String(row.business),
} as const;
await boardService.take('claim', row, Number(driver), { commandId, cause, time: Date.now(), wrote: () => undefined });
