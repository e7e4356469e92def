/** The log of decisions, for later review. */
import { z } from 'zod';
import type { DispatchQueries } from '../../../projections/dispatch/queries.js';
import { attachment } from '../../core/attachment.js';
import { businessOf } from '../../core/callers.js';
import { invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { deskOf, type DispatchAccess } from './dispatch-access.js';
import { decisionSchema } from './shapes.js';
import { toCsv, toDecision } from './decision-response.js';
import { logOutput, logPageOf } from '../../core/pages.js';

/** Cursor: date and revision of the last entry of a page. */
const CURSOR = /^(\d{4}-\d\d-\d\d)\.(\d{1,9})$/;

export const decisionLog = ({
  queries,
  access,
}: {
  readonly queries: DispatchQueries;
  readonly access: Pick<DispatchAccess, 'today'>;
}): Operation =>
  operation({
    name: 'dispatchDecisions',
    area: 'Dispatch',
    summary: 'List decisions of dispatchers, newest first',
    description:
      'Contractors see only their own decisions. With `Accept: text/csv`, returns the page as a table; the header `Link` (`rel="next"`) then has the URL of the next page.',
    rest: { method: 'get', path: '/v1/dispatch/decisions' },
    callers: ['client_admin', 'employee', 'auditor', 'broker'],
    scopes: ['orders:read'],
    reads: ['dispatch_decisions'],
    input: z.object({
      schedule_date: z.iso.date().optional().describe('Day of the decisions. Default: today, if there is no range.'),
      schedule_date_from: z.iso.date().optional(),
      schedule_date_to: z.iso.date().optional().describe('Last day of the range, inclusive. Default: today.'),
      decided_by: idSchema.optional().describe('User id: return only decisions of this user.'),
      order_id: idSchema.optional(),
      cursor: z.string().regex(CURSOR).optional().describe('`next_cursor` of the previous page.'),
      limit: z.int().min(1).max(200).default(50),
    }),
    output: z.object({ ...logOutput, decisions: z.array(decisionSchema) }),
    async run({ cursor, limit, ...filter }, { caller, header }) {
      const { schedule_date: date, schedule_date_from: from, schedule_date_to: to, decided_by: by, order_id } = filter;
      if (date !== undefined && (from ?? to) !== undefined)
        throw invalidForm('schedule_date', 'absent if `schedule_date_from` or `schedule_date_to` is present');
      const today = access.today(caller);
      const [, day, revision] = CURSOR.exec(cursor ?? '') ?? [];
      const ownDesk = deskOf(caller);
      const rows = await queries.decisions(
        { business: businessOf(caller), desk: ownDesk === 0 ? undefined : ownDesk },
        {
          from: date ?? from ?? (to === undefined ? today : '0000-01-01'),
          to: date ?? to ?? today,
          by,
          orderId: order_id,
          after: day === undefined ? undefined : { date: day, revision: Number(revision) },
          limit: limit + 1,
        },
      );
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const decisions = page.map(toDecision);
      const next = last && `${last.date}.${last.revision}`;
      if (/^text\/csv\b/.test(header('accept') ?? ''))
        return {
          body: Buffer.from(toCsv(decisions)),
          mediaType: 'text/csv; charset=utf-8',
          headers: {
            ...attachment('decisions.csv'),
            'Cache-Control': 'no-store',
            Vary: 'Accept, Authorization, Accept-Encoding',
            ...(next !== undefined && { Link: nextLink(next, { ...filter, limit }) }),
          },
        };
      return { ...logPageOf(next), decisions };
    },
  });

/** Link to the next page, relative to the requested URL. RFC 8288. */
function nextLink(cursor: string, filter: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams({ cursor });
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, String(value));
  return `<?${query.toString()}>; rel="next"`;
}
