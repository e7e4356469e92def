/** The service with Kafka: in this process, or in separate processes that can be killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { seedDemo } from '../../../src/compose/demo/demo.js';
import { readConfig } from '../../../src/config.js';
import { startService, type Service } from '../../../src/compose/service.js';
import { serviceEnvironment } from './environment.js';

/** The benchmarks also start these processes. */
const MASTER_KEY = '11'.repeat(32);

export interface KafkaServiceOptions {
  readonly databaseUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}

const environment = ({ databaseUrl, env }: KafkaServiceOptions, dataDir: string): Record<string, string> => ({
  PORT: '0',
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  MASTER_KEY,
  ...env,
});

export async function startInProcess(options: KafkaServiceOptions): Promise<Service> {
  return startService({
    config: readConfig(environment(options, '/nonexistent')),
    logger: pino({ level: process.env['LOG_LEVEL'] ?? 'silent' }),
  });
}

/** Creates a database with the demo's providers. */
export async function seed(databaseUrl: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'transport-kafka-'));
  const service = await startInProcess({ databaseUrl });
  await seedDemo(service, dataDir, { day: false });
  await service.stop();
  await rm(dataDir, { recursive: true });
}

export interface ServiceProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Has no effect if the process has already ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url));

export async function startProcess(options: KafkaServiceOptions): Promise<ServiceProcess> {
  const env = serviceEnvironment({
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    ...environment(options, join(tmpdir(), 'transport-unused')),
  });
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('ready ')) continue;
    return {
      url: line.slice(6),
      child,
      async end(signal) {
        child.kill(signal);
        await ended;
      },
    };
  }
  throw new Error('The service ended before it was ready.');
}
