/**
 * Reads the log in the order of positions: from memory if this process wrote the events, otherwise from the database.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { StoredEvent } from '../../events/core/log.js';
import { isWorthRetrying } from '../postgres/failures.js';
import { IDLE_POLL_MS } from '../reading/log-wakeups.js';
import type { Horizon } from './horizon.js';
import { COLUMNS, jsonAsText, toEvents, type EventRow } from './read-events.js';
import { PAGE } from './streams.js';
import type { Tail } from './tail.js';

const RETRY_MS = 50;

/** Events in a range. They are all events that match the prefixes, up to `upTo`. */
interface Found {
  readonly events: readonly StoredEvent[];
  readonly upTo: bigint;
}

/** Events that follow a reader's position. */
export interface Next extends Found {
  /** Whether no more events are committed. */
  readonly caughtUp: boolean;
  /** Whether no more events are known to be committed. */
  readonly atEnd: boolean;
}

/** Request of a reader: at most `limit` events of streams that begin with one of `prefixes`. */
export interface Wanted {
  readonly limit: number;
  readonly prefixes: readonly string[] | undefined;
}

export class Ranges {
  constructor(
    private readonly pool: pg.Pool,
    private readonly horizon: Horizon,
    private readonly tail: Tail,
  ) {}

  /** Reads the events after `last`. Retries while the database is unavailable. Returns undefined after an abort. */
  async next(last: bigint, wanted: Wanted, signal: AbortSignal): Promise<Next | undefined> {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        // Events that this process appended are returned before the database is queried for the end of the log.
        const known = this.horizon.safe;
        const own = known !== undefined && known > last ? this.#recall(last, known, wanted) : undefined;
        if (own) return { ...own, caughtUp: false, atEnd: own.upTo === known };
        const { safe, more } = await this.horizon.advance();
        if (safe <= last) return { events: [], upTo: last, caughtUp: !more, atEnd: !more };
        const found = this.#recall(last, safe, wanted) ?? (await this.#fetch(last, safe, wanted));
        const caughtUp = found.upTo === safe && !more;
        return { ...found, caughtUp, atEnd: caughtUp };
      } catch (error) {
        if (!isWorthRetrying(error)) throw error;
        await sleep(Math.min(RETRY_MS * 2 ** failures, IDLE_POLL_MS * 4), undefined, { signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  /** Events in (from, to] from memory; undefined if memory does not hold all of them. */
  #recall(from: bigint, to: bigint, { limit, prefixes }: Wanted): Found | undefined {
    const upTo = within(from, to, limit);
    const events = this.tail.between(from, upTo, prefixes);
    return events && { events, upTo };
  }

  /**
   * The same from the database. The range is bounded on both sides: without good statistics, the planner sorts the
   * whole range. With an open range, it would sort the rest of a long log for each page.
   */
  async #fetch(from: bigint, to: bigint, { limit, prefixes }: Wanted): Promise<Found> {
    const far = within(from, to, Math.max(limit, PAGE));
    const { rows } = await this.pool.query<EventRow>({
      types: jsonAsText,
      name: prefixes ? 'log-tail-filtered' : 'log-tail',
      text: `select ${COLUMNS} from log.events where position > $1 and position <= $2 ${prefixes ? 'and stream like any ($4)' : ''} order by position limit $3`,
      values: prefixes
        ? [from, far, limit, prefixes.map((prefix) => `${prefix.replace(/[\\%_]/g, '\\$&')}%`)]
        : [from, far, limit],
    });
    return { events: toEvents(rows), upTo: rows.length < limit ? far : BigInt(rows.at(-1)!.position) };
  }
}

const within = (from: bigint, to: bigint, positions: number): bigint =>
  from + BigInt(positions) < to ? from + BigInt(positions) : to;
