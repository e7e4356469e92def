/**
 * Wakes who follows a parcel when something of it is recorded: one reader of the log for all of them, and none while
 * nobody follows.
 */
import type { EventLog, Position } from '../../events/core/log.js';
import { TRACKING_PREFIX } from '../../events/trackings/events.js';

const BATCH = 500;

export interface TrackingFeed {
  /**
   * Positions of what is recorded of a tracking from now on, the latest where several came meanwhile; ends with
   * `signal`. Throws what the log throws.
   */
  listen(tracking: string, signal: AbortSignal): Promise<AsyncIterable<Position>>;
}

/** Between the log's reader and one follower: holds the latest position only. */
class Wake {
  #latest: Position | undefined;
  #ended: { readonly error?: unknown } | undefined;
  #resume: () => void = () => undefined;

  at(position: Position): void {
    this.#latest = position;
    this.#resume();
  }

  end(error?: unknown): void {
    this.#ended ??= error === undefined ? {} : { error };
    this.#resume();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Position> {
    for (;;) {
      if (this.#ended?.error !== undefined) throw this.#ended.error;
      if (this.#ended) return;
      if (this.#latest === undefined) await new Promise<void>((resolve) => (this.#resume = resolve));
      const position = this.#latest;
      this.#latest = undefined;
      if (position !== undefined && !this.#ended) yield position;
    }
  }
}

export function createTrackingFeed(log: EventLog): TrackingFeed {
  const followers = new Map<string, Set<Wake>>();
  let reading: { readonly stop: AbortController; readonly started: Promise<void> } | undefined;

  /** The head is asked before anybody is told that they listen: nothing recorded after that is missed. */
  function start(): NonNullable<typeof reading> {
    const stop = new AbortController();
    const started = log.head().then((head) => void read(head, stop.signal));
    return { stop, started };
  }

  async function read(from: Position, signal: AbortSignal): Promise<void> {
    try {
      for await (const { events } of log.subscribe(from, { prefixes: [TRACKING_PREFIX], batch: BATCH, signal })) {
        for (const { stream, position } of events) for (const wake of followers.get(stream) ?? []) wake.at(position);
      }
    } catch (error) {
      if (signal.aborted) return;
      // Whoever follows is told and comes again; the next one starts a new reader.
      reading = undefined;
      for (const wake of [...followers.values()].flatMap((set) => [...set])) wake.end(error);
    }
  }

  return {
    async listen(tracking, signal) {
      const stream = `${TRACKING_PREFIX}${tracking}`;
      const wake = new Wake();
      const set = followers.get(stream) ?? new Set();
      followers.set(stream, set.add(wake));
      const leave = () => {
        wake.end();
        if (!set.delete(wake) || set.size > 0) return;
        if (followers.get(stream) === set) followers.delete(stream);
        if (followers.size > 0) return;
        reading?.stop.abort();
        reading = undefined;
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      const mine = (reading ??= start());
      try {
        await mine.started;
      } catch (error) {
        if (reading === mine) reading = undefined;
        leave();
        throw error;
      }
      return wake;
    },
  };
}
