/**
 * The deadlines of all streams, as their events set and clear them. Increase the version when an event type that is
 * already in logs begins to define timers, or defines different ones.
 */
import type { EventType } from '../../events/core/event-types.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Projection } from '../core/projection.js';
import { NO_ROW } from '../core/table.js';

/** Number of ranges that streams are distributed over. Each range has one runner. */
export const RANGES = 4;

interface StreamTimers {
  readonly stream: string;
  /** Milliseconds since 1970, by name. */
  readonly at: Map<string, number>;
  changed: boolean;
}

/** The streams that have timers, and the event types that define them. */
export interface TimedStreams {
  readonly prefix: string;
  readonly events: readonly EventType[];
}

const isTimed = ({ timers }: EventType): boolean => timers !== undefined;

export const hasTimers = ({ events }: Pick<TimedStreams, 'events'>): boolean => events.some(isTimed);

export function timers(streams: readonly TimedStreams[]): Projection<StreamTimers> {
  const timed = streams.filter(hasTimers);
  const types = new Map(timed.flatMap(({ events }) => events.filter(isTimed).map((type) => [type.type, type])));
  return {
    name: 'timers',
    version: 2,
    prefixes: timed.map(({ prefix }) => prefix),
    tables: `
      create table :schema.timers (
        stream text collate "C",
        name   text collate "C",
        -- Milliseconds since 1970.
        at     bigint not null,
        range  integer not null,
        primary key (stream, name)
      );
      create index on :schema.timers (range, at);`,
    // Most events of orders set no timer; their streams need no row.
    keyOf: ({ stream, type }) => (types.has(type) ? stream : NO_ROW),
    rowPerStream: false,

    fold(row = { stream: '', at: new Map(), changed: false }, event) {
      if (!types.has(event.type)) return row;
      const next = row.stream === '' ? { ...row, stream: event.stream } : row;
      const changes = types.get(event.type)?.timers?.(event.data) ?? [];
      for (const change of [changes].flat()) {
        next.changed = true;
        if ('set' in change) next.at.set(change.set.name, timeOf(change.set.at));
        else next.at.delete(change.clear);
      }
      return next;
    },

    async load(db, schema, given) {
      const keys = given.filter((key) => key !== NO_ROW);
      if (keys.length === 0) return new Map();
      const { rows } = await db.query<{ stream: string; name: string; at: string }>(
        `select stream, name, at from ${schema}.timers where stream = any ($1)`,
        [keys],
      );
      const loaded = new Map<string, StreamTimers>();
      for (const { stream, name, at } of rows) {
        const row = loaded.get(stream) ?? { stream, at: new Map(), changed: false };
        row.at.set(name, Number(at));
        loaded.set(stream, row);
      }
      return loaded;
    },

    async save(db, schema, rows) {
      const changed = [...rows.values()].filter((row) => row.changed);
      if (changed.length === 0) return;
      const left = changed.flatMap(({ stream, at }) =>
        [...at].map(([name, time]) => ({ stream, name, at: time, range: rangeOf(stream) })),
      );
      await Promise.all([
        db.query(`delete from ${schema}.timers where stream = any ($1)`, [changed.map(({ stream }) => stream)]),
        db.query(`insert into ${schema}.timers select * from json_populate_recordset(null::${schema}.timers, $1)`, [
          JSON.stringify(left),
        ]),
      ]);
    },
  };
}

function timeOf(at: string): number {
  const time = Date.parse(at);
  if (Number.isNaN(time)) throw new Error(`${at} is not a valid time.`);
  return time;
}

/** Uses a hash, so that streams with consecutive numbers are distributed evenly. */
const rangeOf = (stream: string): number => parseInt(derivedId(stream).slice(0, 2), 16) % RANGES;

export interface TimerRow {
  readonly stream: string;
  readonly name: string;
  readonly at: string;
  readonly range: number;
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<'timers', { 'timers.timers': TimerRow }> {}
}
