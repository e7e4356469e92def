/**
 * Reads uploaded files in separate processes: a file that ends its process ends nothing else. V8 ends a whole process
 * for some faults, so worker threads would not suffice.
 *
 * A process is reused only for files of the same business, so nothing of one business can remain in a process of
 * another. The number of processes is bounded, and files of different businesses take turns.
 */
import type { Kind, Kinds } from './kinds/index.js';
import type { ReaderLimits } from './limits.js';
import { startReaderProcess, type ReaderProcess } from './reader-process.js';
import { FileRefused, ReadersBusy } from './refused.js';

/** The bytes of a file, or a function that loads them when a slot is free, so that waiting files occupy no memory. */
export type FileContent = Buffer | (() => Promise<Buffer>);

export interface FileReaders {
  /**
   * Yields the pieces of a file; the next piece is read when the caller asks for it. Throws FileRefused, and ReadersBusy
   * if too many files of the business wait. When the signal aborts, its reason is thrown.
   */
  read<K extends Kind>(
    kind: K,
    content: FileContent,
    options: Kinds[K]['options'],
    by: { readonly business: number; readonly signal?: AbortSignal },
  ): AsyncGenerator<Kinds[K]['piece'], void>;
  /** Number of processes that exist. */
  count(): number;
  /** Ends all processes. */
  close(): Promise<void>;
}

export interface FileReadersOptions extends ReaderLimits {
  /** Maximum number of waiting files of a business. */
  readonly maxWaiting: number;
  /** A file ended its process. */
  readonly onEnded?: (kind: Kind, business: number, error: FileRefused) => void;
}

/** An unused process ends after this time, in milliseconds. */
const IDLE_MS = 10_000;

interface Idle {
  readonly business: number;
  readonly reader: ReaderProcess;
  readonly timer: NodeJS.Timeout;
}

export function createFileReaders(options: FileReadersOptions): FileReaders {
  const { processes: max, maxWaiting, onEnded } = options;
  /** All processes, also those that are about to end. */
  const all = new Set<ReaderProcess>();
  const idle = new Set<Idle>();
  /** Number of processes in use, by business. */
  const used = new Map<number, number>();
  /** Waiting calls by business; the first business is the next. */
  const waiting = new Map<number, (() => void)[]>();
  const ending = new Map<ReaderProcess, Promise<void>>();
  let isClosed = false;

  /** One business never uses all processes, if there are several. */
  const mayUse = (business: number): boolean => (used.get(business) ?? 0) < Math.max(1, max - 1);

  const usedCount = (): number => [...used.values()].reduce((sum, count) => sum + count, 0);

  function wakeNext(): void {
    if (usedCount() >= max) return;
    for (const [business, calls] of waiting) {
      if (!mayUse(business)) continue;
      waiting.delete(business);
      const call = calls.shift()!;
      // Behind all other businesses.
      if (calls.length > 0) waiting.set(business, calls);
      used.set(business, (used.get(business) ?? 0) + 1);
      return call();
    }
  }

  /** Waits for a free slot. */
  function acquire(business: number): Promise<void> {
    const calls = waiting.get(business) ?? [];
    if (calls.length >= maxWaiting) throw new ReadersBusy();
    waiting.set(business, calls);
    const acquired = new Promise<void>((resolve) => calls.push(resolve));
    wakeNext();
    return acquired;
  }

  function release(business: number): void {
    const count = used.get(business)! - 1;
    if (count === 0) used.delete(business);
    else used.set(business, count);
    wakeNext();
  }

  /** A process of the business, or a new one in place of an idle process of another business. */
  async function readerFor(business: number): Promise<ReaderProcess> {
    const own = [...idle].find((one) => one.business === business && one.reader.isAlive);
    if (own) return takeIdle(own);
    while (all.size >= max) {
      const [other] = idle;
      await (other ? endReader(takeIdle(other)) : Promise.race(ending.values()));
    }
    const reader = startReaderProcess(options);
    all.add(reader);
    return reader;
  }

  function takeIdle(one: Idle): ReaderProcess {
    idle.delete(one);
    clearTimeout(one.timer);
    return one.reader;
  }

  function endReader(reader: ReaderProcess): Promise<void> {
    const ended = reader.end().then(() => {
      all.delete(reader);
      ending.delete(reader);
    });
    ending.set(reader, ended);
    return ended;
  }

  function makeIdle(business: number, reader: ReaderProcess): void {
    const timer = setTimeout(() => {
      idle.delete(one);
      void endReader(reader);
    }, IDLE_MS);
    timer.unref();
    const one: Idle = { business, reader, timer };
    idle.add(one);
  }

  return {
    async *read(kind, content, readOptions, { business, signal }) {
      signal?.throwIfAborted();
      await acquire(business);
      let reader: ReaderProcess | undefined;
      let isDone = false;
      const abort = (): void => void reader?.end();
      signal?.addEventListener('abort', abort);
      try {
        signal?.throwIfAborted();
        const bytes = typeof content === 'function' ? await content() : content;
        if (isClosed) throw new ReadersBusy();
        reader = await readerFor(business);
        signal?.throwIfAborted();
        yield* reader.read(kind, bytes, readOptions);
        isDone = true;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof FileRefused)) throw error;
        // A process that refused the file can read the next one.
        if (reader!.isAlive) isDone = true;
        else onEnded?.(kind, business, error);
        throw error;
      } finally {
        signal?.removeEventListener('abort', abort);
        if (reader && isDone && reader.isAlive && !isClosed) makeIdle(business, reader);
        else if (reader) await endReader(reader);
        release(business);
      }
    },
    count: () => all.size,
    async close() {
      isClosed = true;
      for (const one of idle) takeIdle(one);
      await Promise.all([...all].map(endReader));
    },
  };
}
