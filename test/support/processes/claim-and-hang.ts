/**
 * A process that reserves a driver's time for a route and hangs before the claim, so that a test can kill it.
 * Arguments: database, master key, row of the board as JSON, driver.
 */
import { randomUUID } from 'node:crypto';
import { createBoardService } from '../../../src/api/areas/board/board-service.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createCommands } from '../../../src/commands/commands.js';
import { ROUTE_PREFIX } from '../../../src/events/routes/events.js';
import type { BoardRow } from '../../../src/projections/board/read-model.js';
import { openHangingEngines } from './hanging-engines.js';

const [, , databaseUrl = '', masterKey = '', json = '{}', driver = ''] = process.argv;
const row = JSON.parse(json) as BoardRow;
const { log, keyRing } = await openHangingEngines(databaseUrl, masterKey, ROUTE_PREFIX);
const directory = { find: () => Promise.resolve([]) };
const commands = createCommands({ log, types: EVENT_TYPES, keyRing, now: Date.now, directory });
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
