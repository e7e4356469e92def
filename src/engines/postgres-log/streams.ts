/** Reads streams and single events of the log. */
import type pg from 'pg';
import { START, type EventName, type Position, type Revision, type StoredEvent } from '../../events/core/log.js';
import { withRetries } from './retry.js';
import { toPosition } from './position.js';
import { COLUMNS, jsonAsText, toEvents, type EventRow } from './read-events.js';

/** Number of events in one page of a query. */
export const PAGE = 1_000;
const PICKED = COLUMNS.replaceAll(/\w+/g, 'e.$&');

/** -1 for an empty stream. */
export async function lastRevision(pool: pg.Pool, stream: string): Promise<Revision> {
  const { rows } = await withRetries(() =>
    pool.query<{ revision: number }>(
      'select revision from log.events where stream = $1 order by revision desc limit 1',
      [stream],
    ),
  );
  return rows[0]?.revision ?? -1;
}

export async function* readStream(pool: pg.Pool, stream: string, from: Revision = 0): AsyncIterable<StoredEvent> {
  for (let next = from; ;) {
    const { rows } = await withRetries(() =>
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

/** The named events, in their order; events that do not exist are absent. */
export async function pick(pool: pg.Pool, events: readonly EventName[]): Promise<readonly StoredEvent[]> {
  if (events.length === 0) return [];
  const { rows } = await withRetries(() =>
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

/** All events of several streams, by stream name. */
export async function readMany(
  pool: pg.Pool,
  streams: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredEvent[]>> {
  const { rows } = await withRetries(() =>
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

/** The position of the last committed event. It may be after the horizon, which can be before a running append. */
export async function head(pool: pg.Pool): Promise<Position> {
  const { rows } = await withRetries(() =>
    pool.query<{ head: string | null }>({ name: 'log-head', text: 'select max(position) as head from log.events' }),
  );
  return rows[0]!.head === null ? START : toPosition(rows[0]!.head);
}
