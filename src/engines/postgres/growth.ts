/** Tells readers at the end of the log that it grew. They share one promise and one timer, however many they are. */

/** How long they sleep when nobody wakes them: wake-ups are lossy across reconnects. */
export const IDLE_POLL_MS = 250;

export class Growth {
  #next: Promise<void> | undefined;
  #wake: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Resolves when `tell` is called after this, and at the next poll. */
  next(): Promise<void> {
    return (this.#next ??= new Promise((resolve) => {
      this.#wake = resolve;
      this.#timer = setTimeout(() => this.tell(), IDLE_POLL_MS);
    }));
  }

  readonly tell = (): void => {
    clearTimeout(this.#timer);
    this.#next = undefined;
    this.#wake();
  };
}
