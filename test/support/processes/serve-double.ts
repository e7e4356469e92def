/**
 * The service with the area `double`, for tests that kill it, and for the benchmark. The environment is that of a
 * service; arguments: base URL of the double, folder of the moments at which a process has killed itself, and `seed` for a
 * demo business in a given database.
 */
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../../src/config.js';
import { seedDemo } from '../../../src/compose/demo/demo.js';
import { startService } from '../../../src/compose/service.js';
import { createDoubleArea } from '../double/area.js';

const [, , url = '', folder = '', seed = ''] = process.argv;

/** Kills this process, once per effect: the next process continues the effect. */
function kill(moment: string, key: string): void {
  try {
    openSync(join(folder, `${moment} ${key}`), 'wx');
  } catch {
    return;
  }
  process.kill(process.pid, 'SIGKILL');
}

const config = readConfig();
const service = await startService({
  config,
  logger: pino({ level: process.env['LOG_LEVEL'] ?? 'silent' }, pino.destination(2)),
  additionalAreas: [createDoubleArea({ url: () => url, kill }) as never],
  prepare: async (listening) => {
    if (listening.engines.embedded || seed === 'seed') await seedDemo(listening, config.dataDir, { day: false });
  },
});
process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)));
process.stdout.write(`ready ${service.baseUrl}\n`);
