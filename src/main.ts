/** Process entry point: starts the service, reports when it is ready, and stops it on a signal. */
import { readConfig } from './config.js';
import { createLogger } from './logging/logger.js';
import { seedDemo, type Demo } from './compose/demo/demo.js';
import { startService } from './compose/service.js';
import { expectFreePort, startupHintOf } from './compose/startup-hints.js';
import { welcome } from './compose/welcome.js';

const config = readConfigOrExit();
const logger = createLogger(config.logLevel);

/** An uncaught error leaves the process in an unknown state, so it exits and the supervisor starts a new one. */
process.on('uncaughtException', (error) => {
  logger.fatal({ err: error }, 'uncaught exception');
  process.exit(1);
});

const stopped = new Promise<NodeJS.Signals>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
});

/** Lets a signal stop the process while it still waits for an engine. */
let started = false;
void stopped.then((signal) => {
  if (started) return;
  logger.info({ signal }, 'stopped before it was ready');
  process.exit(0);
});

try {
  await expectFreePort(config);
  let demo: Demo | undefined;
  const service = await startService({
    config,
    logger,
    prepare: async (listening) => {
      if (listening.engines.embedded) demo = await seedDemo(listening, config.dataDir);
    },
  });
  started = true;
  process.stdout.write(`ready ${service.baseUrl}\n${welcome(config, service.baseUrl, demo)}`);
  logger.info({ signal: await stopped }, 'stopping');
  await service.stop();
  process.exit(0);
} catch (error) {
  const hint = startupHintOf(error, config);
  if (hint === undefined) logger.fatal({ err: error }, 'the service did not start');
  else process.stderr.write(`${hint}\n`);
  process.exit(1);
}

function readConfigOrExit() {
  try {
    return readConfig();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nAll variables and their values: docs/configuration.md\n`);
    return process.exit(2);
  }
}
