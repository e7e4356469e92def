/** Builds the command that writes a checked record. */
import QuickLRU from 'quick-lru';
import type { DatasetRow } from '../../../projections/datasets/datasets.js';
import type { DatasetQueries, RecordQueries } from '../../../projections/datasets/queries.js';
import { keyedRecord, newRecord } from '../../../events/datasets/events.js';
import { ApiError } from '../../core/errors.js';
import type { CheckedValues } from './values.js';

/** Maximum number of records in one dataset. */
export const MAX_RECORDS = 1_000_000;

/** The key of the record; undefined if the dataset has no key column. */
export const keyOf = ({ key_column: key }: DatasetRow, { plain }: CheckedValues): string | number | undefined =>
  key === null ? undefined : (plain[key] as string | number);

/** The name of the record's stream, derived from its key or, without a key, from the request and index. */
export function uuidFor(dataset: DatasetRow, checked: CheckedValues, request: string, index: number): string {
  const key = keyOf(dataset, checked);
  return key === undefined ? newRecord(dataset.id, request, index) : keyedRecord(dataset.id, key);
}

export const toPutCommand = (
  { id: datasetId, business, columns }: DatasetRow,
  { group_id, if_version }: { readonly group_id?: string | undefined; readonly if_version?: number | undefined },
  { plain, personal }: CheckedValues,
) =>
  ({
    do: 'put',
    business,
    datasetId,
    groupId: group_id,
    values: plain,
    personalValues: personal,
    ifVersion: if_version,
    // Hidden columns accept no new values but keep their existing ones.
    keeps: columns.filter(({ hidden }) => hidden).map(({ code }) => code) as readonly string[],
  }) as const;

/** Throws GROUP_NOT_FOUND. */
export function expectGroup({ groups }: DatasetRow, requestedGroup: string | undefined): void {
  if (requestedGroup !== undefined && !groups.some(({ group_id }) => group_id === requestedGroup))
    throw new ApiError('GROUP_NOT_FOUND');
}

const COUNT_MS = 10_000;

/** Number of these records that do not exist yet. */
export async function countNew(records: Pick<RecordQueries, 'existing'>, uuids: readonly string[]): Promise<number> {
  const distinct = [...new Set(uuids)];
  return distinct.length - (await records.existing(distinct)).size;
}

/**
 * Throws DATASET_FULL if these records exceed the limit of the dataset (places R1); existing records do not count.
 * Counting a million rows is slow, so the count is cached. New records are counted only if space is short.
 */
export function createRecordLimit(datasets: Pick<DatasetQueries, 'counts'>, records: Pick<RecordQueries, 'existing'>) {
  const capacities = new QuickLRU<number, { left: number }>({ maxSize: 1_000, maxAge: COUNT_MS });
  return async ({ id }: Pick<DatasetRow, 'id'>, uuids: readonly string[]): Promise<void> => {
    const countCapacity = async () => {
      const left = MAX_RECORDS - ((await datasets.counts([id])).get(id) ?? 0);
      const capacity = { left };
      capacities.set(id, capacity);
      return capacity;
    };
    let capacity = capacities.get(id) ?? (await countCapacity());
    const newCount = capacity.left < uuids.length ? await countNew(records, uuids) : uuids.length;
    if (capacity.left < newCount) capacity = await countCapacity();
    if (capacity.left < newCount) throw new ApiError('DATASET_FULL');
    capacity.left -= newCount;
  };
}
