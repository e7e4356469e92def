/** Selects the dataset to read: one of the caller's business, or with `business_id` one that a partner granted. */
import type { Via } from '../../../projections/alliances/active-grants.js';
import type { DatasetRow } from '../../../projections/datasets/datasets.js';
import type { DatasetQueries } from '../../../projections/datasets/queries.js';
import type { Shared } from '../../../projections/datasets/readable-records.js';
import type { SharedDatasets } from '../../../projections/datasets/shared.js';
import { businessOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { granteeOf } from '../alliances/grantee.js';

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
  readonly countRecords: () => Promise<number>;
  readonly countByGroup: () => Promise<ReadonlyMap<string, number>>;
}

export interface DatasetRef {
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
export async function readDataset(
  { datasets, shared }: DatasetReads,
  { dataset_id: id, business_id, record_id, withGroups = false }: DatasetRef,
  caller: Caller,
): Promise<ReadDataset> {
  const grantee = granteeOf(caller, business_id);
  if (!grantee)
    return {
      dataset: await datasetOf(datasets, id, caller),
      via: {},
      countRecords: async () => (await datasets.counts([id])).get(id) ?? 0,
      countByGroup: () => datasets.groupCounts(id),
    };
  const subject = record_id === undefined ? String(id) : `${id}/${record_id}`;
  const found = grantee.mayUseGrants
    ? await shared.list(grantee, { id, subject, withGroups }, { offset: 0, limit: 1 })
    : NO_DATASETS;
  const [granted] = found.datasets;
  if (!granted) throw new ApiError('DATASET_NOT_FOUND');
  return {
    dataset: granted.row,
    via: { via_alliance: granted.via },
    shared: shared.whileGranted(grantee, id),
    countRecords: () => Promise.resolve(granted.records),
    countByGroup: () => Promise.resolve(granted.inGroups),
  };
}

const NO_DATASETS = { datasets: [] } as const;
