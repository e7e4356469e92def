/** The declaration of a command, from which help, shell completion and argument checks are generated. */
import type { Config } from '../config.js';

export const EXIT = { ok: 0, failed: 1, usage: 2, different: 3 } as const;

export interface Context {
  readonly config: Config;
  /** Aborted by SIGINT, by SIGTERM, and when the reader of the output closes the pipe. */
  readonly signal: AbortSignal;
  /** Prints one line to stdout; waits if the reader is slow. */
  readonly print: (line: string) => Promise<void>;
  /** Prints one line to stderr that is not part of the result. */
  readonly note: (line: string) => void;
  /**
   * Asks for confirmation before an irreversible action; throws if the answer is no. With `--yes` it does not ask.
   * Without a terminal and without `--yes` it throws.
   */
  readonly confirm: (question: string) => Promise<void>;
}

export interface OptionSpec {
  readonly about: string;
  /** The value as help shows it: `<name>`; absent if the option is a flag. */
  readonly value?: string;
  readonly default?: string;
  /** The option may be repeated. */
  readonly multiple?: boolean;
}

export type Options = Readonly<Record<string, OptionSpec>>;

type ValueOf<O extends OptionSpec> = O extends { readonly value: string }
  ? O extends { readonly multiple: true }
    ? readonly string[] | undefined
    : O extends { readonly default: string }
      ? string
      : string | undefined
  : boolean;

export interface Given<A extends readonly string[], O extends Options> {
  /** As many values as `args` has names. */
  readonly positionals: { readonly [Index in keyof A]: string };
  readonly values: { readonly [Name in keyof O]: ValueOf<O[Name]> };
}

export interface Command<A extends readonly string[] = readonly string[], O extends Options = Options> {
  /** The words of the command; '' if a program has only one command. */
  readonly name: string;
  /** Names of the required arguments, in order. */
  readonly args?: A;
  readonly options?: O;
  readonly summary: string;
  /** The command asks for confirmation before an irreversible action and accepts `--yes`. */
  readonly confirms?: boolean;
  /** Returns the exit code; undefined means 0. */
  readonly run: (given: Given<A, O>, context: Context) => Promise<number | void>;
}

/** Infers the types of arguments and options from the definition. */
export const command = <
  const A extends readonly string[] = readonly [],
  const O extends Options = Record<never, never>,
>(
  definition: Command<A, O>,
): Command => definition as unknown as Command;

/** Thrown for wrong arguments; the usage is printed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
