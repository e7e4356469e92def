/** Runs programs of commands: command selection, help, exit codes, signals, closed pipes, confirmations. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Writable } from 'node:stream';
import { Command as Commander, CommanderError, Option } from 'commander';
import { readConfig, type Config } from '../config.js';
import { completionScript } from './completion.js';
import { EXIT, UsageError, type Command, type Context } from './command.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

type Programs = readonly Command[] | Readonly<Record<string, readonly Command[]>>;

/** The input and output of a command. */
export interface Caller {
  readonly args: readonly string[];
  /** Absent: the environment of the process. */
  readonly env?: NodeJS.ProcessEnv;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Runs the command that the arguments name, then ends the process. `name`: name of the program in its help. */
export async function runProgram(name: string, commands: Programs): Promise<never> {
  const { argv, stdout, stderr } = process;
  const code = await runCommand(name, commands, { args: argv.slice(2), stdout, stderr });
  // An open handle, such as a socket to a lost database, must not keep the process alive.
  return new Promise(() => stdout.write('', () => process.exit(code)));
}

/** Runs the command that the arguments name and returns its exit code. */
export async function runCommand(name: string, commands: Programs, caller: Caller): Promise<number> {
  const stop = new AbortController();
  const signalled = (signal: NodeJS.Signals) => stop.abort(signal === 'SIGINT' ? 130 : 143);
  for (const signal of SIGNALS) process.once(signal, signalled);
  try {
    return await run(name, commands, caller, stop);
  } finally {
    for (const signal of SIGNALS) process.off(signal, signalled);
  }
}

async function run(
  name: string,
  commands: Programs,
  { args, env, stdout, stderr }: Caller,
  stop: AbortController,
): Promise<number> {
  // A reader such as `| head` closes the pipe early, which is not an error.
  stdout.on('error', (error: NodeJS.ErrnoException) => stop.abort(error.code === 'EPIPE' ? EXIT.ok : EXIT.failed));
  const note = (line: string) => void stderr.write(`${line}\n`);
  const print = async (line: string) => {
    stop.signal.throwIfAborted();
    if (!stdout.write(`${line}\n`)) await once(stdout, 'drain', { signal: stop.signal });
  };
  let code: number = EXIT.ok;
  const act = async (command: Command, positionals: readonly string[], values: Record<string, unknown>) => {
    const context: Context = {
      config: configOrUsage(env),
      signal: stop.signal,
      print,
      note,
      confirm: (question) => confirm(question, values['yes'] === true, stop.signal),
    };
    code = (await command.run({ positionals, values } as Parameters<Command['run']>[0], context)) ?? EXIT.ok;
  };
  const program = new Commander(name).configureOutput({
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
  });
  if (Array.isArray(commands)) for (const command of commands) add(program, command as Command, act);
  else
    for (const [group, members] of Object.entries(commands))
      for (const member of members) add(program, { ...member, name: `${group} ${member.name}`.trim() }, act);
  if (!Array.isArray(commands))
    program
      .command('completion')
      .argument('<shell>', 'bash or zsh')
      .summary('Print a script that completes commands and options.')
      .action((shell: string) => print(completionScript(shell, name, program)));
  settle(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (stop.signal.aborted) return stop.signal.reason as number;
    // Commander has already printed the error or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    note(messageOf(error));
    if (!(error instanceof UsageError)) return EXIT.failed;
    note(usageOf(program, args));
    return EXIT.usage;
  }
}

type Act = (command: Command, positionals: readonly string[], values: Record<string, unknown>) => Promise<void>;

/** Adds a command below the groups that its words name. */
function add(program: Commander, command: Command, act: Act): void {
  const words = command.name.split(' ').filter(Boolean);
  let place = program;
  for (const word of words) place = place.commands.find((known) => known.name() === word) ?? place.command(word);
  place.description(command.summary);
  for (const name of command.args ?? []) place.argument(`<${name}>`);
  for (const [name, { value, about, default: preset, multiple }] of Object.entries(command.options ?? {})) {
    const option = new Option(value === undefined ? `--${name}` : `--${name} ${value}`, about);
    if (preset !== undefined) option.default(preset);
    if (multiple) option.argParser((text: string, before: readonly string[] = []) => [...before, text]);
    place.addOption(option);
  }
  if (command.confirms) place.option('-y, --yes', 'Do not ask for confirmation; for scripts.');
  place.action((...given: unknown[]) => {
    const options = place.opts();
    const values = Object.fromEntries(
      Object.entries(command.options ?? {}).map(([name, { value }]) => [
        name,
        options[camel(name)] ?? (value === undefined ? false : undefined),
      ]),
    );
    return act(command, given.slice(0, command.args?.length ?? 0) as string[], { ...values, yes: options['yes'] });
  });
}

const camel = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Applies common settings: errors are thrown, excess arguments are rejected, suggestions and usage are shown. */
function settle(command: Commander): void {
  command.exitOverride().showHelpAfterError().allowExcessArguments(false).helpCommand(false);
  command.configureHelp({ sortSubcommands: true, showGlobalOptions: false });
  for (const child of command.commands) settle(child);
  // The summary of a group lists its commands.
  if (command.parent && command.commands.length > 0)
    command.summary(command.commands.map((child) => child.name()).join(', '));
}

/** Returns the usage of the command that the arguments name. */
function usageOf(program: Commander, args: readonly string[]): string {
  let place = program;
  for (const word of args) {
    const next = place.commands.find((known) => known.name() === word);
    if (!next) break;
    place = next;
  }
  return place.helpInformation();
}

async function confirm(question: string, isConfirmed: boolean, signal: AbortSignal): Promise<void> {
  if (isConfirmed) return;
  if (!process.stdin.isTTY) throw new UsageError(`${question} This cannot be undone: confirm with --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} This cannot be undone. [y/N] `, { signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw new Error('Cancelled.');
  } finally {
    terminal.close();
  }
}

function configOrUsage(env: NodeJS.ProcessEnv | undefined): Config {
  try {
    return readConfig(env);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A refused connection to a name with several addresses is an AggregateError without a message. */
function messageOf(error: unknown): string {
  const { message, code, path } = error as { message?: string; code?: string; path?: string };
  if (code === 'ENOENT' && path !== undefined) return `${path} does not exist.`;
  if (code === 'EACCES' && path !== undefined) return `No permission to open ${path}.`;
  return message || (code === undefined ? String(error) : `The database does not respond (${code}).`);
}
