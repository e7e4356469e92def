/** Selects the dataset to read: one of the caller's business, or with `business_id` one that a partner granted. */
import type { Via } from '../../../projections/alliances/active-grants.js';
import type { DatasetRow } from '../../../projections/datasets/datasets.js';
import type { DatasetQueries } from '../../../projections/datasets/queries.js';
import type { Shared } from '../../../projections/datasets/readable-records.js';
import type { SharedDatasets } from '../../../projections/datasets/shared.js';
import { businessOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { takerOf } from '../alliances/taking.js';

export interface DatasetReads {
  readonly datasets: DatasetQueries;
  readonly shared: SharedDatasets;
}

export interface ReadDataset {
  /** Personal columns of a partner's dataset are removed. */
  readonly dataset: DatasetRow;
  readonly via: { readonly via_alliance?: Via };
  /** Conditions of the grant, checked again when the records are read. */
  readonly shared?: Shared;
  readonly records: () => Promise<number>;
  readonly inGroups: () => Promise<ReadonlyMap<string, number>>;
}

export interface DatasetMeant {
  readonly dataset_id: number;
  readonly business_id?: number | undefined;
  /** Set if a single record is read. */
  readonly record_id?: number;
  readonly withGroups?: boolean;
}

/** The dataset of the caller's business; throws DATASET_NOT_FOUND. */
export async function datasetOf(queries: Pick<DatasetQueries, 'byId'>, id: number, caller: Caller) {
  const found = await queries.byId(id, businessOf(caller));
  if (!found) throw new ApiError('DATASET_NOT_FOUND');
  return found;
}

/** Throws DATASET_NOT_FOUND, also for a dataset that is not granted. */
export async function datasetRead(
  { datasets, shared }: DatasetReads,
  { dataset_id: id, business_id, record_id, withGroups = false }: DatasetMeant,
  caller: Caller,
): Promise<ReadDataset> {
  const taker = takerOf(caller, business_id);
  if (!taker)
    return {
      dataset: await datasetOf(datasets, id, caller),
      via: {},
      records: async () => (await datasets.counts([id])).get(id) ?? 0,
      inGroups: () => datasets.groupCounts(id),
    };
  const subject = record_id === undefined ? String(id) : `${id}/${record_id}`;
  const found = taker.mayTake
    ? await shared.list(taker, { id, subject, withGroups }, { offset: 0, limit: 1 })
    : NOTHING;
  const [one] = found.datasets;
  if (!one) throw new ApiError('DATASET_NOT_FOUND');
  return {
    dataset: one.row,
    via: { via_alliance: one.via },
    shared: shared.whileGranted(taker, id),
    records: () => Promise.resolve(one.records),
    inGroups: () => Promise.resolve(one.inGroups),
  };
}

const NOTHING = { datasets: [] } as const;
