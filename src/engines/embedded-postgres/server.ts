/** Runs the postmaster. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf, dataArgument } from './account.js';
import type { Installation } from './binaries.js';
import type { LogFile } from './log-file.js';
import { endServers, serversIn } from './processes.js';
import { networkSettings } from './settings.js';

const PORT_ATTEMPTS = 5;
/** Delay before the first restart of a server that ended unexpectedly; it doubles with each attempt. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
const REPORT_EVERY_MS = 10_000;

export interface ServerOptions {
  readonly cluster: string;
  readonly installation: Installation;
  /** Absent: a free port. */
  readonly port: number | undefined;
  /** Folder of a Unix socket; undefined: TCP only. */
  readonly socketDir?: string | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly logFile: LogFile;
  readonly log: (line: string) => void;
  /** Receives messages for the operator. */
  readonly warn: (line: string) => void;
}

export interface Server {
  readonly port: number;
  /** Ends the server within 5 s. It is not restarted. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the postmaster and waits until it accepts connections, however long it recovers after a crash. The postmaster
 * runs in a separate session, which the Ctrl-C of a terminal does not reach. If it ends unexpectedly later, it is
 * restarted on the same port until it runs again: for example until the disk has free space.
 * @throws with the end of its log if it exits instead of starting
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    const child = launch(options, port);
    const stop = () => endServers(() => Promise.resolve(lives(child) ? [child.pid] : []));
    try {
      await untilReady(child, options);
      return { port, stop: keepRunning(child, port, options) };
    } catch (error) {
      await stop();
      const isPortTaken = /could not bind/i.test(String(error));
      if (!isPortTaken || options.port !== undefined || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

function launch({ cluster, installation, settings, socketDir, logFile }: ServerOptions, port: number): ChildProcess {
  const given = Object.entries({ ...settings, ...networkSettings(port, socketDir) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const { command, args, options } = commandOf(installation.account, join(installation.native, 'bin', 'postgres'), [
    '-D',
    dataArgument(cluster),
    ...given,
  ]);
  const child = spawn(command, args, {
    ...options,
    cwd: cluster,
    detached: true,
    stdio: ['ignore', logFile.fd, logFile.fd],
  });
  child.on('error', () => undefined); // the child has no pid then, which the caller checks
  child.unref();
  return child;
}

async function untilReady(child: ChildProcess, { cluster, logFile, log }: ServerOptions): Promise<void> {
  for (let waited = 0; !(await isReady(cluster, child.pid)); waited += 20) {
    if (!lives(child)) throw new Error(`PostgreSQL does not start:\n${await logFile.tail()}`);
    if (waited > 0 && waited % REPORT_EVERY_MS === 0)
      log(`PostgreSQL is still starting (crash recovery):\n${await logFile.tail(1)}`);
    await sleep(20);
  }
}

/** Same check as pg_ctl: line 1 of postmaster.pid is the process, line 8 its state. */
async function isReady(cluster: string, pid: number | undefined): Promise<boolean> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

const lives = (child: ChildProcess): child is ChildProcess & { pid: number } =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

/** @returns a function that stops the server permanently */
function keepRunning(first: ChildProcess, port: number, options: ServerOptions): () => Promise<void> {
  const { cluster, logFile, warn } = options;
  const stopping = new AbortController();
  let current = first;
  let restarting = Promise.resolve();
  const watch = (): void => {
    current.once('exit', (code, signal) => {
      if (!stopping.signal.aborted) restarting = startAgain(signal ?? `exit code ${code}`);
    });
  };

  async function startAgain(reason: string): Promise<void> {
    warn(`PostgreSQL stopped unexpectedly (${reason}) and is restarted:\n${await lastLines(logFile)}`);
    for (let pause = FIRST_PAUSE_MS; !stopping.signal.aborted; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        // Child processes of a killed postmaster run for a moment longer and hold its shared memory.
        await endServers(() => serversIn(cluster));
        current = launch(options, port);
        await untilReady(current, options);
        watch();
        return warn(`PostgreSQL is running again on 127.0.0.1:${port}.`);
      } catch (error) {
        warn(`PostgreSQL could not be restarted yet: ${(error as Error).message}`);
      }
    }
  }

  watch();
  return async () => {
    stopping.abort();
    const living = () => Promise.resolve(lives(current) ? [current.pid] : []);
    await endServers(living);
    // A restart may have been in progress at this moment.
    await restarting;
    await endServers(living);
  };
}

const lastLines = (logFile: LogFile): Promise<string> => logFile.tail(3).catch(() => '');

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
