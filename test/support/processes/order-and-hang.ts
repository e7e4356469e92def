/**
 * A process that creates an order and hangs before it creates the timelines, so that a test can kill it. Arguments:
 * database, master key, order command as JSON.
 */
import { tmpdir } from 'node:os';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createCommands } from '../../../src/commands/commands.js';
import type { OrderCommand } from '../../../src/commands/orders/decider.js';
import { openEngines } from '../../../src/engines/open.js';
import type { EventLog } from '../../../src/events/core/log.js';
import { orderStream } from '../../../src/events/orders/events.js';
import { TRACKING_PREFIX } from '../../../src/events/trackings/events.js';

const [, , databaseUrl = '', masterKey = '', json = '{}'] = process.argv;
const command = JSON.parse(json) as OrderCommand;
const { log, keyRing } = await openEngines({
  databaseUrl,
  eventStoreUrl: undefined,
  dataDir: tmpdir(),
  masterKey: Buffer.from(masterKey, 'hex'),
});
const hanging: EventLog = Object.assign(Object.create(log) as EventLog, {
  append(appends: Parameters<EventLog['append']>[0]) {
    if (!appends.some(({ stream }) => stream.startsWith(TRACKING_PREFIX))) return log.append(appends);
    process.stdout.write('hangs\n');
    return new Promise<never>(() => undefined);
  },
});
const commands = createCommands({
  log: hanging,
  types: EVENT_TYPES,
  keyRing,
  now: Date.now,
  directory: { find: () => Promise.resolve([]) },
});
await commands.orders(orderStream(command.orderId), command, {
  correlationId: command.commandId,
  actor: { kind: 'user', id: '5' },
  channel: 'rest',
  business: String(command.business),
});
