/** The read model of datasets: their columns and groups. */
import {
  DATASET_PREFIX,
  DatasetArchived,
  DatasetColumnsSet,
  DatasetCreated,
  DatasetGroupAdded,
  DatasetGroupRemoved,
  DatasetGroupRenamed,
  DatasetRenamed,
  type DatasetKind,
  type Group,
} from '../../events/datasets/events.js';
import type { Column } from '../../events/datasets/columns.js';
import { code, flag, integer, json, optional, text, type RowOf } from '../core/columns.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

/** Ids of datasets. */
export const DATASET_IDS = sequence('datasets', { readModel: 'datasets', table: 'datasets.datasets' });

const columns = {
  id: integer(),
  business: integer(),
  code: code(),
  name: text(),
  kind: code<DatasetKind>(),
  key_column: optional(text()),
  columns: json<readonly Column[]>(),
  /** Groups in the order in which they were added. */
  groups: json<readonly Group[]>(),
  archived: flag(),
  updated_at: text(),
  revision: integer(),
};
export type DatasetRow = RowOf<typeof columns>;

export const datasets = table({
  name: 'datasets',
  version: 1,
  prefixes: [DATASET_PREFIX],
  columns,
  indexes: ['(business, id)'],
  fold: startsWith(DatasetCreated, ({ dataset_id, key_column = null, ...dataset }, event): DatasetRow => ({
    id: dataset_id,
    business: dataset.business,
    code: dataset.code,
    name: dataset.name,
    kind: dataset.kind,
    key_column,
    columns: [],
    groups: [],
    archived: false,
    updated_at: recordedAt(event),
    revision: event.revision,
  }))
    .on(DatasetRenamed, ({ name }, _row, event) => ({ name, updated_at: recordedAt(event) }))
    .on(DatasetColumnsSet, ({ columns }, _row, event) => ({ columns, updated_at: recordedAt(event) }))
    .on(DatasetGroupAdded, (group, { groups }) => ({ groups: [...groups, group] }))
    .on(DatasetGroupRenamed, ({ group_id, name }, { groups }) => ({
      groups: groups.map((group) => (group.group_id === group_id ? { ...group, name } : group)),
    }))
    .on(DatasetGroupRemoved, ({ group_id }, { groups }) => ({
      groups: groups.filter((group) => group.group_id !== group_id),
    }))
    .on(DatasetArchived, () => ({ archived: true })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'datasets', { 'datasets.datasets': DatasetRow }> {}
}
