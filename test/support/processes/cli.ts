/** Runs the command-line programs like a user. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../../src/cli/program.js';
import { PROGRAMS } from '../../../src/cli/programs.js';
import { FEW_CONNECTIONS } from '../worlds/database.js';
import { withLogUrl } from '../worlds/test-log.js';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Program = 'admin' | 'audit' | 'backup' | 'log' | 'seed' | 'schema';
export type Environment = Readonly<Record<string, string>>;

/**
 * Runs a command in this process, because starting a process takes longer than most commands. `env`: all variables
 * except the address of the log. That address is the one of the services with the same database.
 */
export async function runCli(program: Program, args: readonly string[], env: Environment): Promise<CommandResult> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const output = Promise.all([text(stdout), text(stderr)]);
  const code = await runCommand(`npm run ${program} --`, PROGRAMS[program], {
    args,
    env: { ...FEW_CONNECTIONS, ...(await withLogUrl(env)) },
    stdout,
    stderr,
  });
  stdout.end();
  stderr.end();
  const [out, err] = await output;
  return { code, stdout: out, stderr: err };
}

/**
 * Runs a command in a separate process, for effects that end with the process. `env`: as in `runCli`; PATH is added.
 * `readLines`: closes stdout after this many lines.
 */
export async function runCliProcess(
  program: Program,
  args: readonly string[],
  env: Environment,
  readLines = Infinity,
): Promise<CommandResult> {
  const script = fileURLToPath(new URL(`../../../src/cli/${program}.js`, import.meta.url));
  const child = spawn(process.execPath, ['--enable-source-maps', script, ...args], {
    env: { PATH: process.env['PATH'], ...FEW_CONNECTIONS, ...(await withLogUrl(env)) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece;
    if (readLines < Infinity && stdout.split('\n').length > readLines) child.stdout.destroy();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
