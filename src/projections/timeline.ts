/** The read model of trackings: one row each, with all its scans, so that a timeline is one look-up. Personal members stay sealed in it. */
import type { ClientBase } from 'pg';
import type { JsonObject, StoredEvent } from '../events/log.js';
import { identifiersOf, TRACKING_PREFIX, type Owner, type RecordedScan, type Retraction } from '../events/trackings.js';
import type { Subject } from '../events/otep/model.js';
import { arrayOf, insertRows, textsOf } from '../sql/rows.js';
import type { Projection } from './projection.js';

/** One scan as the row keeps it: the event's data, still sealed, with its id and our record time. */
export type KeptScan = Omit<RecordedScan, 'fingerprint' | 'event_hash'> & { readonly id: string; /** In the stream. */ readonly revision: number; readonly recorded_at: string; readonly $sealed?: { readonly subject: string; readonly box: string } };
export type KeptRetraction = Omit<Retraction, 'fingerprint'> & Pick<KeptScan, 'id' | 'revision' | 'recorded_at' | '$sealed'>;

export interface TrackingRow {
  readonly id: string;
  owner: Owner;
  number: string;
  generation: number;
  subject: Subject;
  writers: string[];
  /** Last revision of the stream that the row holds. */
  revision: number;
  /** Instant of the latest scan; '' before the first. */
  last_active: string;
  recorded_at: string;
  readonly scans: KeptScan[];
  readonly retractions: KeptRetraction[];
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
    -- JSON that only this code reads: as text it is stored without being parsed.
    journey     text not null
  );
  create index on :schema.trackings (number);
  -- A journey is rewritten with every scan: compressing it each time costs more than the space.
  alter table :schema.trackings alter column journey set storage external, set (fillfactor = 85);
  -- What else a parcel is known by; the number itself stands in trackings.
  create table :schema.identifiers (
    identifier text collate "C" not null,
    tracking   uuid not null,
    primary key (identifier, tracking)
  );`;

export const timeline: Projection<TrackingRow> = {
  name: 'timeline',
  version: 3,
  prefixes: [TRACKING_PREFIX],
  tables: TABLES,
  keyOf: (event) => event.stream.slice(TRACKING_PREFIX.length),
  rowPerStream: true,
  fold: foldTracking,
  load,
  save,
};

/** Pure and total: facts that the types of today do not know are passed over. */
export function foldTracking(row: TrackingRow | undefined, event: StoredEvent): TrackingRow {
  const data = event.data as JsonObject & Record<string, unknown>;
  const recorded_at = event.metadata['recorded_at'] as string;
  if (!row) {
    if (event.type !== 'TrackingOpened') throw new Error(`${event.type} stands before TrackingOpened.`);
    const { owner, number, generation, subject } = data as unknown as Pick<TrackingRow, 'owner' | 'number' | 'generation' | 'subject'>;
    const id = event.stream.slice(TRACKING_PREFIX.length);
    return { id, owner, number, generation, subject, writers: [], revision: event.revision, last_active: '', recorded_at, scans: [], retractions: [] };
  }
  row.revision = event.revision;
  row.recorded_at = recorded_at;
  switch (event.type) {
    case 'TrackingIdentified':
      row.subject = { ...row.subject, ...(data['subject'] as Subject) };
      break;
    case 'TrackingWriterGranted':
      row.writers = [...row.writers.filter((writer) => writer !== data['provider']), data['provider'] as string];
      break;
    case 'TrackingWriterRevoked':
      row.writers = row.writers.filter((writer) => writer !== data['provider']);
      break;
    case 'TrackingEventRecorded': {
      const { fingerprint: _fingerprint, event_hash: _hash, ...scan } = data as unknown as RecordedScan;
      row.scans.push({ id: event.id, revision: event.revision, recorded_at, ...scan });
      if (scan.instant > row.last_active) row.last_active = scan.instant;
      break;
    }
    case 'TrackingEventRetracted': {
      const { fingerprint: _fingerprint, ...retraction } = data as unknown as Retraction;
      row.retractions.push({ id: event.id, revision: event.revision, recorded_at, ...retraction });
      break;
    }
  }
  return row;
}

interface StoredRow extends Omit<TrackingRow, 'owner' | 'scans' | 'retractions'> {
  readonly owner_kind: Owner['kind'];
  readonly owner_id: string;
  readonly journey: string;
}

/** A row of :schema.trackings as the fold knows it. */
export function fromStored({ owner_kind, owner_id, journey, ...row }: StoredRow): TrackingRow {
  const { scans, retractions } = JSON.parse(journey) as Pick<TrackingRow, 'scans' | 'retractions'>;
  return { ...row, owner: { kind: owner_kind, id: owner_id }, scans, retractions };
}

async function load(db: ClientBase, schema: string, keys: readonly string[]): Promise<ReadonlyMap<string, TrackingRow>> {
  const { rows } = await db.query<StoredRow>(`select * from ${schema}.trackings where id = any ($1)`, [keys]);
  return new Map(rows.map((row) => [row.id, fromStored(row)]));
}

/** Rows in a statement: while the database takes these, the next ones are written out here. */
const AT_ONCE = 50;

async function save(db: ClientBase, schema: string, changed: ReadonlyMap<string, TrackingRow>): Promise<void> {
  const rows = [...changed.values()];
  const saving: Promise<unknown>[] = [];
  for (let from = 0; from < rows.length; from += AT_ONCE) saving.push(saveTrackings(db, schema, rows.slice(from, from + AT_ONCE)));
  const others = rows.flatMap((row) => identifiersOf(row.subject).filter((identifier) => identifier !== row.number).map((identifier) => ({ identifier, tracking: row.id })));
  await Promise.all([...saving, insertRows(db, `${schema}.identifiers`, { identifier: 'text', tracking: 'uuid' }, others, 'on conflict do nothing')]);
}

async function saveTrackings(db: ClientBase, schema: string, rows: readonly TrackingRow[]): Promise<void> {
  await db.query({
    // Planned once: to plan it is to look through all that travels in it.
    name: `save-${schema}`,
    text: `insert into ${schema}.trackings (id, owner_kind, owner_id, number, generation, subject, writers, revision, last_active, recorded_at, journey)
     select id, owner_kind, owner_id, number, generation, subject, coalesce(string_to_array(nullif(writers, ''), ' '), '{}'), revision, last_active, recorded_at, journey
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[], $6::json[], $7::text[], $8::int[], $9::text[], $10::text[], $11::text[])
            as n (id, owner_kind, owner_id, number, generation, subject, writers, revision, last_active, recorded_at, journey)
     on conflict (id) do update set subject = excluded.subject, writers = excluded.writers, revision = excluded.revision,
       last_active = excluded.last_active, recorded_at = excluded.recorded_at, journey = excluded.journey`,
    values: [
      arrayOf('uuid', rows.map((row) => row.id)), arrayOf('text', rows.map((row) => row.owner.kind)), arrayOf('text', rows.map((row) => row.owner.id)), arrayOf('text', rows.map((row) => row.number)),
      arrayOf('integer', rows.map((row) => row.generation)), arrayOf('json', rows.map((row) => row.subject)), arrayOf('text', rows.map((row) => row.writers.join(' '))),
      arrayOf('integer', rows.map((row) => row.revision)), arrayOf('text', rows.map((row) => row.last_active)), arrayOf('text', rows.map((row) => row.recorded_at)),
      textsOf(rows.map(({ scans, retractions }) => JSON.stringify({ scans, retractions }))),
    ],
  });
}
