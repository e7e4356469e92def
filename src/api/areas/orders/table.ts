/** Import and export of orders as CSV tables: lines are validated first, then a job creates the orders. */
import { z } from 'zod';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import { ORDER_IDS } from '../../../projections/orders/read-model.js';
import type { FileContent } from '../../../engines/file-reader/readers.js';
import type { TableLimits } from '../../../engines/file-reader/limits.js';
import type { Files } from '../../../engines/files/files.js';
import { attachment } from '../../core/attachment.js';
import { businessOf, userOf, STAFF_ROLES, type Caller } from '../../core/callers.js';
import { ApiError, fieldError, invalidField, invalidForm } from '../../core/errors.js';
import { loadFile } from '../files/load-file.js';
import type { Readers } from '../files/read-pieces.js';
import { chooseLanguage } from '../../core/messages/index.js';
import { operation, type Operation } from '../../core/operation.js';
import { MAX_WAIT_S, type Jobs } from '../jobs/queue.js';
import { bulkPlacerOf } from './create.js';
import { csvHeader, csvLines, IMPORT_COLUMNS, readOrders } from './csv.js';
import { MAX_REPORTED_ERRORS, type ImportWork } from './import-job.js';
import { allowPastDate, checkDate, checkedOrder, checkOrder } from './input.js';
import { lineErrorSchema, toLineError, type LineError } from './line-errors.js';
import { filterOf, orderFilters } from './read.js';
import { outcomeOf } from './results.js';
import { viewerOf, WRITERS } from './viewer.js';

export interface OrderTableOptions {
  readonly queries: OrderQueries;
  readonly jobs: Jobs;
  readonly files: Pick<Files, 'find' | 'open' | 'release'> & { readonly readers: Readers };
  readonly tableLimits: TableLimits;
}

const CSV = 'text/csv';

/** Limit per file. */
const MAX_LINES = 5_000;
/** Number of lines that are validated before other requests may run. */
const CHUNK_SIZE = 100;
const PAGE = 500;

