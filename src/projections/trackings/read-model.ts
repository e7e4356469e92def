/**
 * The read model of trackings: one row per tracking with all its scans, so that reading a timeline is one lookup.
 * Personal members stay encrypted.
 */
import { TRACKING_PREFIX } from '../../events/trackings/events.js';
import type { Projection } from '../core/projection.js';
import { foldTracking, toRow } from './fold.js';
import type { FoldedTracking } from './row.js';
import { load, save } from './stored.js';

const TABLES = `
  create table :schema.trackings (
    id          uuid primary key,
    owner_kind  text not null,
    owner_id    text not null,
    number      text collate "C" not null,
    generation  integer not null,
    subject     json not null,
    subjects    json not null,
    writers     text[] not null,
    former_writers text[] not null,
    planned     json,
    revision    integer not null,
    last_active text collate "C" not null,
    recorded_at text not null,
    opened      text collate "C" not null,
    opened_at   text not null,
    -- JSON that only this code reads: as text it is stored without being parsed. A comma follows each.
    scans       text not null,
    retractions text not null
  );
  create index on :schema.trackings (number);
  -- Scans are rewritten with every one that is added: compressing them each time costs more than the space.
  alter table :schema.trackings alter column scans set storage external, set (fillfactor = 85);
  -- Further identifiers of a parcel, and the position in the log since which they apply; trackings has the number itself.
  create table :schema.identifiers (
    identifier text collate "C" not null,
    tracking   uuid not null,
    since      text collate "C" not null,
    since_at   text not null,
    primary key (identifier, tracking)
  );`;

export const timeline: Projection<FoldedTracking> = {
  name: 'timeline',
  version: 9,
  prefixes: [TRACKING_PREFIX],
  tables: TABLES,
  keyOf: (event) => event.stream.slice(TRACKING_PREFIX.length),
  rowPerStream: true,
  fold: foldTracking,
  read: toRow,
  load,
  save,
};

declare module '../core/projection.js' {
  interface ReadModels extends Record<'timeline', true> {}
}
