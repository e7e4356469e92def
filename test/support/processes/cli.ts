/** Runs the command line programs as a user does, as processes of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Program = 'admin' | 'audit' | 'backup' | 'log' | 'seed';

/** `env`: all of it, beside PATH. `readLines`: the reader leaves after so many lines of stdout. */
export async function runCli(
  program: Program,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  readLines = Infinity,
): Promise<Ran> {
  const script = fileURLToPath(new URL(`../../../src/cli/${program}.js`, import.meta.url));
  const child = spawn(process.execPath, ['--enable-source-maps', script, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (readLines < Infinity && stdout.split('\n').length > readLines) child.stdout.destroy();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
