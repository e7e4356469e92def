/**
 * A service that hangs before it appends an event of a given type, so that a test can kill it. Its claims are short.
 * Arguments: database, master key, folder, event type.
 */
import { pino } from 'pino';
import { startService } from '../../../src/compose/service.js';
import { readConfig } from '../../../src/config.js';
import { FEW_CONNECTIONS } from '../worlds/database.js';
import type { EventLog } from '../../../src/events/core/log.js';
import { BRIEF_LEASES } from './service-process.js';

const [, , DATABASE_URL, MASTER_KEY, DATA_DIR, hangsAt] = process.argv;
const config = readConfig({
  ...FEW_CONNECTIONS,
  ...BRIEF_LEASES,
  PORT: '0',
  ROLES: 'api',
  DATABASE_URL,
  MASTER_KEY,
  DATA_DIR,
});
const service = await startService({ config, logger: pino({ level: 'silent' }) });
const log = service.engines.log as { append: EventLog['append'] };
const append = log.append.bind(log);
log.append = (appends) => {
  if (!appends.some(({ events }) => events.some(({ type }) => type === hangsAt))) return append(appends);
  process.stdout.write('hangs\n');
  return new Promise<never>(() => undefined);
};
process.stdout.write(`ready ${service.baseUrl}\n`);
