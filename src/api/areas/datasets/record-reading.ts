/** Read operations on one record and its versions. */
import { z } from 'zod';
import type { DatasetRow } from '../../../projections/datasets/datasets.js';
import type { RecordHistory } from '../../../projections/datasets/history.js';
import type { RecordQueries } from '../../../projections/datasets/queries.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { clientInput, viaSchema } from '../alliances/grantee.js';
import { datasetOf, readDataset, type DatasetReads } from './read-dataset.js';
import type { References } from './references.js';
import { recordOutput, toRecordResponse, visibleValues } from './shapes.js';
import { pageOfRows } from '../../../projections/core/page-of-rows.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';

export const READ = {
  area: 'Dataset',
  callers: ['client_admin', 'employee', 'auditor'],
  scopes: ['datasets:read'],
  reads: ['datasets', 'records', 'alliances'],
} as const;
export const NOT_FOUND = { 404: 'There is no such dataset, or no such record or group in it.' };

export const dataset_id = idSchema.describe('Id of the dataset.');
export const record_id = idSchema.describe('Id of the record.');

/** The name of the record's stream, also for a removed record. Throws RECORD_NOT_FOUND. */
export async function uuidOf(queries: Pick<RecordQueries, 'uuidOf'>, id: number, dataset: DatasetRow): Promise<string> {
  const uuid = await queries.uuidOf(id, dataset.id);
  if (uuid === undefined) throw new ApiError('RECORD_NOT_FOUND');
  return uuid;
}

export interface RecordReadingOptions extends DatasetReads {
  readonly queries: RecordQueries;
  readonly history: RecordHistory;
  readonly references: References;
}

export function recordReading({ queries, history, references, ...reads }: RecordReadingOptions): Operation[] {
  return [
    operation({
      ...READ,
      name: 'record',
      summary: 'Get a record of a dataset',
      rest: { method: 'get', path: '/v1/datasets/:dataset_id/records/:record_id' },
      answers: NOT_FOUND,
      input: z.object({ dataset_id, record_id, ...clientInput }),
      output: z.object({ result: z.boolean(), record: recordOutput, via_alliance: viaSchema }),
      async run(input, { caller }) {
        const { dataset, shared: sharedScope, via } = await readDataset(reads, input, caller);
        const record = await queries.byId(input.record_id, dataset.id, sharedScope);
        if (!record) throw new ApiError('RECORD_NOT_FOUND');
        const [broken] = sharedScope ? [] : await references.missing(dataset, [record.values], false);
        return {
          result: true,
          record: toRecordResponse(record, dataset.columns, { shared: sharedScope, broken }),
          ...via,
        };
      },
    }),
    operation({
      ...READ,
      name: 'recordHistory',
      summary: 'List the versions of a record, newest first',
      description: 'The versions remain available after the record was removed.',
      rest: { method: 'get', path: '/v1/datasets/:dataset_id/records/:record_id/history' },
      answers: NOT_FOUND,
      input: z.object({ dataset_id, record_id, ...pageInput }),
      output: z.object({
        ...pageOutput,
        versions: z.array(
          z
            .object({
              version: z.int(),
              removed: z.boolean(),
              group_id: z.string().nullable(),
              values: z.record(z.string(), z.unknown()),
              changed_at: z.string(),
              changed_by: z.int().nullable().describe('Id of the user who made the change.'),
            })
            .meta({ id: 'DatasetRecordVersion' }),
        ),
      }),
      async run({ dataset_id: id, record_id: record, ...page }, { caller }) {
        const dataset = await datasetOf(reads.datasets, id, caller);
        const versions = await history(await uuidOf(queries, record, dataset));
        // The key descends with the version: also the pages behind a cursor begin with the newest.
        const { rows, ...found } = pageOfRows(versions, rangeOf(page), ({ version }) => -version);
        return {
          ...pageOf(page, found),
          versions: rows.map(({ at, by, ...one }) => ({
            ...one,
            values: visibleValues(dataset.columns, one.values),
            changed_at: at,
            changed_by: by,
          })),
        };
      },
    }),
  ];
}
