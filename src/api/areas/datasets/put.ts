/** Builds the command that writes a checked record. */
import QuickLRU from 'quick-lru';
import type { DatasetRow } from '../../../projections/datasets/datasets.js';
import type { DatasetQueries, RecordQueries } from '../../../projections/datasets/queries.js';
import { keyedRecord, newRecord } from '../../../events/datasets/events.js';
import { ApiError } from '../../core/errors.js';
import type { CheckedValues } from './values.js';

/** Maximum number of records in one dataset. */
export const MOST_RECORDS = 1_000_000;

/** The key of the record; undefined if the dataset has no key column. */
export const keyOf = ({ key_column: key }: DatasetRow, { open }: CheckedValues): string | number | undefined =>
  key === null ? undefined : (open[key] as string | number);

/** The name of the record's stream, derived from its key or, without a key, from the request and index. */
export function uuidFor(dataset: DatasetRow, checked: CheckedValues, request: string, index: number): string {
  const key = keyOf(dataset, checked);
  return key === undefined ? newRecord(dataset.id, request, index) : keyedRecord(dataset.id, key);
}

export const toPut = (
  { id: datasetId, business, columns }: DatasetRow,
  { group_id, if_version }: { readonly group_id?: string | undefined; readonly if_version?: number | undefined },
  { open, personal }: CheckedValues,
) =>
  ({
    do: 'put',
    business,
    datasetId,
    groupId: group_id,
    values: open,
    personalValues: personal,
    ifVersion: if_version,
    // Hidden columns accept no new values but keep their existing ones.
    keeps: columns.filter(({ hidden }) => hidden).map(({ code }) => code) as readonly string[],
  }) as const;

/** Throws GROUP_NOT_FOUND. */
export function expectGroup({ groups }: DatasetRow, wanted: string | undefined): void {
  if (wanted !== undefined && !groups.some(({ group_id }) => group_id === wanted))
    throw new ApiError('GROUP_NOT_FOUND');
}

const COUNT_MS = 10_000;

/** Number of these records that do not exist yet. */
export async function newOf(records: Pick<RecordQueries, 'existing'>, uuids: readonly string[]): Promise<number> {
  const distinct = [...new Set(uuids)];
  return distinct.length - (await records.existing(distinct)).size;
}

/**
 * Throws DATASET_FULL if these records exceed the limit of the dataset (places R1); existing records do not count.
 * Counting a million rows is slow, so the count is cached. New records are counted only if space is short.
 */
export function createRoom(datasets: Pick<DatasetQueries, 'counts'>, records: Pick<RecordQueries, 'existing'>) {
  const rooms = new QuickLRU<number, { left: number }>({ maxSize: 1_000, maxAge: COUNT_MS });
  return async ({ id }: Pick<DatasetRow, 'id'>, uuids: readonly string[]): Promise<void> => {
    const counted = async () => {
      const left = MOST_RECORDS - ((await datasets.counts([id])).get(id) ?? 0);
      const room = { left };
      rooms.set(id, room);
      return room;
    };
    let room = rooms.get(id) ?? (await counted());
    const more = room.left < uuids.length ? await newOf(records, uuids) : uuids.length;
    if (room.left < more) room = await counted();
    if (room.left < more) throw new ApiError('DATASET_FULL');
    room.left -= more;
  };
}
