/**
 * The read model of trackings: one row each, with all its scans, so that a timeline is one look-up. Personal members
 * stay sealed in it.
 */
import type { ClientBase } from 'pg';
import type { StoredEvent } from '../../events/core/log.js';
import {
  instantOfScan,
  TRACKING_PREFIX,
  type Owner,
  type RecordedScan,
  type Retraction,
} from '../../events/trackings/events.js';
import type { Subject } from '../../events/otep/model.js';
import { arrayOf, binaryArrayOf, elementsOf, insertRows } from '../../sql/rows.js';
import type { Projection } from '../core/projection.js';
import { namings, type Naming } from './naming.js';

/** One scan as it is kept: the event's data, still sealed, with its id and our record time. */
export type KeptScan = RecordedScan & Kept;
export type KeptRetraction = Retraction & Kept;

interface Kept {
  readonly id: string;
  /** In the stream. */
  readonly revision: number;
  readonly recorded_at: string;
  readonly $sealed?: { readonly subject: string; readonly box: string };
}

interface Tracking {
  readonly id: string;
  owner: Owner;
  number: string;
  generation: number;
  subject: Subject;
  writers: string[];
  /** Last revision of the stream that the row holds. */
  revision: number;
  /** When it was opened: RFC 3339, UTC. */
  readonly opened_at: string;
  /** Instant of the latest scan; '' before the first. */
  last_active: string;
  recorded_at: string;
}

/** A tracking as readers see it. */
export interface TrackingRow extends Tracking {
  readonly scans: readonly KeptScan[];
  readonly retractions: readonly KeptRetraction[];
}

/**
 * A tracking as the fold knows it. Scans and retractions are JSON, each with a comma behind it, and only those that its
 * table does not have yet: to add one, none of the others need be read, nor anything written out that the log wrote out
 * before.
 */
export interface FoldedTracking extends Tracking {
  scans: string;
  retractions: string;
  /** What else it has been known by, and since when. */
  named: Naming[];
}

const TABLES = `
  create table :schema.trackings (
    id          uuid primary key,
    owner_kind  text not null,
    owner_id    text not null,
    number      text collate "C" not null,
    generation  integer not null,
    subject     json not null,
    writers     text[] not null,
    revision    integer not null,
    last_active text collate "C" not null,
    recorded_at text not null,
    opened_at   text collate "C" not null,
    -- JSON that only this code reads: as text it is stored without being parsed. A comma stands behind each.
    scans       text not null,
    retractions text not null
  );
  create index on :schema.trackings (number);
  -- Scans are rewritten with every one that is added: compressing them each time costs more than the space.
  alter table :schema.trackings alter column scans set storage external, set (fillfactor = 85);
  -- What else a parcel is known by, and since when; the number itself stands in trackings.
  create table :schema.identifiers (
    identifier text collate "C" not null,
    tracking   uuid not null,
    since      text collate "C" not null,
    primary key (identifier, tracking)
  );`;

export const timeline: Projection<FoldedTracking> = {
  name: 'timeline',
  version: 6,
  prefixes: [TRACKING_PREFIX],
  tables: TABLES,
  keyOf: (event) => event.stream.slice(TRACKING_PREFIX.length),
  rowPerStream: true,
  fold: foldTracking,
  read: toRow,
  load,
  save,
};

/** Pure and total: facts that the types of today do not know are passed over. */
export function foldTracking(row: FoldedTracking | undefined, event: StoredEvent): FoldedTracking {
  const recorded_at = event.metadata['recorded_at'] as string;
  if (!row) {
    if (event.type !== 'TrackingOpened') throw new Error(`${event.type} stands before TrackingOpened.`);
    const { owner, number, generation, subject } = event.data as unknown as Pick<
      Tracking,
      'owner' | 'number' | 'generation' | 'subject'
    >;
    const id = event.stream.slice(TRACKING_PREFIX.length);
    return {
      id,
      owner,
      number,
      generation,
      subject,
      writers: [],
      revision: event.revision,
      last_active: '',
      recorded_at,
      opened_at: recorded_at,
      scans: '',
      retractions: '',
      named: namings(subject, recorded_at),
    };
  }
  row.revision = event.revision;
  row.recorded_at = recorded_at;
  switch (event.type) {
    case 'TrackingIdentified':
      row.subject = { ...row.subject, ...(event.data['subject'] as Subject) };
      row.named.push(...namings({ ...(event.data['subject'] as Subject) }, recorded_at));
      break;
    case 'TrackingWriterGranted':
      row.writers = [
        ...row.writers.filter((writer) => writer !== event.data['provider']),
        event.data['provider'] as string,
      ];
      break;
    case 'TrackingWriterRevoked':
      row.writers = row.writers.filter((writer) => writer !== event.data['provider']);
      break;
    case 'TrackingEventRecorded': {
      const instant = instantOfScan(event);
      row.scans += keptJson(event);
      if (instant > row.last_active) row.last_active = instant;
      break;
    }
    case 'TrackingEventRetracted':
      row.retractions += keptJson(event);
      break;
  }
  return row;
}

