/**
 * The job of an import. Another attempt continues from the last mark. It repeats the writes after the mark with the
 * same command ids, which has no effect.
 */
import { accountSubject } from '../../../../events/accounts/events.js';
import type { TableLimits } from '../../../../engines/file-reader/limits.js';
import type { Files } from '../../../../engines/files/files.js';
import type { DatasetQueries, RecordQueries } from '../../../../projections/datasets/queries.js';
import { ApiError } from '../../../core/errors.js';
import { createTimeSlices } from '../../../../events/core/time-slices.js';
import type { Language } from '../../../core/messages/index.js';
import { loadFile } from '../../files/load-file.js';
import type { Readers } from '../../files/read-pieces.js';
import { jobKind, type JobHandle } from '../../jobs/kind.js';
import { MAX_RECORDS, countNew } from '../put-command.js';
import type { References } from '../references.js';
import { createRowCheck, createRowReferences, type CheckedRow, type InvalidRow } from './check.js';
import { createRowReader, type Mapping } from './mapping.js';
import type { ImportMode } from './mode.js';
import { importColumnsOf, type ImportColumns } from './import-columns.js';
import { createDryRun, MISSING_COLUMNS } from './dry-run.js';
import { Rejected, type RejectedRows } from './rejected.js';
import { readTable, type Row, type Table } from './read-table.js';
import { createBatchWriter, type BatchWriterOptions } from './write-batch.js';

export const IMPORT_KIND = 'dataset_import';

export interface ImportWork {
  readonly dataset_id: number;
  readonly file_id: string;
  readonly file_bytes: number;
  readonly sheet?: string | undefined;
  readonly header_row: number;
  readonly mapping?: Mapping | undefined;
  readonly mode: ImportMode;
  readonly group_id?: string | undefined;
  readonly group_from?: string | undefined;
  readonly on_error: 'skip' | 'stop';
  readonly dry_run: boolean;
  readonly language: Language;
}

export interface ImportOptions extends BatchWriterOptions {
  readonly datasets: DatasetQueries;
  readonly records: RecordQueries;
  readonly references: References;
  readonly files: Pick<Files, 'find' | 'open' | 'release'> & { readonly readers: Readers };
  readonly tableLimits: TableLimits;
  /** After this number of rejected rows, an import ends. */
  readonly maxRejected: number;
  /** Waits for the read models, so that the records are readable when the job has ended. */
  readonly awaitReadModels: () => Promise<void>;
}

interface Counts {
  rows: number;
  inserted: number;
  updated: number;
  unchanged: number;
  rejected: number;
}
/** Point from which another attempt continues. */
interface ImportCheckpoint {
  /** Last completed line. */
  readonly line: number;
  readonly counts: Counts;
  readonly rejected: RejectedRows;
}

/** Number of rows that are written in parallel and reserve their ids together. */
const BATCH_SIZE = 250;
/** Number of rows between two marks. */
const CHECKPOINT_ROWS = 5_000;
/** Imports of larger files run longer than some seconds. */
const MAX_SHORT_BYTES = 262_144;
const CHECKPOINT_FILE = 'mark.json';

export const importJob = (options: ImportOptions) =>
  jobKind<ImportWork>({
    name: IMPORT_KIND,
    scopes: { read: 'datasets:read', write: 'datasets:write' },
    stoppable: true,
    isLong: ({ file_bytes }) => file_bytes > MAX_SHORT_BYTES,
    async run(work, job) {
      const result = await runImport(work, job, options);
      await releaseFile(work, options);
      return result;
    },
    onAborted: (work) => releaseFile(work, options),
    summarize: ({ rows, rejected, dry_run }) => ({
      rejected,
      counts: { total: rows, succeeded: rows - rejected, failed: 0, rejected },
      ...(dry_run && { dry_run }),
    }),
  });

/** After a dry run, the file is usually imported. */
const releaseFile = async ({ file_id, dry_run }: ImportWork, { files }: ImportOptions): Promise<void> =>
  dry_run ? undefined : files.release(file_id);

async function runImport(work: ImportWork, job: JobHandle, options: ImportOptions) {
  const { files, tableLimits: limits } = options;
  const info = await files.find(work.file_id);
  if (!info) throw new ApiError('FILE_NOT_FOUND');
  const file = { mediaType: info.media_type, content: () => loadFile(files, info.id) };
  const { business, cancelled: signal } = job;
  const table = await readTable(file, work, { readers: files.readers.jobs, limits, business, signal });
  try {
    return await importTable(table, work, job, options);
  } finally {
    await table.close();
  }
}

