/** The service as a process of its own, for tests that kill it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { FEW_CONNECTIONS } from '../worlds/database.js';
import { withLog } from '../worlds/log-beside.js';
import { MASTER_KEY } from '../worlds/service.js';

const MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url));

export interface ServiceProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it logged so far. */
  readonly said: () => string;
  /** Sends the signal and waits for the end; gives the exit code, null after a kill. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

export interface ServiceProcessOptions {
  readonly dataDir: string;
  /** Absent: the embedded database in `dataDir`. */
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Of Node itself. */
  readonly flags?: readonly string[];
}

/**
 * For a process that is killed: what it held is free after this. It need not answer in time, so its limits are the
 * shortest.
 */
export const BRIEF_LEASES = { LEASE_SECONDS: '3' };
/** For processes that take over and answer: responses within 5 s, repairs after 3 s. */
export const SHORT_LEASES = { LEASE_SECONDS: '10' };

const alive = new Set<ChildProcess>();

/**
 * For the end of a suite: a test that failed leaves its processes behind. SIGTERM, so that an embedded database ends as
 * well.
 */
export async function endServiceProcesses(): Promise<void> {
  await Promise.all(
    [...alive].map((child) => {
      child.kill('SIGTERM');
      // One that stands still hears it only then.
      child.kill('SIGCONT');
      return once(child, 'close');
    }),
  );
}

/** Resolves when the process says that it is ready; rejects with what it said when it ends first. */
export async function startServiceProcess({
  dataDir,
  databaseUrl,
  env = {},
  flags = [],
}: ServiceProcessOptions): Promise<ServiceProcess> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['--enable-source-maps', ...flags, MAIN], {
    env: await withLog({
      PATH,
      HOME,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ...FEW_CONNECTIONS,
      RATE_LIMIT_WRITE: '100000',
      RATE_LIMIT_READ: '100000',
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, MASTER_KEY }),
      ...env,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  alive.add(child);
  const ended = once(child, 'close').finally(() => alive.delete(child));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout!).on(
      'line',
      (line) => line.startsWith('ready ') && resolve(line.slice('ready '.length)),
    );
    void ended.then(() => reject(new Error(`The service ended before it was ready:\n${said}`)));
  });
  return {
    url,
    child,
    said: () => said,
    async end(signal) {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}
