/** Writes the valid rows of a batch as records. */
import type { KnownRecord } from '../../../../commands/datasets/records.js';
import { derivedId } from '../../../../events/otep/identity.js';
import type { DatasetRow } from '../../../../projections/datasets/datasets.js';
import { RECORD_IDS } from '../../../../projections/datasets/records.js';
import type { Sequence } from '../../../../projections/core/sequence.js';
import { toApiError } from '../../../core/problem.js';
import type { JobHandle } from '../../jobs/kind.js';
import type { RecordWriter } from '../record-writer.js';
import type { ValidRow } from './check.js';
import { MISSING_COLUMNS, type OutcomeOptions, type RowOutcome } from './dry-run.js';

export interface BatchWriterOptions {
  readonly recordWriter: RecordWriter;
  readonly reserveIds: (sequence: Sequence, count: number, commandId: string) => Promise<readonly number[]>;
}

/** Writes the rows and returns an outcome for each. `first`: the line of the first row. */
export function createBatchWriter(
  dataset: DatasetRow,
  { mode, missingColumns }: OutcomeOptions,
  job: JobHandle,
  options: BatchWriterOptions,
) {
  const { recordWriter, reserveIds } = options;
  const hasMissingColumns = mode === 'upsert' && missingColumns.length > 0;
  const conditions =
    mode === 'insert' ? { ifVersion: 0 } : { mustExist: mode === 'update' || hasMissingColumns, ifVersion: undefined };

  async function putOne({ put, uuid, commandId }: ValidRow, known: KnownRecord | undefined, recordId: number) {
    try {
      const command = { ...put, ...conditions, uuid, known, commandId, recordId, importId: job.id };
      const { outcome } = (await recordWriter.put(command, job.cause)).reply;
      return outcome as 'inserted';
    } catch (error) {
      const { code, status } = toApiError(error);
      if (status >= 500) throw error;
      if (hasMissingColumns && code === 'RECORD_NOT_FOUND') return { code: MISSING_COLUMNS };
      return { code: code === 'RECORD_CHANGED' && mode === 'insert' ? 'RECORD_EXISTS' : code };
    }
  }
  return async (rows: readonly ValidRow[], first: number): Promise<RowOutcome[]> => {
    if (rows.length === 0) return [];
    const ids = await reserveIds(RECORD_IDS, rows.length, derivedId('ids of rows', job.id, first, rows.length));
    const uuids = mode === 'insert' ? [] : rows.map(({ uuid }) => uuid);
    const known = await recordWriter.known(dataset, uuids);
    return Promise.all(rows.map((row, index) => putOne(row, known.get(row.uuid), ids[index]!)));
  };
}