async function importTable(
  { header, chunks, endLine }: Table,
  work: ImportWork,
  job: JobHandle,
  options: ImportOptions,
) {
  const { datasets, records, references, awaitReadModels, maxRejected } = options;
  const found = await datasets.byId(work.dataset_id, job.business);
  if (!found) throw new ApiError('DATASET_NOT_FOUND');
  const dataset = await references.withReferenceTypes(found);
  // Rows may refer to records that were written before the request, so the read models must contain them.
  if (dataset.columns.some(({ reference }) => reference !== undefined)) await awaitReadModels();
  const reader = createRowReader(dataset.columns, header, work.mapping);
  const importColumns = importColumnsOf(dataset, reader.mappedColumns, work.mode);
  const check = createRowCheck({
    dataset,
    reader,
    importColumns,
    job,
    group_id: work.group_id,
    group_from: work.group_from,
  });
  const checkReferences = createRowReferences(references, dataset, work.mode);
  const outcomeOptions = { mode: work.mode, missingColumns: importColumns.missingColumns };
  const applyBatch = work.dry_run
    ? createDryRun(records, outcomeOptions)
    : createBatchWriter(dataset, outcomeOptions, job, options);

  const checkpoint = work.dry_run ? undefined : await readCheckpoint(job);
  const rejected = new Rejected(header, work.language, checkpoint?.rejected);
  const counts: Counts = checkpoint?.counts ?? { rows: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
  let remaining = MAX_RECORDS - ((await datasets.counts([dataset.id])).get(dataset.id) ?? 0);
  let rowsSinceCheckpoint = 0;
  let line = checkpoint?.line ?? 0;
  /** Whether a row was rejected; with `on_error: stop` this ends the import. */
  let hasErrors = false;
  const betweenRows = createTimeSlices();

  async function processRows(rows: readonly Row[], first: number): Promise<void> {
    const judged: CheckedRow[] = [];
    for (const row of rows) {
      judged.push(check(row));
      await betweenRows();
    }
    const checked = await checkReferences(judged);
    const firstInvalid = work.on_error === 'stop' ? checked.findIndex((one) => 'errors' in one) : -1;
    const considered = firstInvalid < 0 ? checked : checked.slice(0, firstInvalid + 1);
    const validRows = considered.filter((one) => 'put' in one);
    const uuids = validRows.map(({ uuid }) => uuid);
    if (uuids.length > remaining && (await countNew(records, uuids)) > remaining) throw new ApiError('DATASET_FULL');
    const outcomes = await applyBatch(validRows, first);
    const results = new Map(validRows.map((one, index) => [one, outcomes[index]!]));
    for (const one of considered) {
      counts.rows += 1;
      const result = 'put' in one ? results.get(one)! : { code: undefined };
      if (typeof result === 'string') {
        counts[result] += 1;
        if (result === 'inserted') remaining -= 1;
        continue;
      }
      counts.rejected += 1;
      hasErrors = true;
      rejected.add('errors' in one ? one : { ...one, errors: errorsOf(result.code!, importColumns) });
      await betweenRows();
    }
  }

  async function storeRejected(): Promise<void> {
    const { text, subjects } = rejected.snapshot;
    const owners = [accountSubject(job.owner), ...subjects];
    await job.artifacts.put('rejected.csv', 'text/csv; charset=utf-8', Buffer.from(text), owners);
  }

  // In these modes a row may be rejected only when it is written. With `stop`, the next row must wait for the result.
  const step = work.on_error === 'stop' && work.mode !== 'upsert' ? 1 : BATCH_SIZE;
  const isEnded = () => job.stopped.aborted || (hasErrors && work.on_error === 'stop');
  table: for await (const chunk of chunks) {
    const rest = chunk.filter((row) => row.line > line);
    for (let at = 0; at < rest.length; at += step) {
      if (isEnded()) break table;
      job.cancelled.throwIfAborted();
      const rows = rest.slice(at, at + step);
      await processRows(rows, rows[0]!.line);
      line = rows.at(-1)!.line;
      rowsSinceCheckpoint += rows.length;
      job.done({ ...counts, dry_run: work.dry_run });
      job.progress(progressOf(counts.rows), work.dry_run ? 'validating' : 'importing');
      if (counts.rejected >= maxRejected || rejected.isFull) {
        await storeRejected();
        if (!work.dry_run) await awaitReadModels();
        throw new ApiError('TOO_MANY_REJECTED', { params: { max: maxRejected } });
      }
      if (rowsSinceCheckpoint < CHECKPOINT_ROWS || work.dry_run) continue;
      rowsSinceCheckpoint = 0;
      await job.artifacts.put(
        CHECKPOINT_FILE,
        'application/json',
        Buffer.from(JSON.stringify({ line, counts, rejected: rejected.snapshot } satisfies ImportCheckpoint)),
        [accountSubject(job.owner), ...rejected.snapshot.subjects],
      );
    }
  }
  if (counts.rejected > 0) await storeRejected();
  if (!work.dry_run) await awaitReadModels();
  const end_line = endLine();
  return {
    ...counts,
    dry_run: work.dry_run,
    ...(isEnded() && { stopped: true }),
    ...(end_line !== undefined && { end_line }),
  };
}

/** Progress from 0 to 1. The total number of rows is unknown until the end. */
const progressOf = (rows: number): number => rows / (rows + 10_000);

async function readCheckpoint(job: JobHandle): Promise<ImportCheckpoint | undefined> {
  if (job.attempt === 1) return undefined;
  const stored = await job.artifacts.get(CHECKPOINT_FILE);
  return stored && (JSON.parse(stored.toString('utf8')) as ImportCheckpoint);
}

/** Errors of a rejected row. LACKS becomes one error per required column that the table does not have. */
const errorsOf = (code: string, { missingColumns }: ImportColumns): InvalidRow['errors'] =>
  code === MISSING_COLUMNS
    ? missingColumns.map((column) => ({ path: `/${column}`, code: 'REQUIRED' }))
    : [{ path: '', code }];
