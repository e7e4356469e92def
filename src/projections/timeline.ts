/** The read model of trackings: one row each, with all its scans, so that a timeline is one look-up. Personal members stay sealed in it. */
import type { ClientBase } from 'pg';
import type { JsonObject, StoredEvent } from '../events/log.js';
import { identifiersOf, TRACKING_PREFIX, type Owner, type RecordedScan, type Retraction } from '../events/trackings.js';
import type { Subject } from '../events/otep/model.js';
import { arrayOf, insertRows } from '../sql/rows.js';
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
    journey     json not null
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
  version: 2,
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
  readonly journey: Pick<TrackingRow, 'scans' | 'retractions'>;
}

/** A row of :schema.trackings as the fold knows it. */
export function fromStored({ owner_kind, owner_id, journey, ...row }: StoredRow): TrackingRow {
  return { ...row, owner: { kind: owner_kind, id: owner_id }, scans: journey.scans, retractions: journey.retractions };
}

async function load(db: ClientBase, schema: string, keys: readonly string[]): Promise<ReadonlyMap<string, TrackingRow>> {
  const { rows } = await db.query<StoredRow>(`select * from ${schema}.trackings where id = any ($1)`, [keys]);
  return new Map(rows.map((row) => [row.id, fromStored(row)]));
}

async function save(db: ClientBase, schema: string, changed: ReadonlyMap<string, TrackingRow>): Promise<void> {
  const rows = [...changed.values()];
  const trackings = db.query(
    `insert into ${schema}.trackings (id, owner_kind, owner_id, number, generation, subject, writers, revision, last_active, recorded_at, journey)
     select id, owner_kind, owner_id, number, generation, subject, coalesce(string_to_array(nullif(writers, ''), ' '), '{}'), revision, last_active, recorded_at, journey
       from rows from (unnest($1::uuid[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), unnest($5::int[]), json_array_elements($6::json),
                       unnest($7::text[]), unnest($8::int[]), unnest($9::text[]), unnest($10::text[]), json_array_elements($11::json))
            as n (id, owner_kind, owner_id, number, generation, subject, writers, revision, last_active, recorded_at, journey)
     on conflict (id) do update set subject = excluded.subject, writers = excluded.writers, revision = excluded.revision,
       last_active = excluded.last_active, recorded_at = excluded.recorded_at, journey = excluded.journey`,
    [
      arrayOf('uuid', rows.map((row) => row.id)), arrayOf('text', rows.map((row) => row.owner.kind)), arrayOf('text', rows.map((row) => row.owner.id)), arrayOf('text', rows.map((row) => row.number)),
      arrayOf('integer', rows.map((row) => row.generation)), JSON.stringify(rows.map((row) => row.subject)), arrayOf('text', rows.map((row) => row.writers.join(' '))),
      arrayOf('integer', rows.map((row) => row.revision)), arrayOf('text', rows.map((row) => row.last_active)), arrayOf('text', rows.map((row) => row.recorded_at)),
      JSON.stringify(rows.map(({ scans, retractions }) => ({ scans, retractions }))),
    ],
  );
  const others = rows.flatMap((row) => identifiersOf(row.subject).filter((identifier) => identifier !== row.number).map((identifier) => ({ identifier, tracking: row.id })));
  await Promise.all([trackings, insertRows(db, `${schema}.identifiers`, { identifier: 'text', tracking: 'uuid' }, others, 'on conflict do nothing')]);
}
