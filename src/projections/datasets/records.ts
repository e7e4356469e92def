/** The read model of records: the current version of each record. Personal values stay encrypted. */
import { RECORD_PREFIX, RecordPut, RecordRemoved, type Values } from '../../events/datasets/events.js';
import type { StoredEvent } from '../../events/core/log.js';
import { code, flag, integer, json, jsonb, optional, text, uuid, type RowOf } from '../core/columns.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';
import { cellOf, placeKey } from './place-key.js';

/** Ids of records. */
export const RECORD_IDS = sequence('records', { readModel: 'records', table: 'records.records' });

const columns = {
  uuid: uuid(),
  id: integer(),
  business: integer(),
  dataset_id: integer(),
  group_id: optional(text()),
  version: integer(),
  /** Values without personal data, by column code. */
  fields: jsonb<Values>(),
  sealed: json<SealedMembers[]>(),
  /** The address key if the record is a place; otherwise null. */
  place: optional(code()),
  /** The grid cell if the record is a place; otherwise null. */
  cell: optional(code()),
  removed: flag(),
  updated_at: text(),
  updated_by: optional(integer()),
  revision: integer(),
};
export type RecordRow = RowOf<typeof columns>;

type Put = ReturnType<(typeof RecordPut)['schema']['parse']>;

/** The acting user; null if the actor was not a user. */
function actorOf({ metadata }: StoredEvent): number | null {
  const { kind, id } = metadata['actor'] as { readonly kind: string; readonly id: string };
  return kind === 'user' ? Number(id) : null;
}

const changed = (event: StoredEvent) => ({ updated_at: recordedAt(event), updated_by: actorOf(event) });

const current = ({ group_id = undefined, version, values }: Put, event: StoredEvent) => ({
  group_id: group_id ?? null,
  version,
  fields: values,
  sealed: [sealedMembersOf(event)],
  place: placeKey(values),
  cell: placeKey(values) === null ? null : cellOf(values),
  removed: false,
  ...changed(event),
});

export const records = table({
  name: 'records',
  version: 2,
  prefixes: [RECORD_PREFIX],
  columns,
  key: 'uuid',
  indexes: [
    '(dataset_id, id) where not removed',
    '(dataset_id, group_id) where not removed',
    '(id)',
    'using gin (fields jsonb_path_ops)',
    '(business, place) where place is not null',
    '(business, cell) where cell is not null',
  ],
  fold: startsWith(RecordPut, (put, event): RecordRow => ({
    uuid: event.stream.slice(RECORD_PREFIX.length),
    id: put.record_id,
    business: put.business,
    dataset_id: put.dataset_id,
    ...current(put, event),
    revision: event.revision,
  }))
    .on(RecordPut, (put, _row, event) => current(put, event))
    .on(RecordRemoved, ({ version }, _row, event) => ({
      version,
      fields: {},
      sealed: [],
      place: null,
      cell: null,
      removed: true,
      ...changed(event),
    })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'records', { 'records.records': RecordRow }> {}
}
