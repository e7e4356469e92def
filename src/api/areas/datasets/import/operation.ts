/** Imports an uploaded table as records, by a job that reports the rejected rows. */
import { z } from 'zod';
import type { Files } from '../../../../engines/files/files.js';
import { businessOf, userOf, type Caller } from '../../../core/callers.js';
import { ApiError } from '../../../core/errors.js';
import { idSchema } from '../../../core/ids.js';
import { chooseLanguage } from '../../../core/messages/index.js';
import { operation, type Operation } from '../../../core/operation.js';
import type { Parts } from '../../../core/parts.js';
import type { Jobs } from '../../jobs/queue.js';
import { datasetOf } from '../reading.js';
import { expectGroup } from '../put.js';
import type { References } from '../references.js';
import { groupId } from '../shapes.js';
import { invalid } from '../values.js';
import { IMPORT_KIND, type ImportWork } from './job.js';
import { IMPORT_MODES } from './mode.js';
import { checkMapping, mappingInput } from './mapping.js';

export interface DatasetImportOptions extends Parts<'datasets'> {
  readonly files: Pick<Files, 'find'>;
  readonly jobs: Jobs;
  readonly references: References;
}

/** Checks that the caller uploaded the file for an import. Throws FILE_NOT_FOUND and INVALID_INPUT. */
async function expectTable(files: DatasetImportOptions['files'], id: string, caller: Caller): Promise<void> {
  const file = await files.find(id);
  if (!file || file.business !== businessOf(caller) || file.owner !== userOf(caller).userId)
    throw new ApiError('FILE_NOT_FOUND');
  if (file.purpose !== 'import') throw invalid([{ field: 'file_id', path: '/file_id', code: 'INVALID_FORM' }]);
}

export const datasetImport = ({ datasets, files, jobs, references }: DatasetImportOptions): Operation =>
  operation({
    name: 'datasetImport',
    returns: { read: 'job' },
    area: 'Dataset',
    summary: 'Put the rows of a table as records',
    description:
      'CSV or XLSX, uploaded with the purpose `import`. A job reads it: `result` of the job says how many rows were inserted, updated, unchanged, rejected; its file `rejected.csv` has the rejected rows as they were given, with line, column, code and message, and may be imported again once it is corrected. Nothing is guessed: `01067` in a text stays what it is.',
    rest: { method: 'post', path: '/v1/datasets/:dataset_id/import', status: 202 },
    callers: ['client_admin', 'employee'],
    scopes: ['datasets:write', 'datasets:read'],
    reads: ['datasets'],
    writes: true,
    risk: 'medium',
    answers: {
      404: 'There is no such dataset, file or group.',
      422: 'The dataset cannot be imported into in this way.',
      429: 'Too many jobs wait.',
    },
    input: z.object({
      dataset_id: idSchema.describe('Id of the dataset.'),
      file_id: z.uuid().describe('An uploaded CSV or XLSX of the purpose `import`.'),
      sheet: z.string().min(1).max(100).optional().describe('Of an XLSX, by its name; absent: the first one.'),
      header_row: z.int().min(1).max(100).default(1),
      mapping: mappingInput
        .optional()
        .describe('Other columns of the file are passed over. Absent: each is called as what it is put into.'),
      mode: z
        .enum(IMPORT_MODES)
        .default('insert')
        .describe('By the key: `insert` takes new records alone, `update` those that are there, `upsert` both.'),
      group_id: groupId.optional().describe('The group of all records.'),
      group_from: z.string().min(1).max(200).optional().describe('The column of the file that names the group.'),
      on_error: z
        .enum(['skip', 'stop'])
        .default('skip')
        .describe('`stop`: at the first rejected row; what is done stays.'),
      dry_run: z.boolean().default(false).describe('Only say what would be done.'),
    }),
    output: z.object({ result: z.boolean() }),
    async run(input, context) {
      const dataset = await datasetOf(datasets, input.dataset_id, context.caller);
      await expectTable(files, input.file_id, context.caller);
      if (input.mapping) checkMapping((await references.asWritten(dataset)).columns, input.mapping);
      if (input.mode !== 'insert' && dataset.key_column === null)
        throw invalid([{ field: 'mode', path: '/mode', code: 'INVALID_FORM' }]);
      if (input.group_id !== undefined && input.group_from !== undefined)
        throw invalid([{ field: 'group_from', path: '/group_from', code: 'INVALID_FORM' }]);
      expectGroup(dataset, input.group_id);
      if (context.cause.rehearsal) return { result: true };
      const work: ImportWork = { ...input, language: chooseLanguage(context.header('accept-language')) };
      return { result: true, job_id: await jobs.queue(IMPORT_KIND, work, context, `dataset-${dataset.id}`) };
    },
  });
