/**
 * One subscription of the client library as an ordered sequence of signals that is pulled, so that a slow consumer
 * slows the server down.
 */
import type { EventRecord } from './codec.js';
import type { LogPosition } from './position.js';

export type Signal =
  | { readonly kind: 'event'; readonly record: EventRecord }
  | { readonly kind: 'checkpoint'; readonly position: LogPosition }
  | { readonly kind: 'caught-up' }
  | { readonly kind: 'fell-behind' };

/**
 * The part of the library's subscription that is used: a readable stream of resolved events that emits its other
 * messages as events of its own.
 */
export interface SubscriptionStream {
  readonly readableLength: number;
  on(event: string, listener: (error: Error) => void): unknown;
  read(): unknown;
  unsubscribe(): Promise<void>;
  destroy(): unknown;
}

export class Feed {
  readonly #marks: { readonly after: number; signal: Signal }[] = [];
  #source: SubscriptionStream | undefined;
  #taken = 0;
  #wake = (): void => undefined;
  #end: { readonly error: Error } | undefined;

  attach(source: SubscriptionStream): void {
    this.#source = source;
    source.on('readable', () => this.#wake());
    source.on('caughtUp', () => this.mark({ kind: 'caught-up' }));
    source.on('fellBehind', () => this.mark({ kind: 'fell-behind' }));
    source.on('error', (error) => this.#finish(error));
    source.on('end', () => this.#finish(new Error('The server ended the subscription.')));
  }

  /**
   * Puts a message that is no event in its place: the library emits it at once, while events that came before it still
   * wait in the stream's buffer. Checkpoints without an event between them replace each other, so that the marks of a
   * slow consumer do not pile up.
   */
  mark(signal: Signal): void {
    const after = this.#taken + (this.#source?.readableLength ?? 0);
    const last = this.#marks.at(-1);
    if (last?.after === after && last.signal.kind === 'checkpoint' && signal.kind === 'checkpoint')
      last.signal = signal;
    else this.#marks.push({ after, signal });
    this.#wake();
  }

  /** The next signal, or undefined when none has arrived yet. */
  take(): Signal | undefined {
    const mark = this.#marks[0];
    if (mark && mark.after <= this.#taken) {
      this.#marks.shift();
      return mark.signal;
    }
    const resolved = this.#source?.read() as { readonly event?: EventRecord } | null | undefined;
    if (!resolved) return undefined;
    this.#taken += 1;
    return resolved.event ? { kind: 'event', record: resolved.event } : this.take();
  }

  /** Why no signal will follow those that can be taken. */
  get error(): Error | undefined {
    return this.#end?.error;
  }

  /**
   * Waits at most `timeout` milliseconds for something to take, or the end. Resolves early on `abort`. Whether it came.
   */
  async wait(timeout: number, abort: AbortSignal): Promise<boolean> {
    if (!this.#ready && !abort.aborted) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          abort.removeEventListener('abort', done);
          this.#wake = () => undefined;
          resolve();
        };
        const timer = setTimeout(done, timeout);
        abort.addEventListener('abort', done);
        this.#wake = done;
      });
    }
    return this.#ready;
  }

  close(): void {
    // A subscription that never connected has nothing to cancel.
    this.#source?.unsubscribe().catch(() => undefined);
    // Events that nobody takes any more would keep it.
    this.#source?.destroy();
  }

  get #ready(): boolean {
    return (
      this.#end !== undefined ||
      (this.#source?.readableLength ?? 0) > 0 ||
      (this.#marks[0]?.after ?? Infinity) <= this.#taken
    );
  }

  #finish(error: Error): void {
    this.#end ??= { error };
    this.#wake();
  }
}
