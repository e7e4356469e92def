/** The event log in PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  START,
  type AppendOutcome,
  type Batch,
  type EventLog,
  type EventName,
  type Position,
  type Revision,
  type StoredEvent,
  type SubscribeOptions,
} from '../../events/core/log.js';
import { toArguments } from './append-arguments.js';
import { AppendedRun } from './appended-run.js';
import { areaOf } from '../reading/area.js';
import { createGroupCommit } from './group-commit.js';
import { Growth, IDLE_POLL_MS } from '../reading/growth.js';
import { Horizon } from './horizon.js';
import { isWorthRetrying } from '../postgres/failures.js';
import { patiently } from './patience.js';
import { fromPosition, isPosition, toPosition } from './position.js';
import { COLUMNS, jsonAsText, toEvents, type EventRow } from './read-events.js';
import { Tail } from './tail.js';
import { createWakeUp } from './wake-up.js';
import { writeDown, type WrittenAppend } from './written-append.js';

const UNIQUE_VIOLATION = '23505';
const PAGE = 1_000;
const RETRY_MS = 50;
const PICKED = COLUMNS.replaceAll(/\w+/g, 'e.$&');

interface WrittenRow {
  readonly revision: number | null;
  readonly first_position: string | null;
  readonly last_position: string | null;
  readonly repeated: boolean;
}

/**
 * The log over a pool whose database is migrated. `close` ends its listening connection, not the pool.
 * Appends are group-committed; readers learn of them at once inside the process and by notification between processes.
 */
