/** The read model of kept events: those whose raw code no table contained when they were pushed (rule N17). */
import type { Pool } from 'pg';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';
import { derivedId } from '../../events/otep/identity.js';
import { TRACKING_PREFIX, TrackingEventKept, TrackingEventMapped } from '../../events/trackings/events.js';
import { code, flag, json, uuid, type RowOf } from '../core/columns.js';
import type { Projection } from '../core/projection.js';
import { table } from '../core/table.js';

const columns = {
  /** Derived from the tracking and the producer's event id. */
  id: uuid(),
  tracking: uuid(),
  provider: code(),
  /** Id of the stored event, with which its personal members are encrypted. */
  event: uuid(),
  /** The event as stored: personal members are encrypted. */
  data: json<JsonObject>(),
  mapped: flag(),
};
export type KeptEventRow = RowOf<typeof columns>;

const TYPES: ReadonlySet<string> = new Set([TrackingEventKept.type, TrackingEventMapped.type]);
/** The key of events that change no row; no row has it. */
const NO_ROW = '00000000-0000-0000-0000-000000000000';

/** Reads no data of other types, so that theirs is not parsed. */
const keyOf = (event: StoredEvent): string =>
  TYPES.has(event.type) ? derivedId('kept', event.stream, event.data['event_id'] as string) : NO_ROW;

export const keptEvents: Projection<KeptEventRow> = {
  ...table({
    name: 'kept_events',
    version: 1,
    prefixes: [TRACKING_PREFIX],
    columns,
    indexes: ['(provider, id) where not mapped'],
    rows: { member: 'event_id', made: TrackingEventKept },
    fold: (row) => row!,
  }),
  keyOf,
  background: 1_000,
  fold(row, event): KeptEventRow {
    if (event.type === TrackingEventMapped.type) return { ...row!, mapped: true };
    if (event.type !== TrackingEventKept.type) return row!;
    return {
      id: keyOf(event),
      tracking: event.stream.slice(TRACKING_PREFIX.length),
      provider: event.data['provider'] as string,
      event: event.id,
      data: event.data,
      mapped: false,
    };
  },
};

export type KeptEventQueries = ReturnType<typeof createKeptEventQueries>;

export function createKeptEventQueries(pool: Pool) {
  return {
    /** Providers with events that are still unmapped. */
    async providers(): Promise<readonly string[]> {
      const { rows } = await pool.query<{ provider: string }>(
        'select distinct provider from kept_events.kept_events where not mapped order by provider',
      );
      return rows.map(({ provider }) => provider);
    },
    /** Unmapped events of a provider after a row, in the order of their ids. */
    async unmapped(provider: string, after: string | undefined, limit: number): Promise<readonly KeptEventRow[]> {
      const { rows } = await pool.query<KeptEventRow>(
        'select * from kept_events.kept_events where provider = $1 and not mapped and ($2::uuid is null or id > $2) order by id limit $3',
        [provider, after ?? null, limit],
      );
      return rows;
    },
  };
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<'kept_events', true> {}
}
