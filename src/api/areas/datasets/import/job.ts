/**
 * The job of an import. Another attempt continues from the last mark. It repeats the writes after the mark with the
 * same command ids, which has no effect.
 */
import type { KnownRecord } from '../../../../commands/datasets/records.js';
import { accountSubject } from '../../../../events/accounts/events.js';
import { derivedId } from '../../../../events/otep/identity.js';
import { FileDamaged, type Files } from '../../../../engines/files/files.js';
import type { DatasetRow } from '../../../../projections/datasets/datasets.js';
import type { DatasetQueries, RecordQueries } from '../../../../projections/datasets/queries.js';
import { RECORD_IDS } from '../../../../projections/datasets/records.js';
import type { Sequence } from '../../../../projections/core/sequence.js';
import { ApiError } from '../../../core/errors.js';
import type { Language } from '../../../core/messages/index.js';
import { toApiError } from '../../../core/problem.js';
import { jobKind, type JobHandle } from '../../jobs/kind.js';
import { MOST_RECORDS, newOf } from '../put.js';
import type { Putting } from '../putting.js';
import type { References } from '../references.js';
import { createRowCheck, createRowReferences, type BadRow, type GoodRow } from './check.js';
import { createRowReader, type Mapping } from './mapping.js';
import type { ImportMode } from './mode.js';
import { partialOf, type Partial } from './partial.js';
import { createRehearsal, LACKS, type Judgement, type Judging } from './rehearsal.js';
import { Rejected, type RejectedRows } from './rejected.js';
import { tableOf, type Row } from './rows.js';

export const IMPORT_KIND = 'dataset_import';

