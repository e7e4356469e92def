/** The service in a separate process, for tests that kill it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { FEW_CONNECTIONS } from '../worlds/database.js';
import { withLogUrl } from '../worlds/test-log.js';
import { MASTER_KEY } from '../worlds/service.js';

const MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url));

export interface ServiceProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Returns the log output so far. */
  readonly output: () => string;
  /** Sends the signal, waits for the end, and returns the exit code; null after a kill. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

export interface ServiceProcessOptions {
  readonly dataDir: string;
  /** Absent: the embedded database in `dataDir`. */
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of Node. */
  readonly flags?: readonly string[];
  /** Script and arguments; absent: those of the service. */
  readonly script?: readonly string[];
}

/**
 * For a process that is killed: its leases expire after this time. It does not have to respond in time, so the shortest
 * value is used.
 */
export const BRIEF_LEASES = { LEASE_SECONDS: '3' };
/** For processes that take over and respond: responses within 5 s, repairs after 3 s. */
export const SHORT_LEASES = { LEASE_SECONDS: '10' };

const alive = new Set<ChildProcess>();

/** For the end of a suite: a failed test leaves its processes running. SIGTERM also ends an embedded database. */
export async function endServiceProcesses(): Promise<void> {
  await Promise.all(
    [...alive].map((child) => {
      child.kill('SIGTERM');
      // A stopped process receives SIGTERM only after SIGCONT.
      child.kill('SIGCONT');
      return once(child, 'close');
    }),
  );
}

/** Resolves when the process reports that it is ready; rejects with its output if it ends first. */
export async function startServiceProcess({
  dataDir,
  databaseUrl,
  env = {},
  flags = [],
  script = [MAIN],
}: ServiceProcessOptions): Promise<ServiceProcess> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['--enable-source-maps', ...flags, ...script], {
    env: await withLogUrl({
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
  let output = '';
  child.stderr!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  alive.add(child);
  const ended = once(child, 'close').finally(() => alive.delete(child));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout!).on(
      'line',
      (line) => line.startsWith('ready ') && resolve(line.slice('ready '.length)),
    );
    void ended.then(() => reject(new Error(`The service ended before it was ready:\n${output}`)));
  });
  return {
    url,
    child,
    output: () => output,
    async end(signal) {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}
