/** What a command of the command line programs is: declared, so that help, completion and checks follow from it. */
import type { Config } from '../config.js';

export const EXIT = { ok: 0, failed: 1, usage: 2, different: 3 } as const;

export interface Context {
  readonly config: Config;
  /** Aborted by SIGINT and SIGTERM, and when nobody reads the output any more. */
  readonly signal: AbortSignal;
  /** One line to stdout; waits while the reader is slow. */
  readonly print: (line: string) => Promise<void>;
  /** One line to stderr: what is no result. */
  readonly note: (line: string) => void;
  /**
   * Asks before what cannot be undone; throws where the answer is no. A script says `--yes`, and without it is refused:
   * nobody would answer.
   */
  readonly confirm: (question: string) => Promise<void>;
}

export interface OptionSpec {
  readonly about: string;
  /** Its value, as help shows it: `<name>`; absent: the option is a flag. */
  readonly value?: string;
  readonly default?: string;
  /** May be given several times. */
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
  /** As many as `args` names. */
  readonly positionals: { readonly [Index in keyof A]: string };
  readonly values: { readonly [Name in keyof O]: ValueOf<O[Name]> };
}

export interface Command<A extends readonly string[] = readonly string[], O extends Options = Options> {
  /** Words that the arguments begin with; '' where a program has one command only. */
  readonly name: string;
  /** Names of what must be given, in order. */
  readonly args?: A;
  readonly options?: O;
  readonly summary: string;
  /** It asks before it does what cannot be undone, and takes `--yes`. */
  readonly confirms?: boolean;
  /** The exit code; nothing: 0. */
  readonly run: (given: Given<A, O>, context: Context) => Promise<number | void>;
}

/** Keeps the types of arguments and options together. */
export const command = <
  const A extends readonly string[] = readonly [],
  const O extends Options = Record<never, never>,
>(
  definition: Command<A, O>,
): Command => definition as unknown as Command;

/** Wrong arguments: the usage is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
