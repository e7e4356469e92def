/** Imports an uploaded table as records, by a job that reports the rejected rows. */
import { z } from 'zod';
import type { Files } from '../../../../engines/files/files.js';
import { businessOf, userOf, type Caller } from '../../../core/callers.js';
import { ApiError, formatError } from '../../../core/errors.js';
import { idSchema } from '../../../core/ids.js';
import { chooseLanguage } from '../../../core/messages/index.js';
import { operation, type Operation } from '../../../core/operation.js';
import type { Parts } from '../../../core/parts.js';
import type { Jobs } from '../../jobs/queue.js';
import { datasetOf } from '../read-dataset.js';
import { expectGroup } from '../put-command.js';
import type { References } from '../references.js';
import { groupId } from '../shapes.js';
import { invalidInput } from '../values.js';
import { IMPORT_KIND, type ImportWork } from './job.js';
import { IMPORT_MODES } from './mode.js';
import { checkMapping, mappingInput } from './mapping.js';

export interface DatasetImportOptions extends Parts<'datasets'> {
  readonly files: Pick<Files, 'find'>;
  readonly jobs: Jobs;
  readonly references: References;
}

/** The file, which the caller must have uploaded for an import. Throws FILE_NOT_FOUND and INVALID_INPUT. */
async function tableOf(files: DatasetImportOptions['files'], id: string, caller: Caller) {
  const file = await files.find(id);
  if (!file || file.business !== businessOf(caller) || file.owner !== userOf(caller).userId)
    throw new ApiError('FILE_NOT_FOUND');
  if (file.purpose !== 'import')
    throw invalidInput([formatError('file_id', 'a file that was uploaded with `purpose=import`')]);
  return file;
}

export const datasetImport = ({ datasets, files, jobs, references }: DatasetImportOptions): Operation =>
  operation({
    name: 'datasetImport',
    returns: { read: 'job' },
    area: 'Dataset',
    summary: 'Import records from a CSV or XLSX file',
    description:
      'Starts a job that imports a file uploaded with the purpose `import`. The `result` of the job counts inserted, updated, unchanged and rejected rows. The file `rejected.csv` of the job contains the rejected rows with line, column, code and message. Correct this file and import it again. The service does not guess types: `01067` in a text column stays `01067`.',
    rest: { method: 'post', path: '/v1/datasets/:dataset_id/import', status: 202 },
    callers: ['client_admin', 'employee'],
    scopes: ['datasets:write', 'datasets:read'],
    reads: ['datasets'],
    writes: true,
    risk: 'medium',
    answers: {
      404: 'There is no such dataset, file or group.',
      422: 'The dataset cannot be imported with these settings.',
      429: 'Too many jobs are queued.',
    },
    input: z.object({
      dataset_id: idSchema.describe('Id of the dataset.'),
      file_id: z.uuid().describe('Id of a CSV or XLSX file that you uploaded with the purpose `import`.'),
      sheet: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('Name of the sheet of an XLSX file. Default: the first sheet.'),
      header_row: z.int().min(1).max(100).default(1),
      mapping: mappingInput
        .optional()
        .describe(
          'Columns to import; other columns of the file are ignored. Default: every column, matched by equal names.',
        ),
      mode: z
        .enum(IMPORT_MODES)
        .default('insert')
        .describe(
          'Rows to accept, by their key. `insert`: only new records. `update`: only existing records. `upsert`: both.',
        ),
      group_id: groupId.optional().describe('Group for all records.'),
      group_from: z.string().min(1).max(200).optional().describe('Column of the file that contains the group id.'),
      on_error: z
        .enum(['skip', 'stop'])
        .default('skip')
        .describe('`skip`: continue after rejected rows. `stop`: end at the first rejected row; imported rows remain.'),
      dry_run: z.boolean().default(false).describe('Whether the job only reports the outcome and writes no records.'),
    }),
    output: z.object({ result: z.boolean() }),
    async run(input, context) {
      const dataset = await datasetOf(datasets, input.dataset_id, context.caller);
      const file = await tableOf(files, input.file_id, context.caller);
      if (input.mapping) checkMapping((await references.withReferenceTypes(dataset)).columns, input.mapping);
      if (input.mode !== 'insert' && dataset.key_column === null)
        throw invalidInput([formatError('mode', '`insert`, because the dataset has no key column')]);
      if (input.group_id !== undefined && input.group_from !== undefined)
        throw invalidInput([formatError('group_from', 'absent where `group_id` is given')]);
      expectGroup(dataset, input.group_id);
      if (context.cause.dryRun) return { result: true };
      const work: ImportWork = {
        ...input,
        file_bytes: file.size,
        language: chooseLanguage(context.header('accept-language')),
      };
      return { result: true, job_id: await jobs.queue(IMPORT_KIND, work, context, `dataset-${dataset.id}`) };
    },
  });
