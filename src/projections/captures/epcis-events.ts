/**
 * The read model of EPCIS queries: all scans by time, for the owners of the shipments. It contains searchable members
 * without personal data. The rest of an event is read from its capture, or from its timeline.
 */
import type { StoredEvent } from '../../events/core/log.js';
import { capturedEventName } from '../../events/captures/names.js';
import { TRACKING_PREFIX, type Owner, type RecordedScan } from '../../events/trackings/events.js';
import { arrayOf, insertRows, type Types } from '../../sql/rows.js';
import type { Projection } from '../core/projection.js';
import {
  causeOf,
  retractionChange,
  saveRetractions,
  type EpcisRetractionRow,
  type RetractionChange,
} from './epcis-retractions.js';

export interface EpcisEventRow {
  /**
   * The same for all scans that follow from one captured event (`capturedEventName`). For other scans the id of the
   * stored event, from which the EPCIS id is derived.
   */
  readonly id: string;
  /** Id of the stored event. */
  readonly scan: string;
  readonly tracking: string;
  /** `ownerKey` of the owner of the tracking. */
  readonly owner: string;
  /** Time of the event: UTC with nine fraction digits. */
  readonly instant: string;
  readonly status: string;
  /** The source's own code, or the business step of a foreign EPCIS event. */
  readonly raw: string | null;
  readonly reason: string | null;
  /** The event id that the producer assigned. */
  readonly event_id: string;
  readonly provider: string;
  /** Event hash of a captured event; null for other scans. */
  readonly hash: string | null;
  /** Id of the event or of the request that led to the scan: for a captured event, of the event that stored the capture. */
  readonly cause: string | null;
}

export interface EpcisTrackingRow {
  readonly id: string;
  owner: string;
  writers: string[];
  /** Only the scans of the current batch, not the scans in the tables. */
  readonly scans: EpcisEventRow[];
  /** The retractions of the current batch, by scan; without a declaration if it was withdrawn. */
  readonly retractions: Map<string, RetractionChange>;
}

export const ownerKey = ({ kind, id }: Owner): string => `${kind}:${id}`;

export const epcisEvents: Projection<EpcisTrackingRow> = {
  name: 'epcis_events',
  version: 2,
  prefixes: [TRACKING_PREFIX],
  tables: `
    create table :schema.trackings (
      id      uuid primary key,
      owner   text collate "C" not null,
      writers text[] not null
    );
    create index on :schema.trackings using gin (writers) where writers <> '{}';
    create table :schema.events (
      id       uuid not null,
      scan     uuid not null,
      tracking uuid not null,
      owner    text collate "C" not null,
      instant  text collate "C" not null,
      status   text collate "C" not null,
      raw      text collate "C",
      reason   text collate "C",
      event_id text collate "C" not null,
      provider text collate "C" not null,
      hash     text collate "C",
      cause    uuid,
      primary key (owner, instant, id, scan)
    );
    create index on :schema.events (tracking);
    create index on :schema.events (id);
    create index on :schema.events (scan);
    create index on :schema.events (event_id);
    create table :schema.retractions (
      tracking    uuid not null,
      event_id    text collate "C" not null,
      provider    text collate "C" not null,
      declaration uuid not null,
      cause       uuid,
      primary key (tracking, event_id, provider)
    );`,
  keyOf: (event) => event.stream.slice(TRACKING_PREFIX.length),
  rowPerStream: true,
  background: 5_000,
  fold: foldScans,

  async load(db, schema, keys) {
    const { rows } = await db.query<EpcisTrackingRow>(`select * from ${schema}.trackings where id = any ($1)`, [keys]);
    return new Map(rows.map((row) => [row.id, { ...row, scans: [], retractions: new Map() }]));
  },

  async save(db, schema, changed) {
    const rows = [...changed.values()];
    await Promise.all([
      db.query(
        `insert into ${schema}.trackings (id, owner, writers)
         select id, owner, coalesce(string_to_array(nullif(writers, ''), ' '), '{}') from unnest($1::uuid[], $2::text[], $3::text[]) as n (id, owner, writers)
         on conflict (id) do update set writers = excluded.writers where trackings.writers <> excluded.writers`,
        [
          arrayOf(
            'uuid',
            rows.map(({ id }) => id),
          ),
          arrayOf(
            'text',
            rows.map(({ owner }) => owner),
          ),
          arrayOf(
            'text',
            rows.map(({ writers }) => writers.join(' ')),
          ),
        ],
      ),
      insertRows(
        db,
        `${schema}.events`,
        EVENT,
        rows.flatMap((row) => row.scans),
      ),
      ...saveRetractions(
        db,
        schema,
        rows.flatMap((row) => [...row.retractions.values()]),
      ),
    ]);
  },
};

const EVENT = {
  id: 'uuid',
  scan: 'uuid',
  tracking: 'uuid',
  owner: 'text',
  instant: 'text',
  status: 'text',
  raw: 'text',
  reason: 'text',
  event_id: 'text',
  provider: 'text',
  hash: 'text',
  cause: 'uuid',
} as const satisfies Types;

function foldScans(row: EpcisTrackingRow | undefined, event: StoredEvent): EpcisTrackingRow {
  const id = event.stream.slice(TRACKING_PREFIX.length);
  const data = event.data as Record<string, unknown>;
  if (!row) return { id, owner: ownerKey(data['owner'] as Owner), writers: [], scans: [], retractions: new Map() };
  switch (event.type) {
    case 'TrackingWriterGranted':
      row.writers = [...row.writers.filter((writer) => writer !== data['provider']), data['provider'] as string];
      break;
    case 'TrackingWriterRevoked':
      row.writers = row.writers.filter((writer) => writer !== data['provider']);
      break;
    case 'TrackingEventRecorded': {
      const { instant, status_code, raw, incident_reason, event_id, provider, cbv_hash, event_hash } =
        data as unknown as RecordedScan;
      const hash = cbv_hash ?? event_hash ?? hashIn(event_id);
      row.scans.push({
        id: hash === null ? event.id : capturedEventName(provider, event_id, hash),
        scan: event.id,
        tracking: id,
        owner: row.owner,
        instant,
        status: status_code,
        raw: raw?.code ?? null,
        reason: incident_reason?.code ?? null,
        event_id,
        provider,
        hash,
        cause: causeOf(event),
      });
      break;
    }
    case 'TrackingEventRetracted':
    case 'TrackingRetractionWithdrawn': {
      const change = retractionChange(id, event);
      row.retractions.set(`${change.provider} ${change.event_id}`, change);
      break;
    }
  }
  return row;
}

/** Before hashes were recorded, the hash of an event without an id was only its event id. */
const hashIn = (eventId: string): string | null => (eventId.startsWith('ni:///') ? eventId : null);

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'epcis_events',
    {
      'epcis_events.events': EpcisEventRow;
      'epcis_events.retractions': EpcisRetractionRow;
      'epcis_events.trackings': Omit<EpcisTrackingRow, 'scans' | 'retractions'>;
    }
  > {}
}