export function orderTable({ queries, jobs, files, tableLimits }: OrderTableOptions): Operation[] {
  /** References that existing orders of the business have. */
  async function knownRefs(refs: readonly string[], business: number): Promise<ReadonlySet<string | null>> {
    const existing = new Set<string | null>();
    for (let at = 0; at < refs.length; at += PAGE) {
      const chunk = refs.slice(at, at + PAGE);
      for await (const orders of queries.inPages({ orderRefs: chunk }, { business }, PAGE))
        for (const { order_ref } of orders) existing.add(order_ref);
    }
    return existing;
  }

  /** Only the user who uploaded a file may import it. */
  async function tableToImport(
    csv: string | undefined,
    fileId: string | undefined,
    caller: Caller,
  ): Promise<FileContent> {
    if (csv === undefined && fileId === undefined) throw invalidField('REQUIRED', 'csv');
    if (csv !== undefined && fileId !== undefined) throw invalidForm('file_id', 'absent if `csv` is present');
    if (fileId === undefined) return Buffer.from(csv!);
    const file = await files.find(fileId);
    if (!file || file.business !== businessOf(caller) || file.owner !== userOf(caller).userId)
      throw new ApiError('FILE_NOT_FOUND');
    if (file.purpose !== 'import' || file.media_type !== CSV)
      throw fieldError('UNSUPPORTED_MEDIA_TYPE', 'file_id', { allowed: CSV });
    return () => loadFile(files, fileId);
  }

  return [
    operation({
      name: 'ordersImport',
      area: 'Orders',
      summary: 'Import orders from a CSV table',
      description: `Creates one order with one package from each line of the table. The first line is the header. Separators are commas, semicolons or tabs. The columns have the names of fields: ${IMPORT_COLUMNS.join(', ')}. To import columns with other names, set \`mapping\`. A column that is mapped to an empty text is ignored. The service validates all lines first; then a job creates the orders. To validate only, set \`dry_run\`.`,
      rest: { method: 'post', path: '/v1/orders/import', status: 202 },
      waits: MAX_WAIT_S,
      callers: WRITERS,
      scopes: ['orders:write', 'orders:read'],
      reads: ['orders'],
      risk: 'high',
      confirm: true,
      writes: true,
      answers: {
        422: '`IMPORT_REJECTED`: some lines are invalid, and `on_error` is `stop`. `TABLE_TOO_WIDE`, `TABLE_TOO_LARGE`, `FILE_READ_MEMORY`, `FILE_READ_TIME`, `FILE_READ_FAILED`: the table cannot be read within the limits.',
        429: '`TOO_MANY_JOBS`: too many jobs are queued.',
        503: '`UNAVAILABLE`: too many files of the business are read at the moment.',
      },
      input: z.object({
        csv: z
          .string()
          .min(1)
          .max(1_000_000)
          .optional()
          .describe('The complete table. Required unless `file_id` is given.'),
        file_id: z.uuid().optional().describe('Uploaded CSV file with the purpose `import`, instead of `csv`.'),
        mapping: z
          .array(
            z
              .strictObject({ from: z.string().max(100), to: z.union([z.enum(IMPORT_COLUMNS), z.literal('')]) })
              .meta({ id: 'OrderColumnInput' }),
          )
          .max(200)
          .default([])
          .describe('`from`: name of a column in the table. `to`: field that the column sets.'),
        known: z
          .enum(['skip', 'create'])
          .default('skip')
          .describe(
            'Handling of lines with the `order_ref` of an existing order. `skip`: ignore the line. `create`: create another order.',
          ),
        on_error: z
          .enum(['stop', 'skip'])
          .default('stop')
          .describe('`stop`: if a line is invalid, no order is created. `skip`: invalid lines are ignored.'),
        allow_past_date: allowPastDate.describe(
          'Accept lines with a `schedule_date` in the past, for orders that are recorded afterwards.',
        ),
        dry_run: z.boolean().default(false).describe('Validate and count the lines without creating orders.'),
        wait_s: z
          .int()
          .min(0)
          .max(MAX_WAIT_S)
          .default(0)
          .describe('Maximum number of seconds to wait for the end of the job.'),
      }),
      output: z.object({
        result: z.boolean(),
        job_id: z.string().nullable().describe('Id of the job. Null if no order is created.'),
        lines: z.int(),
        to_create: z.int(),
        known: z.int().describe('Number of lines that are skipped because an order with the same `order_ref` exists.'),
        rejected: z.int(),
        end_line: z
          .int()
          .nullable()
          .describe('Line after which blank rows ended the table. Null: the table was read to its end.'),
        created: z.int().nullable().describe('Number of created orders. Null unless the job ended within `wait_s`.'),
        errors: z.array(lineErrorSchema).describe(`Errors of invalid lines. At most ${MAX_REPORTED_ERRORS}.`),
      }),
      async run({ csv, file_id, mapping, known, on_error, allow_past_date, dry_run, wait_s }, context) {
        const { caller, cause, header } = context;
        const content = await tableToImport(csv, file_id, caller);
        const members = new Map(mapping.map(({ from, to }) => [from, to]));
        const reading = {
          readers: files.readers.requests,
          limits: tableLimits,
          maxRows: MAX_LINES + 1,
          business: businessOf(caller),
          field: csv === undefined ? 'file_id' : 'csv',
        };
        const { lines: tableLines, endLine = null } = await readOrders(content, members, reading);
        const lines = tableLines.map(({ line, order }) => ({
          line,
          order: allow_past_date ? { ...order, allow_past_date } : order,
        }));
        if (lines.length > MAX_LINES)
          throw new ApiError('INVALID_INPUT', {
            errors: [{ field: 'csv', path: '/csv', code: 'TOO_MANY_ITEMS', params: { max: MAX_LINES } }],
          });
        const placer = bulkPlacerOf(context);
        const lineErrors: LineError[] = [];
        const validLines: typeof lines = [];
        for (const [index, line] of lines.entries()) {
          if (index % CHUNK_SIZE === CHUNK_SIZE - 1) await new Promise(setImmediate);
          const outcome = await outcomeOf(index, async () => {
            const order = checkedOrder(line.order);
            checkOrder(order);
            checkDate(order.schedule_date, placer.today, order.allow_past_date);
            return undefined as never;
          });
          if ('failed' in outcome) lineErrors.push({ line: line.line, failed: outcome.failed });
          else validLines.push(line);
        }
        const refs = validLines.flatMap(({ order }) => (order['order_ref'] as string | undefined) ?? []);
        const existingRefs =
          known === 'skip' ? await knownRefs([...new Set(refs)], businessOf(caller)) : new Set<string | null>();
        const newLines = validLines.filter(
          ({ order }) => !existingRefs.has((order['order_ref'] as string | undefined) ?? null),
        );
        const language = chooseLanguage(header('accept-language'));
        const response = {
          result: lineErrors.length === 0,
          lines: lines.length,
          to_create: newLines.length,
          known: validLines.length - newLines.length,
          rejected: lineErrors.length,
          end_line: endLine,
          errors: lineErrors.slice(0, MAX_REPORTED_ERRORS).map((error) => toLineError(error, language)),
        };
        if (lineErrors.length > 0 && on_error === 'stop' && !dry_run)
          throw new ApiError('IMPORT_REJECTED', {
            params: { count: lineErrors.length },
            members: { lines: response.errors },
          });
        const isDryRun = dry_run || cause.dryRun;
        // The job gets a copy of the orders and does not need the file.
        if (file_id !== undefined && !isDryRun) await files.release(file_id);
        if (isDryRun || newLines.length === 0) return { ...response, job_id: null, created: null };
        const ids = await context.reserveIds(ORDER_IDS, newLines.length);
        const orders = newLines.map(({ line, order }, index) => ({ id: ids[index]!, line, order }));
        const jobId = await jobs.queue('orders_import', { placer, orders } satisfies ImportWork, context);
        const job = await jobs.waitFor(jobId, wait_s);
        const created = job?.state === 'succeeded' ? (job.result as { created: number }).created : null;
        return { ...response, job_id: jobId, created };
      },
    }),

    operation({
      name: 'ordersExport',
      area: 'Orders',
      summary: 'Export orders as a CSV table',
      description: `Returns orders, newest first, with the filters of \`orders\`. The columns are those of the import, and \`order_id\`, \`status\`, \`tracking_numbers\` and \`created_at\`. The export contains all matching orders. If it is interrupted, the connection is closed before the end of the response. A cell that a spreadsheet would interpret as a formula begins with an apostrophe.`,
      rest: { method: 'get', path: '/v1/orders/export', produces: 'text/csv' },
      callers: STAFF_ROLES,
      scopes: ['orders:read'],
      reads: ['orders'],
      streams: true,
      input: z.object(orderFilters),
      output: z.string(),
      async run(filters, { caller }) {
        const viewer = viewerOf(caller);
        const filter = filterOf(filters, caller);
        async function* pieces(): AsyncIterable<string> {
          yield csvHeader();
          for await (const orders of queries.inPages(filter, viewer, PAGE)) yield csvLines(orders);
        }
        return { pieces: pieces(), mediaType: 'text/csv; charset=utf-8', headers: attachment('orders.csv') };
      },
    }),
  ];
}
