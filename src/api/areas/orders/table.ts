/** Import and export of orders as CSV tables: lines are validated first, then a job creates the orders. */
import { z } from 'zod';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import { ORDER_IDS } from '../../../projections/orders/read-model.js';
import { attachment } from '../../core/attachment.js';
import { businessOf, STAFF_ROLES } from '../../core/callers.js';
import { checkLines, importRejected, MAX_REPORTED_ERRORS, reportedErrors } from '../files/check-lines.js';
import {
  createReadImportTable,
  endLineOutput,
  mappingInput,
  TABLE_ANSWERS,
  tableInput,
  type ImportTableOptions,
} from '../files/import-table.js';
import { chooseLanguage } from '../../core/messages/index.js';
import { operation, type Operation } from '../../core/operation.js';
import { MAX_WAIT_S, waitInput, type Jobs } from '../jobs/queue.js';
import { bulkPlacerOf } from './create.js';
import { csvHeader, csvLines, EXPORT_ONLY_COLUMNS, IMPORT_COLUMNS, orderOf } from './csv.js';
import type { ImportWork } from './import-job.js';
import { allowPastDate, checkDate, checkedOrder, checkOrder } from './input.js';
import { lineErrorSchema } from './line-errors.js';
import { filterOf, orderFilters } from './read.js';
import { viewerOf, WRITERS } from './viewer.js';

export interface OrderTableOptions extends ImportTableOptions {
  readonly queries: OrderQueries;
  readonly jobs: Jobs;
}

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

  const readTable = createReadImportTable({ files, tableLimits });

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
      answers: TABLE_ANSWERS,
      input: z.object({
        ...tableInput,
        mapping: mappingInput(IMPORT_COLUMNS, 'OrderColumnInput'),
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
        wait_s: waitInput,
      }),
      output: z.object({
        result: z.boolean(),
        job_id: z.string().nullable().describe('Id of the job. Null if no order is created.'),
        lines: z.int(),
        to_create: z.int(),
        known: z.int().describe('Number of lines that are skipped because an order with the same `order_ref` exists.'),
        rejected: z.int(),
        end_line: endLineOutput,
        created: z.int().nullable().describe('Number of created orders. Null unless the job ended within `wait_s`.'),
        errors: z.array(lineErrorSchema).describe(`Errors of invalid lines. At most ${MAX_REPORTED_ERRORS}.`),
      }),
      async run({ csv, file_id, mapping, known, on_error, allow_past_date, dry_run, wait_s }, context) {
        const { caller, cause, header } = context;
        const columns = { columns: IMPORT_COLUMNS, exported: EXPORT_ONLY_COLUMNS };
        const { lines: tableLines, endLine = null } = await readTable({ csv, file_id, mapping }, caller, columns);
        const lines = tableLines.map(({ line, cells }) => ({
          line,
          order: { ...orderOf(cells), ...(allow_past_date && { allow_past_date }) } as Record<string, unknown>,
        }));
        const placer = bulkPlacerOf(context);
        const { validLines, lineErrors } = await checkLines(lines, (line) => {
          const order = checkedOrder(line.order);
          checkOrder(order);
          checkDate(order.schedule_date, placer.today, order.allow_past_date);
        });
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
          errors: reportedErrors(lineErrors, language),
        };
        if (lineErrors.length > 0 && on_error === 'stop' && !dry_run)
          throw importRejected(lineErrors.length, response.errors);
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
      description:
        'Returns orders, newest first, with the filters of `orders`. The table has the columns of the import, and in addition `order_id`, `status`, `tracking_numbers` and `created_at`. It contains all matching orders. If the export is interrupted, the service closes the connection before the end of the response. A cell that a spreadsheet would interpret as a formula begins with an apostrophe.',
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
