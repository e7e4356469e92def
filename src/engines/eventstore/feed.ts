/**
 * A subscription as an ordered sequence of signals. The consumer pulls them, so a slow consumer slows the server down.
 */
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientReadableStream } from '@grpc/grpc-js';
import type { EventRecord } from './codec.js';
import { named } from './messages.js';
import type { LogPosition } from './position.js';

export type Signal =
  | { readonly kind: 'event'; readonly record: EventRecord }
  | { readonly kind: 'checkpoint'; readonly position: LogPosition }
  | { readonly kind: 'caught-up' }
  | { readonly kind: 'fell-behind' };

type Source = Pick<ClientReadableStream<ReadResp>, 'on' | 'pause' | 'resume' | 'cancel' | 'destroy'>;

export class Feed {
  readonly #buffer: number;
  #source: Source | undefined;
  #queue: ReadResp[] = [];
  /** Number of queue items that were taken. */
  #taken = 0;
  #paused = false;
  #closed = false;
  #wake = (): void => undefined;
  #end: { readonly error: Error } | undefined;

  /** `buffer`: number of messages to read ahead. */
  constructor(opening: Promise<Source>, buffer: number) {
    this.#buffer = buffer;
    opening.then(
      (source) => this.#attach(source),
      (error: Error) => this.#finish(error),
    );
  }

  #attach(source: Source): void {
    this.#source = source;
    source.on('error', (error: Error) => this.#finish(named(error)));
    source.on('end', () => this.#finish(new Error('The server ended the subscription.')));
    if (this.#closed) return this.close();
    source.on('data', (message: ReadResp) => {
      this.#queue.push(message);
      this.#paused = this.#length >= this.#buffer;
      if (this.#paused) source.pause();
      this.#wake();
    });
  }

  /** The next signal, or undefined when none has arrived yet. */
  take(): Signal | undefined {
    while (this.#length > 0) {
      const message = this.#queue[this.#taken]!;
      this.#taken += 1;
      if (this.#taken === this.#queue.length) {
        this.#queue = [];
        this.#taken = 0;
      }
      if (this.#paused && this.#length * 2 <= this.#buffer) {
        this.#paused = false;
        this.#source?.resume();
      }
      const signal = signalOf(message);
      if (signal) return signal;
    }
    return undefined;
  }

  /** The reason why no signal follows the queued ones; undefined while the subscription runs. */
  get error(): Error | undefined {
    return this.#end?.error;
  }

  /**
   * Waits at most `timeout` milliseconds for a signal or the end of the subscription. Resolves early on `abort`.
   * Returns whether there is a signal or the end.
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
    this.#closed = true;
    this.#source?.cancel();
    // Unread messages would keep the stream open forever, and all code that awaits its end would wait.
    this.#source?.destroy();
  }

  get #length(): number {
    return this.#queue.length - this.#taken;
  }

  get #ready(): boolean {
    return this.#end !== undefined || this.#length > 0;
  }

  #finish(error: Error): void {
    this.#end ??= { error };
    this.#wake();
  }
}

/** Undefined: readers can ignore the message. */
function signalOf(message: ReadResp): Signal | undefined {
  const record = message.getEvent()?.getEvent();
  if (record) return { kind: 'event', record };
  const checkpoint = message.getCheckpoint();
  if (checkpoint)
    return {
      kind: 'checkpoint',
      position: { commit: BigInt(checkpoint.getCommitPosition()), prepare: BigInt(checkpoint.getPreparePosition()) },
    };
  if (message.hasCaughtUp()) return { kind: 'caught-up' };
  if (message.hasFellBehind()) return { kind: 'fell-behind' };
  return undefined;
}
