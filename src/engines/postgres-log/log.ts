/** The event log in PostgreSQL. */
import type pg from 'pg';
import { boundLog } from '../../events/core/bound-log.js';
import type { Batch, EventLog, EventName, Position, StreamAppend, SubscribeOptions } from '../../events/core/log.js';
import { Appender } from './appender.js';
import { areaOf } from '../reading/area.js';
import { LogWakeups } from '../reading/log-wakeups.js';
import { Horizon } from './horizon.js';
import { fromPosition, isPosition, toPosition } from './position.js';
import { Ranges } from './ranges.js';
import { head, pick, readMany, readStream } from './streams.js';
import { Tail } from './tail.js';
import { createWakeUp, type WakeUp } from './wake-up.js';

/**
 * Creates the log on a pool whose database is migrated. `close` ends its listening connection, not the pool. Appends
 * are group-committed. Readers in the same process are notified immediately, readers in other processes by NOTIFY.
 */
export const createPostgresLog = (pool: pg.Pool): EventLog => boundLog(new PostgresLog(pool));

class PostgresLog implements EventLog {
  readonly #pool: pg.Pool;
  readonly #tail = new Tail();
  readonly #ranges: Ranges;
  readonly #appender: Appender;
  readonly #wakeUps: LogWakeups;
  readonly #wakeUp: WakeUp;
  readonly isPosition = isPosition;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    const horizon = new Horizon(pool);
    this.#ranges = new Ranges(pool, horizon, this.#tail);
    this.#appender = new Appender({
      pool,
      onCommitted: (run) => {
        this.#tail.add(run);
        horizon.observe(run.first, run.first + BigInt(run.length - 1));
      },
      onGrown: (streams) => this.#announce(new Set(streams.map(areaOf))),
    });
    this.#wakeUps = new LogWakeups(() => this.#appender.isPressed());
    this.#wakeUp = createWakeUp(pool, 'log_grown', (areas) => this.#wakeUps.notify(areas));
  }

  append(appends: readonly StreamAppend[]) {
    return this.#appender.append(appends);
  }

  read(stream: string, from?: number) {
    return readStream(this.#pool, stream, from);
  }

  pick(events: readonly EventName[]) {
    return pick(this.#pool, events);
  }

  readMany(streams: readonly string[]) {
    return readMany(this.#pool, streams);
  }

  head() {
    return head(this.#pool);
  }

  wakeAwaited(): void {
    this.#wakeUps.wakeAwaited();
  }

  close() {
    return this.#wakeUp.close();
  }

  async *subscribe(from: Position, options: SubscribeOptions): AsyncIterable<Batch> {
    const { prefixes, batch, signal } = options;
    const reader = this.#tail.join(BigInt(fromPosition(from)), options);
    const listener = this.#wakeUps.listen(options);
    signal.addEventListener('abort', listener.wake);
    try {
      let reported: bigint | undefined;
      while (!signal.aborted) {
        listener.reset();
        const next = await this.#ranges.next(reader.at, { limit: batch, prefixes }, signal);
        if (signal.aborted || !next) return;
        if (next.upTo > reader.at || reported !== reader.at) {
          reader.at = next.upTo;
          reported = next.caughtUp ? reader.at : undefined;
          if (next.events.length > 0) listener.markFound();
          yield { events: next.events, position: toPosition(reader.at), caughtUp: next.caughtUp };
        }
        // During a burst there are always new events: a reader that has read all known events then waits and lets other
        // readers run.
        if (!next.caughtUp && !(next.atEnd && this.#appender.isPressed() && !listener.isAwaited())) continue;
        this.#tail.letGo();
        await listener.waitForEvents();
      }
    } finally {
      signal.removeEventListener('abort', listener.wake);
      this.#wakeUps.leave(listener);
      this.#tail.leave(reader);
    }
  }

  /** Notifies the readers of this process and of other processes. */
  #announce(areas: ReadonlySet<string>): void {
    this.#wakeUps.notify(areas);
    this.#wakeUp.announce(areas);
  }
}
