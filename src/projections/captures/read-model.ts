/**
 * The read model of captures: one row per capture, as a job that clients poll. Also lists the captured events without a
 * parcel.
 */
import {
  CAPTURE_PREFIX,
  EpcisCaptured,
  EpcisCaptureFinished,
  type Behaviour,
  type CaptureEnd,
} from '../../events/captures/events.js';
import type { JsonObject, Position } from '../../events/core/log.js';
import { insertRows } from '../../sql/rows.js';
import type { Projection } from '../core/projection.js';

export interface CaptureRow {
  readonly id: string;
  provider: string;
  behaviour: Behaviour;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  finished_at: string | null;
  /** The document is stored. False while some of its parts are missing, and if it contained nothing new. */
  taken: boolean;
  /** Counts and errors of the end. The errors are encrypted. */
  outcome: (JsonObject & { readonly id: string }) | null;
  /** Id of the event that stored the capture. Events that follow from it have this causation id. */
  event: string | null;
  /** Names from the current batch only, not those in the tables, with the position of the capture's event. */
  readonly unattached: { readonly id: string; readonly position: Position }[];
  /** Trackings that the events of the current batch were written to. */
  readonly trackings: string[];
}

export const captures: Projection<CaptureRow> = {
  name: 'captures',
  version: 2,
  prefixes: [CAPTURE_PREFIX],
  tables: `
    create table :schema.captures (
      id          uuid primary key,
      provider    text not null,
      behaviour   text not null,
      created_at  text not null,
      finished_at text,
      taken       boolean not null,
      outcome     json,
      event       uuid
    );
    create index on :schema.captures (event);
    create table :schema.trackings (
      tracking uuid not null,
      capture  uuid not null,
      primary key (tracking, capture)
    );
    create index on :schema.captures (created_at) where taken and finished_at is null;
    create table :schema.unattached (
      id      uuid primary key,
      capture uuid not null
    );`,
  keyOf: (event) => event.stream.slice(CAPTURE_PREFIX.length),
  rowPerStream: true,

  fold(row, event) {
    const recorded_at = event.metadata['recorded_at'] as string;
    const next: CaptureRow = row ?? {
      id: event.stream.slice(CAPTURE_PREFIX.length),
      provider: '',
      behaviour: 'rollback',
      created_at: recorded_at,
      finished_at: null,
      taken: false,
      outcome: null,
      event: null,
      unattached: [],
      trackings: [],
    };
    const data = event.data as unknown as CaptureEnd & { unattached: string[]; trackings: string[] };
    if (event.type === EpcisCaptured.type) {
      next.unattached.push(...data.unattached.map((id) => ({ id, position: event.position })));
      next.trackings.push(...data.trackings);
      return Object.assign(next, { provider: data.provider, behaviour: data.behaviour, taken: true, event: event.id });
    }
    if (event.type !== EpcisCaptureFinished.type) return next;
    const { provider, behaviour, ...outcome } = data;
    return Object.assign(next, {
      provider,
      behaviour,
      finished_at: recorded_at,
      outcome: { id: event.id, ...outcome },
    });
  },

  async load(db, schema, keys) {
    const { rows } = await db.query<CaptureRow>(`select * from ${schema}.captures where id = any ($1)`, [keys]);
    return new Map(rows.map((row) => [row.id, { ...row, unattached: [], trackings: [] }]));
  },

  async save(db, schema, changed) {
    const rows = [...changed.values()];
    // The first capture of an event keeps it. Sorting by position makes this independent of the batch size and of the
    // order in which captures began.
    const unattached = rows
      .flatMap((row) => row.unattached.map(({ id, position }) => ({ id, position, capture: row.id })))
      .sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0));
    await Promise.all([
      db.query(
        `insert into ${schema}.captures select * from json_populate_recordset(null::${schema}.captures, $1)
         on conflict (id) do update set provider = excluded.provider, behaviour = excluded.behaviour, finished_at = excluded.finished_at, taken = excluded.taken, outcome = excluded.outcome, event = excluded.event`,
        [JSON.stringify(rows)],
      ),
      insertRows(
        db,
        `${schema}.trackings`,
        { tracking: 'uuid', capture: 'uuid' },
        rows.flatMap((row) => row.trackings.map((tracking) => ({ tracking, capture: row.id }))),
        'on conflict do nothing',
      ),
      insertRows(
        db,
        `${schema}.unattached`,
        { id: 'uuid', capture: 'uuid' },
        unattached,
        'on conflict (id) do nothing',
      ),
    ]);
  },
};

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'captures',
    {
      'captures.captures': Omit<CaptureRow, 'unattached' | 'trackings'>;
      'captures.unattached': { id: string; capture: string };
    }
  > {}
}
