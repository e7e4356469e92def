/** The worker thread of a twin. */
import { parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { startService } from '../../../src/compose/service.js';
import { readConfig } from '../../../src/config.js';
import { living } from '../checks/memory.js';
import type { Said } from './twin.js';

const say = (said: Said): void => parentPort!.postMessage(said);

const service = await startService({
  config: readConfig(workerData as Record<string, string>),
  logger: pino({ level: 'error' }, { write: (line: string) => say({ error: line }) }),
});
parentPort!.on('message', (asked: 'state' | 'stop') => {
  if (asked === 'stop') return void service.stop().finally(() => process.exit(0));
  say({ state: { living: living(), polluted: ({} as Record<string, unknown>)['polluted'] !== undefined } });
});
say({ url: service.baseUrl });
