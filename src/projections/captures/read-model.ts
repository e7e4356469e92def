/**
 * The read model of captures: one row per capture, as a job that clients poll. Also contains the places of the separately
 * stored events in the log, and the names by which captured events are recognized.
 */
import type { ClientBase } from 'pg';
import {
  CAPTURE_PREFIX,
  capturedEventId,
  EpcisCaptured,
  EpcisCaptureFinished,
  EpcisEventCaptured,
  eventKeyOf,
  FIRST_VERSION_WITH_NAMES,
  type CapturedEventData,
  type Behaviour,
  type CaptureEnd,
} from '../../events/captures/events.js';
import type { JsonObject, Position, StoredEvent } from '../../events/core/log.js';
import { arrayOf, insertRows } from '../../sql/rows.js';
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
  /** The event that stored the capture is of an earlier version, which recorded no names of assigned ids. */
  unnamed: boolean;
  /** Rows of the current batch only, because existing rows are not needed. */
  readonly added: AddedRows;
}

interface AddedRows {
  /** With the position of the capture's event. */
  readonly names: { readonly id: string; readonly position: Position }[];
  /** Trackings that the events were written to. */
  readonly trackings: string[];
  readonly events: Pick<CapturedEventsRow, 'names' | 'revisions'>;
  readonly mentions: MentionRow[];
}

/**
 * The separately stored events of a capture, in the order of the log. One row for all: a row for each event took a tenth
 * of the time of the database.
 */
export interface CapturedEventsRow {
  /** Id of the event that stored the capture. */
  readonly cause: string;
  /** `capturedEventName` or `declarationName`. */
  readonly names: string[];
  /** For each name the revision of the stored event in the stream of the capture. */
  readonly revisions: number[];
}

/** The key of an event of several trackings. */
interface MentionRow {
  readonly tracking: string;
  readonly key: string;
  readonly capture: string;
}

const nothingAdded = (): AddedRows => ({
  names: [],
  trackings: [],
  events: { names: [], revisions: [] },
  mentions: [],
});

export const captures: Projection<CaptureRow> = {
  name: 'captures',
  version: 5,
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
      event       uuid,
      unnamed     boolean not null
    );
    create index on :schema.captures (event);
    create table :schema.trackings (
      tracking uuid not null,
      capture  uuid not null,
      primary key (tracking, capture)
    );
    create index on :schema.trackings (capture);
    create index on :schema.captures (created_at) where taken and finished_at is null;
    create index on :schema.captures (provider) where unnamed;
    create table :schema.names (
      id      uuid primary key,
      capture uuid not null
    );
    create table :schema.events (
      cause     uuid primary key,
      names     uuid[] not null,
      revisions integer[] not null
    );
    create table :schema.mentions (
      tracking uuid not null,
      key      text not null,
      capture  uuid not null,
      primary key (tracking, key)
    );
    create index on :schema.mentions (capture);`,
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
      unnamed: false,
      added: nothingAdded(),
    };
    const data = event.data as unknown as CaptureEnd & { unattached: string[]; names: string[]; trackings: string[] };
    if (event.type === EpcisEventCaptured.type) addEvent(next, event);
    if (event.type === EpcisCaptured.type) {
      next.added.names.push(...[...data.unattached, ...data.names].map((id) => ({ id, position: event.position })));
      next.added.trackings.push(...data.trackings);
      return Object.assign(next, {
        provider: data.provider,
        behaviour: data.behaviour,
        taken: true,
        event: event.id,
        unnamed: event.version < FIRST_VERSION_WITH_NAMES,
      });
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
    return new Map(rows.map((row) => [row.id, { ...row, added: nothingAdded() }]));
  },

  async save(db, schema, changed) {
    const rows = [...changed.values()];
    // The first capture of a name keeps it. Sorting by position makes this independent of the batch size and of the
    // order in which captures began.
    const names = rows
      .flatMap((row) => row.added.names.map(({ id, position }) => ({ id, position, capture: row.id })))
      .sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0));
    await Promise.all([
      db.query(
        `insert into ${schema}.captures select * from json_populate_recordset(null::${schema}.captures, $1)
         on conflict (id) do update set provider = excluded.provider, behaviour = excluded.behaviour, finished_at = excluded.finished_at, taken = excluded.taken, outcome = excluded.outcome, event = excluded.event, unnamed = excluded.unnamed`,
        [JSON.stringify(rows.map(({ added: _added, ...row }) => row))],
      ),
      insertRows(
        db,
        `${schema}.trackings`,
        { tracking: 'uuid', capture: 'uuid' },
        rows.flatMap((row) => row.added.trackings.map((tracking) => ({ tracking, capture: row.id }))),
        'on conflict do nothing',
      ),
      insertRows(db, `${schema}.names`, { id: 'uuid', capture: 'uuid' }, names, 'on conflict (id) do nothing'),
      saveEvents(db, schema, rows),
      insertRows(
        db,
        `${schema}.mentions`,
        { tracking: 'uuid', key: 'text', capture: 'uuid' },
        rows.flatMap((row) => row.added.mentions),
        'on conflict do nothing',
      ),
    ]);
  },
};

function addEvent({ id, added }: CaptureRow, event: StoredEvent): void {
  const { events, trackings } = event.data as unknown as CapturedEventData;
  for (const { name } of events) {
    added.events.names.push(name);
    added.events.revisions.push(event.revision);
  }
  if (trackings.length === 1) return;
  for (const { index } of events) {
    const key = eventKeyOf(id, index);
    added.mentions.push(...trackings.map((tracking) => ({ tracking, key, capture: id })));
  }
}

/** A long document is stored in several appends, which may be in different batches: later events are added to its row. */
async function saveEvents(db: ClientBase, schema: string, rows: readonly CaptureRow[]): Promise<void> {
  const added = rows.filter((row) => row.added.events.names.length > 0);
  if (added.length === 0) return;
  await db.query(
    `insert into ${schema}.events as e (cause, names, revisions)
     select cause, names::uuid[], revisions::integer[] from unnest($1::uuid[], $2::text[], $3::text[]) n (cause, names, revisions)
     on conflict (cause) do update set names = e.names || excluded.names, revisions = e.revisions || excluded.revisions`,
    [
      arrayOf(
        'uuid',
        added.map(({ id }) => capturedEventId(id)),
      ),
      arrayOf(
        'text',
        added.map((row) => arrayOf('uuid', row.added.events.names)),
      ),
      arrayOf(
        'text',
        added.map((row) => arrayOf('integer', row.added.events.revisions)),
      ),
    ],
  );
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'captures',
    {
      'captures.captures': Omit<CaptureRow, 'added'>;
      'captures.names': { id: string; capture: string };
      'captures.events': CapturedEventsRow;
    }
  > {}
}