/** A `Kept` and the comma behind it. */
function keptJson(event: StoredEvent): string {
  const { id, revision, metadata, json = JSON.stringify(event.data) } = event;
  return `{"id":"${id}","revision":${revision},"recorded_at":${JSON.stringify(metadata['recorded_at'])},${json.slice(1)},`;
}

const fromKept = <T>(json: string): T[] => JSON.parse(`[${json.slice(0, -1)}]`) as T[];

function toRow({ scans, retractions, named: _named, ...tracking }: FoldedTracking): TrackingRow {
  return { ...tracking, scans: fromKept(scans), retractions: fromKept(retractions) };
}

/** The tracking that decoded events of its stream make, the first one among them. */
export const trackingOf = (events: readonly StoredEvent[]): TrackingRow =>
  toRow(events.reduce<FoldedTracking | undefined>(foldTracking, undefined)!);

const HEAD =
  'id, owner_kind, owner_id, number, generation, subject, writers, revision, last_active, recorded_at, opened_at';

interface StoredHead extends Omit<Tracking, 'owner'> {
  readonly owner_kind: Owner['kind'];
  readonly owner_id: string;
}

const trackingFrom = <T extends StoredHead>({ owner_kind, owner_id, ...row }: T) => ({
  ...row,
  owner: { kind: owner_kind, id: owner_id },
});

/** A whole row of :schema.trackings. */
export const rowFrom = (stored: StoredHead & Pick<FoldedTracking, 'scans' | 'retractions'>): TrackingRow =>
  toRow({ ...trackingFrom(stored), named: [] });

async function load(
  db: ClientBase,
  schema: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, FoldedTracking>> {
  const { rows } = await db.query<StoredHead>(`select ${HEAD} from ${schema}.trackings where id = any ($1)`, [keys]);
  return new Map(rows.map((row) => [row.id, { ...trackingFrom(row), scans: '', retractions: '', named: [] }]));
}

/** Rows in a statement: while the database takes these, the next ones are written out here. */
const AT_ONCE = 50;

async function save(db: ClientBase, schema: string, changed: ReadonlyMap<string, FoldedTracking>): Promise<void> {
  const rows = [...changed.values()];
  const saving: Promise<unknown>[] = [];
  for (let from = 0; from < rows.length; from += AT_ONCE)
    saving.push(saveTrackings(db, schema, rows.slice(from, from + AT_ONCE)));
  const others = rows.flatMap(({ id, number, named }) =>
    named.filter(({ identifier }) => identifier !== number).map((one) => ({ ...one, tracking: id })),
  );
  await Promise.all([
    ...saving,
    insertRows(
      db,
      `${schema}.identifiers`,
      { identifier: 'text', tracking: 'uuid', since: 'text' },
      others,
      'on conflict do nothing',
    ),
  ]);
}

async function saveTrackings(db: ClientBase, schema: string, rows: readonly FoldedTracking[]): Promise<void> {
  await db.query({
    // Planned once: to plan it is to look through all that travels in it.
    name: `save-${schema}`,
    text: `insert into ${schema}.trackings as t (${HEAD}, scans, retractions)
     select id, owner_kind, owner_id, number, generation, subject, coalesce(string_to_array(nullif(writers, ''), ' '), '{}'), revision, last_active, recorded_at, opened_at, scans, retractions
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[], $6::json[], $7::text[], $8::int[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[])
            as n (${HEAD}, scans, retractions)
     on conflict (id) do update set subject = excluded.subject, writers = excluded.writers, revision = excluded.revision, last_active = excluded.last_active, recorded_at = excluded.recorded_at,
       scans = case excluded.scans when '' then t.scans else t.scans || excluded.scans end, retractions = t.retractions || excluded.retractions`,
    values: [
      arrayOf(
        'uuid',
        rows.map((row) => row.id),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.owner.kind),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.owner.id),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.number),
      ),
      arrayOf(
        'integer',
        rows.map((row) => row.generation),
      ),
      arrayOf(
        'json',
        rows.map((row) => row.subject),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.writers.join(' ')),
      ),
      arrayOf(
        'integer',
        rows.map((row) => row.revision),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.last_active),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.recorded_at),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.opened_at),
      ),
      binaryArrayOf('text', rows.length, [elementsOf(rows.map(({ scans }) => scans))]),
      binaryArrayOf('text', rows.length, [elementsOf(rows.map(({ retractions }) => retractions))]),
    ],
  });
}

declare module '../core/projection.js' {
  interface ReadModels {
    timeline: true;
  }
}
