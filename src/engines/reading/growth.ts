/**
 * Wakes readers at the end of the log when it grew: at once where it grew in an area that they read, but not before
 * they have rested from their last find; some time later where it did not, or where they are patient. So an event
 * does not wake everybody, and a batch costs as much for one event as for many: while the log grows all the time, only
 * a reader that is waited for hurries. While appends are queued, acknowledgements come first, and readers that nobody
 * waits for let them pass for two seconds at most.
 */
import type { SubscribeOptions } from '../../events/core/log.js';
import { isArea } from './area.js';

/** How long a reader sleeps when nobody wakes it: wake-ups are lost across reconnects. */
export const IDLE_POLL_MS = 250;
/** "Some time later", and how long a reader rests. */
const LATER_MS = 50;
/**
 * The same while appends are queued. What arrives in that time is caught up with in less than the two seconds that a
 * write waits (G6).
 */
const LATEST_MS = 2_000;

/** The areas that grew; undefined: nobody knows. */
export type Areas = ReadonlySet<string> | undefined;

export class Growth {
  readonly #now: () => number;
  readonly #isPressed: () => boolean;
  readonly #ears = new Set<Ear>();
  #poll: NodeJS.Timeout | undefined;

  /** `isPressed`: whether appends are queued. `now`: milliseconds of a monotonic clock. */
  constructor(isPressed: () => boolean, now = (): number => performance.now()) {
    this.#isPressed = isPressed;
    this.#now = now;
  }

  /** For a reader, with its own options for the log. */
  listen(reader: Listening): Ear {
    const ear = new Ear(reader, this.#now, () => (this.#poll ??= setTimeout(() => this.#wakeAll(), IDLE_POLL_MS)));
    this.#ears.add(ear);
    return ear;
  }

  leave(ear: Ear): void {
    this.#ears.delete(ear);
    ear.wake();
  }

  tell(areas: Areas): void {
    const isPressed = this.#isPressed();
    for (const ear of this.#ears) {
      const delay = areas ? ear.delayFor(areas, isPressed) : 0;
      if (delay <= 0) ear.wake();
      else ear.pass(delay, this.#wakePassed);
    }
  }

  /** Somebody waits: the awaited ones, if it passed them by, need to know now; the others have time. */
  hurry(): void {
    for (const ear of this.#ears) if (ear.passed && ear.isAwaited()) ear.wake();
  }

  readonly #wakePassed = (ear: Ear): void => {
    if (!this.#isPressed() || ear.isAwaited() || ear.passedFor >= LATEST_MS) ear.wake();
    else ear.pass(LATER_MS, this.#wakePassed);
  };

  #wakeAll(): void {
    this.#poll = undefined;
    // Whoever was passed by knows that it grew.
    for (const ear of this.#ears) if (!ear.passed) ear.wake();
  }
}

/** Who listens. */
export type Listening = Pick<SubscribeOptions, 'prefixes' | 'patient' | 'isAwaited'>;

export class Ear {
  #passedAt: number | undefined;
  #due: { readonly at: number; readonly timer: NodeJS.Timeout } | undefined;
  readonly #reader: Listening;
  readonly #now: () => number;
  readonly #onSleep: () => void;
  #foundAt = -Infinity;
  #told = false;
  #wake: (() => void) | undefined;

  constructor(reader: Listening, now: () => number, onSleep: () => void) {
    this.#reader = reader;
    this.#now = now;
    this.#onSleep = onSleep;
  }

  /** Milliseconds until it must learn that the log grew in these areas; not above 0: at once. */
  delayFor(areas: ReadonlySet<string>, isPressed: boolean): number {
    const { prefixes, patient } = this.#reader;
    if (prefixes && !prefixes.some((prefix) => !isArea(prefix) || areas.has(prefix))) return LATER_MS;
    if (this.isAwaited()) return 0;
    return patient || isPressed ? LATER_MS : this.#foundAt + LATER_MS - this.#now();
  }

  isAwaited(): boolean {
    return this.#reader.isAwaited?.() ?? false;
  }

  get passed(): boolean {
    return this.#passedAt !== undefined;
  }

  /** Milliseconds since the log grew and it was not woken. */
  get passedFor(): number {
    return this.#now() - (this.#passedAt ?? this.#now());
  }

  /**
   * The log grew and it is not woken: `onDue` is called this many milliseconds later, or sooner where it was to be
   * called anyway.
   */
  pass(delay: number, onDue: (ear: Ear) => void): void {
    this.#passedAt ??= this.#now();
    const at = this.#now() + delay;
    if (this.#due && this.#due.at <= at) return;
    this.#forget();
    this.#due = { at, timer: setTimeout(() => ((this.#due = undefined), onDue(this)), delay) };
  }

  /** Before the reader looks: wake-ups from now on are for events after what it will see. */
  attend(): void {
    this.#told = false;
    this.#passedAt = undefined;
    this.#forget();
  }

  /** The reader has something to do: until it has rested from it, only those who wait for it wake it at once. */
  found(): void {
    this.#foundAt = this.#now();
  }

  /** Resolves once the log has grown since `attend`, or at the next poll. */
  async heard(): Promise<void> {
    if (this.#told) return;
    this.#onSleep();
    await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  readonly wake = (): void => {
    this.#told = true;
    this.#forget();
    this.#wake?.();
    this.#wake = undefined;
  };

  #forget(): void {
    clearTimeout(this.#due?.timer);
    this.#due = undefined;
  }
}
