/** The process: starts the service, says when it is ready, stops on a signal. */
import { readConfig } from './config.js';
import { createLogger } from './logging/logger.js';
import { seedDemo } from './compose/demo/demo.js';
import { startService } from './compose/service.js';

const config = readConfigOrExit();
const logger = createLogger(config.logLevel);

/** A bug that nobody caught leaves the process in an unknown state: the supervisor starts a sound one. */
process.on('uncaughtException', (error) => {
  logger.fatal({ err: error }, 'uncaught exception');
  process.exit(1);
});

const stopped = new Promise<NodeJS.Signals>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
});

try {
  const service = await startService({ config, logger });
  if (service.engines.embedded) await seedDemo(service, config.dataDir);
  process.stdout.write(`ready ${service.baseUrl}\n`);
  logger.info({ signal: await stopped }, 'stopping');
  await service.stop();
  process.exit(0);
} catch (error) {
  logger.fatal({ err: error }, 'the service did not start');
  process.exit(1);
}

function readConfigOrExit() {
  try {
    return readConfig();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return process.exit(2);
  }
}