export function createPostgresLog(pool: pg.Pool): EventLog {
  const horizon = new Horizon(pool);
  const tail = new Tail();
  const { commit, isPressed } = createGroupCommit({ write: writeGroup });
  const growth = new Growth(isPressed);
  const wakeUp = createWakeUp(pool, 'log_grown', (areas) => growth.tell(areas));

  async function writeGroup(appends: readonly WrittenAppend[]): Promise<readonly AppendOutcome[]> {
    try {
      const outcomes = await write(appends);
      tell(appends);
      return outcomes;
    } catch (error) {
      if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
      // Somebody won a race inside the insert: each stream for itself, so that one loser does not stop the others.
      const outcomes: AppendOutcome[] = [];
      for (const append of appends) outcomes.push(await writeAlone(append));
      tell(appends);
      return outcomes;
    }
  }

  function tell(appends: readonly WrittenAppend[]): void {
    const areas = new Set(appends.map(({ stream }) => areaOf(stream)));
    growth.tell(areas);
    wakeUp.announce(areas);
  }

  async function writeAlone(append: WrittenAppend): Promise<AppendOutcome> {
    for (let attempt = 0; ; attempt++) {
      try {
        return (await write([append]))[0]!;
      } catch (error) {
        if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
        // The second look sees the winner; if it does not, an id of ours stands in another stream.
        if (attempt > 0) return { outcome: 'conflict', actual: await lastRevision(append.stream) };
      }
    }
  }

  /** A retry after a lost answer finds the same ids in their place, so trying again is safe. */
  async function write(appends: readonly WrittenAppend[]): Promise<readonly AppendOutcome[]> {
    const { rows } = await patiently(() =>
      pool.query<WrittenRow>({
        name: 'log-append-events',
        text: 'select revision, first_position, last_position, repeated from log.append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
        values: toArguments(appends),
      }),
    );
    remember(appends, rows);
    return rows.map(({ revision, last_position, repeated }): AppendOutcome =>
      last_position === null
        ? { outcome: 'conflict', actual: revision ?? -1 }
        : {
            outcome: 'appended',
            revision: revision!,
            position: toPosition(last_position),
            ...(repeated && { repeated }),
          },
    );
  }

  /**
   * Keeps what was just committed for the readers of this process, as long as the database gave it neighbouring
   * positions.
   */
  function remember(appends: readonly WrittenAppend[], rows: readonly WrittenRow[]): void {
    appends.forEach((append, index) => {
      const { first_position, last_position, repeated } = rows[index]!;
      // What another attempt wrote has that one's metadata: only the database knows it.
      if (first_position === null || last_position === null || repeated) return;
      const [first, last] = [BigInt(first_position), BigInt(last_position)];
      if (last - first !== BigInt(append.length - 1)) return;
      tail.add(new AppendedRun(append, first));
      horizon.observe(first, last);
    });
  }

  async function lastRevision(stream: string): Promise<number> {
    const { rows } = await patiently(() =>
      pool.query<{ revision: number }>(
        'select revision from log.events where stream = $1 order by revision desc limit 1',
        [stream],
      ),
    );
    return rows[0]?.revision ?? -1;
  }

  async function* read(stream: string, from: Revision = 0): AsyncIterable<StoredEvent> {
    for (let next = from; ;) {
      const { rows } = await patiently(() =>
        pool.query<EventRow>({
          types: jsonAsText,
          name: 'log-read',
          text: `select ${COLUMNS} from log.events where stream = $1 and revision >= $2 order by revision limit ${PAGE}`,
          values: [stream, next],
        }),
      );
      yield* toEvents(rows);
      if (rows.length < PAGE) return;
      next = rows.at(-1)!.revision + 1;
    }
  }

  async function pick(events: readonly EventName[]): Promise<readonly StoredEvent[]> {
    if (events.length === 0) return [];
    const { rows } = await patiently(() =>
      pool.query<EventRow>({
        types: jsonAsText,
        name: 'log-pick',
        text: `select ${PICKED} from unnest($1::text[], $2::int[]) with ordinality as n (stream, revision, ordinal)
               join log.events e on e.stream = n.stream collate "C" and e.revision = n.revision order by n.ordinal`,
        values: [events.map(({ stream }) => stream), events.map(({ revision }) => revision)],
      }),
    );
    return toEvents(rows);
  }

  async function readMany(streams: readonly string[]): Promise<ReadonlyMap<string, readonly StoredEvent[]>> {
    const { rows } = await patiently(() =>
      pool.query<EventRow>({
        types: jsonAsText,
        name: 'log-read-many',
        text: `select ${COLUMNS} from log.events where stream = any ($1) order by stream, revision`,
        values: [streams],
      }),
    );
    const found = new Map<string, StoredEvent[]>();
    for (const event of toEvents(rows)) {
      const events = found.get(event.stream);
      if (events) events.push(event);
      else found.set(event.stream, [event]);
    }
    return found;
  }

  async function* subscribe(from: Position, options: SubscribeOptions): AsyncIterable<Batch> {
    const { prefixes, batch, signal } = options;
    const reader = tail.join(BigInt(fromPosition(from)), options);
    const ear = growth.listen(options);
    signal.addEventListener('abort', ear.wake);
    try {
      let told: bigint | undefined;
      while (!signal.aborted) {
        ear.attend();
        const next = await readOn(reader.at, batch, prefixes, signal);
        if (signal.aborted || !next) return;
        if (next.upTo > reader.at || told !== reader.at) {
          reader.at = next.upTo;
          told = next.caughtUp ? reader.at : undefined;
          if (next.events.length > 0) ear.found();
          yield { events: next.events, position: toPosition(reader.at), caughtUp: next.caughtUp };
        }
        // While appends stand in line something new is always there: who has had what there was lets the next ones
        // pass.
        if (!next.caughtUp && !(next.atEnd && isPressed() && !ear.isAwaited())) continue;
        tail.letGo();
        await ear.heard();
      }
    } finally {
      signal.removeEventListener('abort', ear.wake);
      growth.leave(ear);
      tail.leave(reader);
    }
  }

  /** What lies behind `last` now; while the database is away it is asked again and again. Undefined after an abort. */
  async function readOn(last: bigint, batch: number, prefixes: readonly string[] | undefined, signal: AbortSignal) {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        // What this process appended itself goes out before anybody is asked how far the log goes by now.
        const known = horizon.safe;
        const own = known !== undefined && known > last ? recall(last, known, batch, prefixes) : undefined;
        if (own) return { ...own, caughtUp: false, atEnd: own.upTo === known };
        const { safe, more } = await horizon.advance();
        if (safe <= last) return { events: [], upTo: last, caughtUp: !more, atEnd: !more };
        const { events, upTo } = await between(last, safe, batch, prefixes);
        const caughtUp = upTo === safe && !more;
        return { events, upTo, caughtUp, atEnd: caughtUp };
      } catch (error) {
        if (!isWorthRetrying(error)) throw error;
        await sleep(Math.min(RETRY_MS * 2 ** failures, IDLE_POLL_MS * 4), undefined, { signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  /** At most `limit` events in (from, to], and up to where these are all that the prefixes let through. */
  async function between(
    from: bigint,
    to: bigint,
    limit: number,
    prefixes: readonly string[] | undefined,
  ): Promise<{ events: readonly StoredEvent[]; upTo: bigint }> {
    const remembered = recall(from, to, limit, prefixes);
    if (remembered) return remembered;
    // Bounded on both sides: without good statistics the planner sorts the whole range, and what is left of a long log
    // would be sorted again for each page.
    const far = within(from, to, Math.max(limit, PAGE));
    const { rows } = await pool.query<EventRow>({
      types: jsonAsText,
      name: prefixes ? 'log-tail-filtered' : 'log-tail',
      text: `select ${COLUMNS} from log.events where position > $1 and position <= $2 ${prefixes ? 'and stream like any ($4)' : ''} order by position limit $3`,
      values: prefixes
        ? [from, far, limit, prefixes.map((prefix) => `${prefix.replace(/[\\%_]/g, '\\$&')}%`)]
        : [from, far, limit],
    });
    return { events: toEvents(rows), upTo: rows.length < limit ? far : BigInt(rows.at(-1)!.position) };
  }

  /** The same from memory; undefined where it is not all there. */
  function recall(
    from: bigint,
    to: bigint,
    limit: number,
    prefixes: readonly string[] | undefined,
  ): { events: readonly StoredEvent[]; upTo: bigint } | undefined {
    const upTo = within(from, to, limit);
    const events = tail.between(from, upTo, prefixes);
    return events && { events, upTo };
  }

  return {
    // A copy of a log relies on the order of what it appends in one call.
    append: (appends) =>
      Promise.all(appends.map((append) => commit(writeDown(append), { inOrder: appends.length > 1 }))),
    read,
    pick,
    readMany,
    subscribe,
    hurry: () => growth.hurry(),
    // Not the horizon: that may stand before an append under way, and an event that was acknowledged behind it.
    head: async () => {
      const { rows } = await patiently(() =>
        pool.query<{ head: string | null }>({ name: 'log-head', text: 'select max(position) as head from log.events' }),
      );
      return rows[0]!.head === null ? START : toPosition(rows[0]!.head);
    },
    isPosition,
    close: () => wakeUp.close(),
  };
}

const within = (from: bigint, to: bigint, positions: number): bigint =>
  from + BigInt(positions) < to ? from + BigInt(positions) : to;
