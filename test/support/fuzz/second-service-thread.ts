/** The worker thread of a twin. */
import { parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { startService } from '../../../src/compose/service.js';
import { readConfig } from '../../../src/config.js';
import { usedMegabytes } from '../checks/memory.js';
import type { ThreadMessage } from './second-service.js';

const report = (message: ThreadMessage): void => parentPort!.postMessage(message);

const service = await startService({
  config: readConfig(workerData as Record<string, string>),
  logger: pino({ level: 'error' }, { write: (line: string) => report({ error: line }) }),
});
parentPort!.on('message', (request: 'state' | 'stop') => {
  if (request === 'stop') return void service.stop().finally(() => process.exit(0));
  report({
    state: { usedMegabytes: usedMegabytes(), polluted: ({} as Record<string, unknown>)['polluted'] !== undefined },
  });
});
report({ url: service.baseUrl });
