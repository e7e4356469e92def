/** Export of records as a CSV table by a job. */
import { z } from 'zod';
import { datasetStream, recordStream } from '../../../events/datasets/events.js';
import type { Column } from '../../../events/datasets/columns.js';
import type { DatasetQueries, RecordQueries } from '../../../projections/datasets/queries.js';
import type { DatasetRecord } from '../../../projections/datasets/readable-records.js';
import { csvOf } from '../../core/csv.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { jobKind, type JobHandle } from '../jobs/kind.js';
import type { Jobs } from '../jobs/queue.js';
import { conditionsOf, filterInput, type Filter } from './filters.js';
import { tableColumns } from './import/mapping.js';
import { EXPORTED_COLUMNS } from './import/exported-table.js';
import { datasetOf } from './read-dataset.js';

export const EXPORT_KIND = 'export';

export interface ExportOptions {
  readonly datasets: DatasetQueries;
  readonly records: RecordQueries;
  readonly awaitReadModels: () => Promise<void>;
}

interface ExportWork {
  readonly dataset_id: number;
  readonly filters: readonly Filter[];
  /** Number of records of the dataset. */
  readonly records: number;
}

/** Exports of larger datasets run longer than some seconds. */
const MAX_SHORT_RECORDS = 10_000;
const PAGE_SIZE = 1_000;
/** Maximum size of the exported file, in bytes. */
const MAX_BYTES = 64 * 1_048_576;

export const exportJob = (options: ExportOptions) =>
  jobKind<ExportWork>({
    name: EXPORT_KIND,
    scopes: { read: 'datasets:read', write: 'datasets:read' },
    stoppable: false,
    isLong: ({ records }) => records > MAX_SHORT_RECORDS,
    run: (work, job) => runExport(work, job, options),
  });

async function runExport(
  { dataset_id, filters }: ExportWork,
  job: JobHandle,
  { datasets, records, awaitReadModels }: ExportOptions,
) {
  // Includes all records that were written before the request.
  await awaitReadModels();
  const dataset = await datasets.byId(dataset_id, job.business);
  if (!dataset) throw new ApiError('DATASET_NOT_FOUND');
  const { columns } = dataset;
  const conditions = conditionsOf(columns, filters);
  const names = tableColumns(columns);
  const total = (await datasets.counts([dataset_id])).get(dataset_id) ?? 0;
  const pieces = [csvOf([[...EXPORTED_COLUMNS, ...names]])];
  const personal = columns.filter((column) => column.personal).map(({ code }) => code);
  const subjects: string[] = [];
  let [bytes, rows] = [0, 0];
  for (let last = 0; ;) {
    job.cancelled.throwIfAborted();
    const found = await records.after(dataset_id, last, conditions, PAGE_SIZE);
    const piece = csvOf(found.map((record) => toCsvRow(record, columns, names)));
    bytes += Buffer.byteLength(piece);
    if (bytes > MAX_BYTES) throw new ApiError('EXPORT_TOO_LARGE');
    pieces.push(piece);
    rows += found.length;
    // Erasing one of these records deletes the file. Records that are already erased have no personal values.
    for (const { uuid, values } of found)
      if (personal.some((code) => values[code] !== undefined)) subjects.push(recordStream(uuid));
    job.progress(rows / Math.max(total, rows, 1), 'exporting');
    if (found.length < PAGE_SIZE) break;
    last = found.at(-1)!.id;
  }
  await job.artifacts.put('records.csv', 'text/csv; charset=utf-8', Buffer.from(pieces.join('')), subjects);
  return { rows };
}

function toCsvRow(record: DatasetRecord, columns: readonly Column[], names: readonly string[]): unknown[] {
  const typeOf = new Map(columns.map(({ code, type }) => [code, type]));
  const cells = names.map((name) => {
    const [code, member] = name.split('.') as [string, string | undefined];
    const value = record.values[code];
    if (member !== undefined) {
      const part = (value as Record<string, unknown> | undefined)?.[member];
      return typeof part === 'object' ? JSON.stringify(part) : part;
    }
    if (Array.isArray(value)) return typeOf.get(code) === 'multi_select' ? value.join(';') : JSON.stringify(value);
    return value;
  });
  return [record.id, record.group_id, record.version, ...cells];
}

export const datasetExport = ({
  datasets,
  jobs,
}: {
  readonly datasets: DatasetQueries;
  readonly jobs: Jobs;
}): Operation =>
  operation({
    name: 'datasetExport',
    returns: { read: 'job' },
    area: 'Dataset',
    summary: 'Export the records of a dataset as CSV',
    description:
      'Starts a job that writes `records.csv` with `record_id`, `group_id`, `version` and the columns of the dataset. The file can be imported again unchanged. If the file contains a record with personal data, it is deleted when this record is erased.',
    rest: { method: 'post', path: '/v1/datasets/:dataset_id/export', status: 202 },
    callers: ['client_admin', 'employee', 'auditor'],
    scopes: ['datasets:read'],
    reads: ['datasets'],
    writes: true,
    answers: { 404: 'There is no such dataset.', 429: 'Too many jobs are queued.' },
    input: z.object({
      dataset_id: idSchema.describe('Id of the dataset.'),
      filters: z
        .array(filterInput)
        .max(20)
        .default([])
        .describe('Conditions for the records. A record must meet all of them.'),
    }),
    output: z.object({ result: z.boolean() }),
    async run({ dataset_id, filters }, context) {
      const { id, columns } = await datasetOf(datasets, dataset_id, context.caller);
      conditionsOf(columns, filters);
      if (context.cause.dryRun) return { result: true };
      const records = (await datasets.counts([id])).get(id) ?? 0;
      const work: ExportWork = { dataset_id: id, filters, records };
      return { result: true, job_id: await jobs.queue(EXPORT_KIND, work, context, datasetStream(id)) };
    },
  });
