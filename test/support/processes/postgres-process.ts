import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { EmbeddedPostgresOptions } from '../../../src/engines/embedded-postgres/start.js';

export interface PostgresProcess {
  readonly child: ChildProcess;
  /** Rejects with the output of the process if it ends first. */
  readonly url: Promise<string>;
  /** Returns the log output so far. */
  readonly output: () => string;
}

/** Starts run-postgres.ts in a separate process group; `wrapper` precedes the command line (setpriv, unshare). */
export function spawnPostgres(options: EmbeddedPostgresOptions, wrapper: readonly string[] = []): PostgresProcess {
  const script = fileURLToPath(new URL('./run-postgres.js', import.meta.url));
  const [command = '', ...args] = [...wrapper, process.execPath, script, JSON.stringify(options)];
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('error', reject);
    child.once('close', () => reject(new Error(output)));
  });
  url.catch(() => undefined); // a test that awaits it gets the rejection
  return { child, url, output: () => output };
}

/** Ends the process and waits for its end. */
export async function end({ child }: PostgresProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}

/** Returns the rows of one statement, over a separate connection. */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
