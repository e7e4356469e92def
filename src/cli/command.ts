/**
 * What the command line programs share: choosing the command, reading its arguments, exit codes, signals, a closed
 * pipe.
 */
import { once } from 'node:events';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { readConfig, type Config } from '../config.js';

export const EXIT = { ok: 0, failed: 1, usage: 2, different: 3 } as const;

export interface Context {
  readonly config: Config;
  /** Aborted by SIGINT and SIGTERM, and when nobody reads the output any more. */
  readonly signal: AbortSignal;
  /** One line to stdout; waits while the reader is slow. */
  readonly print: (line: string) => Promise<void>;
  /** One line to stderr: what is no result. */
  readonly note: (line: string) => void;
}

export interface Command {
  /** Words that the arguments begin with; '' where a program has one command only. */
  readonly name: string;
  /** Arguments, as the usage shows them. */
  readonly usage: string;
  readonly summary: string;
  /** The exit code; nothing: 0. */
  readonly run: (args: readonly string[], context: Context) => Promise<number | void>;
}

/** Wrong arguments: the usage is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Options and exactly as many positionals as are named; throws `UsageError`. */
export function readArgs<const O extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  positionals: readonly string[],
  options: O,
) {
  const parsed = parse(args, options);
  const missing = positionals[parsed.positionals.length];
  if (missing !== undefined) throw new UsageError(`<${missing}> is missing.`);
  const extra = parsed.positionals[positionals.length];
  if (extra !== undefined) throw new UsageError(`What is ${extra}?`);
  return parsed;
}

function parse<const O extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Runs the command that the arguments begin with, and ends the process. */
export async function runProgram(
  program: string,
  commands: readonly Command[],
  args: readonly string[] = process.argv.slice(2),
): Promise<never> {
  const code = await runCommand(program, commands, args);
  // Whatever is still open (a socket to a database that went away) must not keep the process.
  return new Promise(() => process.stdout.write('', () => process.exit(code)));
}

async function runCommand(program: string, commands: readonly Command[], args: readonly string[]): Promise<number> {
  const stop = new AbortController();
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => stop.abort(code));
  // `| head` reads what it wants and leaves: no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    stop.abort(error.code === 'EPIPE' ? EXIT.ok : EXIT.failed),
  );
  const note = (line: string) => void process.stderr.write(`${line}\n`);
  const print = async (line: string) => {
    stop.signal.throwIfAborted();
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain', { signal: stop.signal });
  };
  const command = commands.find(({ name }) => wordsOf(name).every((word, index) => args[index] === word));
  const help = usage(program, command ? [command] : commands);
  try {
    if (args.some((arg) => arg === '--help' || arg === '-h')) return await print(help).then(() => EXIT.ok);
    if (!command)
      throw new UsageError(
        args.length === 0 ? 'What is to be done?' : `There is no command ${args.slice(0, 2).join(' ')}.`,
      );
    const config = configOrUsage();
    return (
      (await command.run(args.slice(wordsOf(command.name).length), { config, signal: stop.signal, print, note })) ??
      EXIT.ok
    );
  } catch (error) {
    if (stop.signal.aborted) return stop.signal.reason as number;
    note(messageOf(error));
    if (!(error instanceof UsageError)) return EXIT.failed;
    note(help);
    return EXIT.usage;
  }
}

const wordsOf = (name: string): string[] => name.split(' ').filter(Boolean);

function configOrUsage(): Config {
  try {
    return readConfig();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function usage(program: string, commands: readonly Command[]): string {
  return [
    'Usage:',
    ...commands.map(
      ({ name, usage, summary }) =>
        `  npm run ${program} -- ${[name, usage].filter(Boolean).join(' ')}\n      ${summary}`,
    ),
  ].join('\n');
}

/** A refused connection to a name with several addresses is an AggregateError without words of its own. */
function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || (code === undefined ? String(error) : `The database does not answer (${code}).`);
}
