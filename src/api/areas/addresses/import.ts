/** Imports a CSV table into the address book of the business: lines are validated first, then a job saves them. */
import { z } from 'zod';
import { ADDRESS_IDS } from '../../../projections/addresses/read-model.js';
import { checkInput } from '../../core/check-input.js';
import { chooseLanguage } from '../../core/messages/index.js';
import { operation, type Operation } from '../../core/operation.js';
import { checkLines, importRejected, MAX_REPORTED_ERRORS, reportedErrors } from '../files/check-lines.js';
import {
  createReadImportTable,
  endLineOutput,
  mappingInput,
  TABLE_ANSWERS,
  tableInput,
  type ImportTableOptions,
} from '../files/import-table.js';
import { MAX_WAIT_S, waitInput, type Jobs } from '../jobs/queue.js';
import { numberIn, STOP_FIELDS, toBoolean } from '../orders/csv.js';
import { lineErrorSchema } from '../orders/line-errors.js';
import { WRITERS } from '../orders/viewer.js';
import { ADDRESS_IMPORT, type AddressImportResult, type AddressImportWork } from './import-job.js';
import { entryInput, ownerOf, toStored, type EntryInput } from './shapes.js';

export interface AddressImportOptions extends ImportTableOptions {
  readonly jobs: Jobs;
}

/** Columns of a table, named by the fields that they fill. */
const COLUMNS = ['kind', 'label', 'note', 'is_default', ...STOP_FIELDS, 'latitude', 'longitude'] as const;

const ENTRY = { input: z.strictObject(entryInput) };

/** The entry of a line in the form of a request. Empty cells are omitted. */
function requestOf(cells: ReadonlyMap<string, string>): Record<string, unknown> {
  const entry: Record<string, unknown> = { kind: 'recipient' };
  const address: Record<string, unknown> = {};
  for (const [name, text] of cells) {
    if (name === 'latitude' || name === 'longitude')
      address['position'] = { ...(address['position'] as object | undefined), [name]: numberIn(text) };
    else if ((STOP_FIELDS as readonly string[]).includes(name)) address[name] = text;
    else entry[name] = name === 'is_default' ? toBoolean(text) : text;
  }
  return { ...entry, address };
}

export function addressImport({ jobs, files, tableLimits }: AddressImportOptions): Operation {
  const readTable = createReadImportTable({ files, tableLimits });

  return operation({
    name: 'addressImport',
    area: 'AddressBook',
    summary: 'Import address book entries from a CSV table',
    description: `Saves one entry for each line of the table. As with \`addressCreate\`, an address that the book already has is not saved again. The first line is the header. The columns have the names of fields: ${COLUMNS.join(', ')}. Without a column \`kind\`, the entries are recipients. To import columns with other names, set \`mapping\`. A column that is mapped to an empty text is ignored. The service validates all lines first; then a job saves the entries. To validate only, set \`dry_run\`.`,
    rest: { method: 'post', path: '/v1/address-book/import', status: 202 },
    waits: MAX_WAIT_S,
    callers: WRITERS,
    scopes: ['orders:write', 'address:read'],
    risk: 'medium',
    writes: true,
    answers: TABLE_ANSWERS,
    input: z.object({
      ...tableInput,
      mapping: mappingInput(COLUMNS, 'AddressColumnInput'),
      on_error: z
        .enum(['stop', 'skip'])
        .default('stop')
        .describe('`stop`: if a line is invalid, no entry is saved. `skip`: invalid lines are ignored.'),
      dry_run: z.boolean().default(false).describe('Validate and count the lines without saving entries.'),
      wait_s: waitInput,
    }),
    output: z.object({
      result: z.boolean(),
      job_id: z.string().nullable().describe('Id of the job. Null if no entry is saved.'),
      lines: z.int(),
      to_save: z.int().describe('Number of valid lines.'),
      rejected: z.int(),
      end_line: endLineOutput,
      created: z.int().nullable().describe('Number of new entries. Null unless the job ended within `wait_s`.'),
      known: z
        .int()
        .nullable()
        .describe('Number of lines whose address the book already had. Null unless the job ended within `wait_s`.'),
      errors: z.array(lineErrorSchema).describe(`Errors of invalid lines. At most ${MAX_REPORTED_ERRORS}.`),
    }),
    async run({ csv, file_id, mapping, on_error, dry_run, wait_s }, context) {
      const { caller, cause, header } = context;
      const { lines: tableLines, endLine = null } = await readTable({ csv, file_id, mapping }, caller, {
        columns: COLUMNS,
      });
      const lines = tableLines.map(({ line, cells }) => ({ line, request: requestOf(cells) }));
      const { validLines, lineErrors } = await checkLines(lines, ({ request }) => void entryOf(request));
      const response = {
        result: lineErrors.length === 0,
        lines: lines.length,
        to_save: validLines.length,
        rejected: lineErrors.length,
        end_line: endLine,
        errors: reportedErrors(lineErrors, chooseLanguage(header('accept-language'))),
      };
      const isDryRun = dry_run || cause.dryRun;
      if (lineErrors.length > 0 && on_error === 'stop' && !dry_run)
        throw importRejected(lineErrors.length, response.errors);
      // The job gets a copy of the entries and does not need the file.
      if (file_id !== undefined && !isDryRun) await files.release(file_id);
      if (isDryRun || validLines.length === 0) return { ...response, job_id: null, created: null, known: null };
      const ids = await context.reserveIds(ADDRESS_IDS, validLines.length);
      const work: AddressImportWork = {
        owner: ownerOf(caller),
        lines: validLines.map(({ line, request }, index) => ({ id: ids[index]!, line, entry: entryOf(request) })),
      };
      const jobId = await jobs.queue(ADDRESS_IMPORT, work, context);
      const job = await jobs.waitFor(jobId, wait_s);
      const { created = null, existing: known = null } = (
        job?.state === 'succeeded' ? job.result : {}
      ) as Partial<AddressImportResult>;
      return { ...response, job_id: jobId, created, known };
    },
  });
}

/** Throws INVALID_INPUT. */
function entryOf(request: Record<string, unknown>) {
  const entry = checkInput(ENTRY as unknown as Pick<Operation, 'input'>, request) as unknown as EntryInput;
  return { ...toStored(entry), default: entry.is_default };
}
