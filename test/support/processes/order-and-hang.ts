/**
 * A process that changes an order and hangs before it writes the consequences, so that a test can kill it. Arguments:
 * database, master key, order command as JSON; optionally the prefix of the streams whose first append hangs. Default:
 * the timelines of packages.
 */
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createCommands } from '../../../src/commands/commands.js';
import type { OrderCommand } from '../../../src/commands/orders/decider.js';
import { orderStream } from '../../../src/events/orders/events.js';
import { TRACKING_PREFIX } from '../../../src/events/trackings/events.js';
import { openHangingEngines } from './hanging-engines.js';

const [, , databaseUrl = '', masterKey = '', json = '{}', prefix = TRACKING_PREFIX] = process.argv;
const command = JSON.parse(json) as OrderCommand;
const { log, keyRing } = await openHangingEngines(databaseUrl, masterKey, prefix);
const commands = createCommands({
  log,
  types: EVENT_TYPES,
  keyRing,
  now: Date.now,
  directory: { find: () => Promise.resolve([]) },
});
await commands.orders(orderStream(command.orderId), command, {
  correlationId: command.commandId,
  actor: { kind: 'user', id: String(command.by ?? 5) },
  channel: 'rest',
  business: String(command.business),
});