export interface ImportWork {
  readonly dataset_id: number;
  readonly file_id: string;
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

export interface ImportOptions {
  readonly datasets: DatasetQueries;
  readonly records: RecordQueries;
  readonly references: References;
  readonly putting: Putting;
  readonly files: Pick<Files, 'open'>;
  readonly reserveIds: (sequence: Sequence, count: number, commandId: string) => Promise<readonly number[]>;
  /** Waits for the read models, so that the records are readable when the job has ended. */
  readonly settled: () => Promise<void>;
}

interface Counts {
  rows: number;
  inserted: number;
  updated: number;
  unchanged: number;
  rejected: number;
}
/** Point from which another attempt continues. */
interface Mark {
  /** Last completed line. */
  readonly line: number;
  readonly counts: Counts;
  readonly rejected: RejectedRows;
}

/** Number of rows that are written in parallel and reserve their ids together. */
const AT_ONCE = 250;
/** Number of rows between two marks. */
const MARKED = 5_000;
const MARK = 'mark.json';

export const importJob = (options: ImportOptions) =>
  jobKind<ImportWork>({
    name: IMPORT_KIND,
    scopes: { read: 'datasets:read', write: 'datasets:write' },
    stoppable: true,
    run: (work, job) => runImport(work, job, options),
    summarize: ({ rows, rejected, dry_run }) => ({
      rejected,
      counts: { total: rows, succeeded: rows - rejected, failed: 0, rejected },
      ...(dry_run && { dry_run }),
    }),
  });

async function runImport(work: ImportWork, job: JobHandle, options: ImportOptions) {
  const { datasets, records, references, files, settled } = options;
  const found = await datasets.byId(work.dataset_id, job.business);
  if (!found) throw new ApiError('DATASET_NOT_FOUND');
  const dataset = await references.asWritten(found);
  // Rows may refer to records that were written before the request, so the read models must contain them.
  if (dataset.columns.some(({ reference }) => reference !== undefined)) await settled();
  const file = await files.open(work.file_id).catch((cause: unknown) => {
    throw cause instanceof FileDamaged ? new ApiError('FILE_DAMAGED', { cause }) : cause;
  });
  if (!file) throw new ApiError('FILE_NOT_FOUND');
  const { header, pieces } = await tableOf(file, work);
  const reader = createRowReader(dataset.columns, header, work.mapping);
  const partial = partialOf(dataset, reader.told, work.mode);
  const check = createRowCheck({ dataset, reader, partial, job, group_id: work.group_id, group_from: work.group_from });
  const referring = createRowReferences(references, dataset, work.mode);
  const judging = { mode: work.mode, lacks: partial.lacks };
  const judge = work.dry_run ? createRehearsal(records, judging) : putting(dataset, judging, job, options);

  const mark = work.dry_run ? undefined : await markOf(job);
  const rejected = new Rejected(header, work.language, mark?.rejected);
  const counts: Counts = mark?.counts ?? { rows: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
  let room = MOST_RECORDS - ((await datasets.counts([dataset.id])).get(dataset.id) ?? 0);
  let sinceMark = 0;
  let line = mark?.line ?? 0;
  /** Whether a row was rejected; with `on_error: stop` this ends the import. */
  let wrong = false;

  async function take(rows: readonly Row[], first: number): Promise<void> {
    const checked = await referring(rows.map(check));
    const bad = work.on_error === 'stop' ? checked.findIndex((one) => 'errors' in one) : -1;
    const taken = bad < 0 ? checked : checked.slice(0, bad + 1);
    const good = taken.filter((one) => 'put' in one);
    const uuids = good.map(({ uuid }) => uuid);
    if (uuids.length > room && (await newOf(records, uuids)) > room) throw new ApiError('DATASET_FULL');
    const judged = await judge(good, first);
    const results = new Map(good.map((one, index) => [one, judged[index]!]));
    for (const one of taken) {
      counts.rows += 1;
      const result = 'put' in one ? results.get(one)! : { code: undefined };
      if (typeof result === 'string') {
        counts[result] += 1;
        if (result === 'inserted') room -= 1;
        continue;
      }
      counts.rejected += 1;
      wrong = true;
      rejected.add('errors' in one ? one : { ...one, errors: errorsOf(result.code!, partial) });
    }
  }

  // In these modes a row may be rejected only when it is written. With `stop`, the next row must wait for the result.
  const step = work.on_error === 'stop' && work.mode !== 'upsert' ? 1 : AT_ONCE;
  const ended = () => job.stopped.aborted || (wrong && work.on_error === 'stop');
  table: for await (const piece of pieces) {
    const rest = piece.filter((row) => row.line > line);
    for (let at = 0; at < rest.length; at += step) {
      if (ended()) break table;
      job.cancelled.throwIfAborted();
      const rows = rest.slice(at, at + step);
      await take(rows, rows[0]!.line);
      line = rows.at(-1)!.line;
      sinceMark += rows.length;
      job.done({ ...counts, dry_run: work.dry_run });
      job.progress(progressOf(counts.rows), work.dry_run ? 'validating' : 'importing');
      if (sinceMark < MARKED || work.dry_run) continue;
      sinceMark = 0;
      await job.artifacts.put(
        MARK,
        'application/json',
        Buffer.from(JSON.stringify({ line, counts, rejected: rejected.kept } satisfies Mark)),
        [accountSubject(job.owner), ...rejected.kept.subjects],
      );
    }
  }
  if (counts.rejected > 0) {
    const { text, subjects } = rejected.kept;
    await job.artifacts.put('rejected.csv', 'text/csv; charset=utf-8', Buffer.from(text), [
      accountSubject(job.owner),
      ...subjects,
    ]);
  }
  if (!work.dry_run) await settled();
  return { ...counts, dry_run: work.dry_run, ...(ended() && { stopped: true }) };
}

/** Progress from 0 to 1. The total number of rows is unknown until the end. */
const progressOf = (rows: number): number => rows / (rows + 10_000);

async function markOf(job: JobHandle): Promise<Mark | undefined> {
  if (job.attempt === 1) return undefined;
  const kept = await job.artifacts.get(MARK);
  return kept && (JSON.parse(kept.toString('utf8')) as Mark);
}

/** Errors of a rejected row. LACKS becomes one error per required column that the table does not have. */
const errorsOf = (code: string, { lacks }: Partial): BadRow['errors'] =>
  code === LACKS ? lacks.map((column) => ({ path: `/${column}`, code: 'REQUIRED' })) : [{ path: '', code }];

/** Writes the rows and returns an outcome for each. `first`: the line of the first row. */
function putting(dataset: DatasetRow, { mode, lacks }: Judging, job: JobHandle, options: ImportOptions) {
  const { putting: records, reserveIds } = options;
  const lacking = mode === 'upsert' && lacks.length > 0;
  const conditions =
    mode === 'insert' ? { ifVersion: 0 } : { mustExist: mode === 'update' || lacking, ifVersion: undefined };

  async function putOne({ put, uuid, commandId }: GoodRow, known: KnownRecord | undefined, recordId: number) {
    try {
      const command = { ...put, ...conditions, uuid, known, commandId, recordId, importId: job.id };
      const { outcome } = (await records.put(command, job.cause)).reply;
      return outcome as 'inserted';
    } catch (error) {
      const { code, status } = toApiError(error);
      if (status >= 500) throw error;
      if (lacking && code === 'RECORD_NOT_FOUND') return { code: LACKS };
      return { code: code === 'RECORD_CHANGED' && mode === 'insert' ? 'RECORD_EXISTS' : code };
    }
  }
  return async (rows: readonly GoodRow[], first: number): Promise<Judgement[]> => {
    if (rows.length === 0) return [];
    const ids = await reserveIds(RECORD_IDS, rows.length, derivedId('ids of rows', job.id, first, rows.length));
    const uuids = mode === 'insert' ? [] : rows.map(({ uuid }) => uuid);
    const known = await records.known(dataset, uuids);
    return Promise.all(rows.map((row, index) => putOne(row, known.get(row.uuid), ids[index]!)));
  };
}
