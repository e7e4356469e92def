/**
 * Wakes readers at the end of the log when new events are appended:
 * - A reader whose areas have new events wakes immediately, but not sooner than `LATER_MS` after its last find.
 * - Other readers, and background ones, wake later. One event therefore does not wake every reader, and a batch costs as
 *   much for one event as for many.
 * - A reader that a request waits for wakes immediately for events of its areas.
 * - While appends are queued, writes have priority. Readers that no request waits for then sleep for at most two
 *   seconds.
 */
import type { SubscribeOptions } from '../../events/core/log.js';
import { isArea } from './area.js';

/** Maximum sleep of a reader without a wake-up: wake-ups are lost during reconnects. */
export const IDLE_POLL_MS = 250;
/** Delay of later wake-ups, and minimum time between two finds of a reader. */
const LATER_MS = 50;
/**
 * Maximum delay while appends are queued. Catching up on the events of that time takes less than the two seconds that a
 * write waits (G6).
 */
const LATEST_MS = 2_000;

/** Areas with new events; undefined if unknown. */
export type Areas = ReadonlySet<string> | undefined;

export class LogWakeups {
  readonly #now: () => number;
  readonly #isPressed: () => boolean;
  readonly #listeners = new Set<Listener>();
  #poll: NodeJS.Timeout | undefined;

  /** `isPressed`: whether appends are queued. `now`: milliseconds of a monotonic clock. */
  constructor(isPressed: () => boolean, now = (): number => performance.now()) {
    this.#isPressed = isPressed;
    this.#now = now;
  }

  /** Adds a reader, with its options for the log. */
  listen(reader: Listening): Listener {
    const listener = new Listener(
      reader,
      this.#now,
      () => (this.#poll ??= setTimeout(() => this.#wakeAll(), IDLE_POLL_MS)),
    );
    this.#listeners.add(listener);
    return listener;
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener);
    listener.wake();
  }

  notify(areas: Areas): void {
    const isPressed = this.#isPressed();
    for (const listener of this.#listeners) {
      const delay = areas ? listener.delayFor(areas, isPressed) : 0;
      if (delay <= 0) listener.wake();
      else listener.delayWakeUp(delay, this.#wakePassed);
    }
  }

  /**
   * A request now waits: wakes readers that it waits for and that were not woken for earlier events. The others keep
   * their delay.
   */
  wakeAwaited(): void {
    for (const listener of this.#listeners) if (listener.passed && listener.isAwaited()) listener.wake();
  }

  readonly #wakePassed = (listener: Listener): void => {
    if (!this.#isPressed() || listener.isAwaited() || listener.passedFor >= LATEST_MS) listener.wake();
    else listener.delayWakeUp(LATER_MS, this.#wakePassed);
  };

  #wakeAll(): void {
    this.#poll = undefined;
    // Readers with a delayed wake-up already know of the new events.
    for (const listener of this.#listeners) if (!listener.passed) listener.wake();
  }
}

/** Options of a reader. */
export type Listening = Pick<SubscribeOptions, 'prefixes' | 'background' | 'isAwaited'>;

export class Listener {
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

  /** Milliseconds until the reader must wake for new events in these areas; 0 or less: immediately. */
  delayFor(areas: ReadonlySet<string>, isPressed: boolean): number {
    const { prefixes, background } = this.#reader;
    if (prefixes && !prefixes.some((prefix) => !isArea(prefix) || areas.has(prefix))) return LATER_MS;
    if (this.isAwaited()) return 0;
    return background || isPressed ? LATER_MS : this.#foundAt + LATER_MS - this.#now();
  }

  isAwaited(): boolean {
    return this.#reader.isAwaited?.() ?? false;
  }

  get passed(): boolean {
    return this.#passedAt !== undefined;
  }

  /** Milliseconds since the first new event for which the reader was not woken. */
  get passedFor(): number {
    return this.#now() - (this.#passedAt ?? this.#now());
  }

  /**
   * Delays the wake-up for new events: calls `onDue` after this many milliseconds, or earlier if a call is already
   * scheduled earlier.
   */
  delayWakeUp(delay: number, onDue: (listener: Listener) => void): void {
    this.#passedAt ??= this.#now();
    const at = this.#now() + delay;
    if (this.#due && this.#due.at <= at) return;
    this.#forget();
    this.#due = { at, timer: setTimeout(() => ((this.#due = undefined), onDue(this)), delay) };
  }

  /** Called before the reader reads: later wake-ups are for events after the events that it will see. */
  reset(): void {
    this.#told = false;
    this.#passedAt = undefined;
    this.#forget();
  }

  /**
   * Called when the reader has found events. For `LATER_MS` after that, only a waiting request wakes it immediately.
   */
  markFound(): void {
    this.#foundAt = this.#now();
  }

  /** Resolves when there are new events since `reset`, or at the next poll. */
  async waitForEvents(): Promise<void> {
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
