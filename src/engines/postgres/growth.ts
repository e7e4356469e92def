/**
 * Tells readers at the end of the log that it grew: at once where it grew in an area that they read, some time later where it did
 * not, so that an event of one area does not wake the readers of all others.
 */
import { isArea } from './area.js';

/** How long a reader sleeps when nobody wakes him: wake-ups are lossy across reconnects. */
export const IDLE_POLL_MS = 250;
/** What does not concern a reader moves his position no later than this. */
const PASSING_MS = 100;

/** The areas that grew; undefined: nobody knows. */
export type Areas = ReadonlySet<string> | undefined;

export class Growth {
  readonly #ears = new Set<Ear>();
  #passing: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;

  /** For a reader of streams that begin with one of `prefixes`; absent: of all. */
  listen(prefixes: readonly string[] | undefined): Ear {
    const ear = new Ear(prefixes, () => (this.#poll ??= setTimeout(() => this.#wakeAll(), IDLE_POLL_MS)));
    this.#ears.add(ear);
    return ear;
  }

  leave(ear: Ear): void {
    this.#ears.delete(ear);
    ear.wake();
  }

  tell(areas: Areas): void {
    for (const ear of this.#ears) {
      if (!areas || ear.reads(areas)) ear.wake();
      else if (ear.pass()) this.#passing ??= setTimeout(() => this.hurry(), PASSING_MS);
    }
  }

  /** Somebody waits for those that it passed by. */
  hurry(): void {
    clearTimeout(this.#passing);
    this.#passing = undefined;
    for (const ear of this.#ears) if (ear.passed) ear.wake();
  }

  #wakeAll(): void {
    this.#poll = undefined;
    this.tell(undefined);
  }
}

export class Ear {
  passed = false;
  readonly #prefixes: readonly string[] | undefined;
  readonly #onSleep: () => void;
  #told = false;
  #wake: (() => void) | undefined;

  constructor(prefixes: readonly string[] | undefined, onSleep: () => void) {
    this.#prefixes = prefixes;
    this.#onSleep = onSleep;
  }

  reads(areas: ReadonlySet<string>): boolean {
    return !this.#prefixes || this.#prefixes.some((prefix) => !isArea(prefix) || areas.has(prefix));
  }

  /** The log grew elsewhere; returns whether that is news. */
  pass(): boolean {
    return !this.passed && (this.passed = true);
  }

  /** Before the reader looks: what is told from now on is behind what he will see. */
  attend(): void {
    this.#told = this.passed = false;
  }

  /** Resolves once the log has grown since `attend`, or at the next poll. */
  async heard(): Promise<void> {
    if (this.#told) return;
    this.#onSleep();
    await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  readonly wake = (): void => {
    this.#told = true;
    this.#wake?.();
    this.#wake = undefined;
  };
}
