/**
 * Reads of the log for auditors and admins: events by filter, as pages or as an export, causal chains, and past states.
 */
import { z } from 'zod';
import { instantOf } from '../../../events/otep/time.js';
import type { Moment } from '../../../projections/rebuild/moment.js';
import { filtersOf, streamOrNumber } from './filters.js';
import type { ParcelStreams } from './parcels.js';
import type { AuditReader, ToldPage } from './reader.js';
import { toldEventSchema } from './shown-event.js';
import type { Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';

const MAX_PAGE = 500;
/** Callers, scopes and read models of all operations in this file. */
const READERS = {
  callers: ['platform_admin', 'client_admin', 'auditor'],
  scopes: ['audit:read'],
  reads: ['audit_index', 'timeline'],
} as const satisfies Partial<Operation>;

const include_personal = z
  .boolean()
  .default(false)
  .describe(
    'Opens personal data: for client admins. Without it, and for everybody else, events say only that there is some.',
  );
const paging = {
  sort: z.enum(['-recorded_at', 'recorded_at']).default('-recorded_at'),
  cursor: z
    .string()
    .max(80)
    .optional()
    .describe(
      '`next_cursor` of the page before. Events that were recorded in the meantime neither move nor repeat anything.',
    ),
  limit: z.int().min(1).max(MAX_PAGE).default(100),
};
/** Sorting uses the log position, which increases with the time of recording. */
const orderOf = (sort: z.infer<typeof paging.sort>): 'oldest' | 'newest' =>
  sort === 'recorded_at' ? 'oldest' : 'newest';

const pageOutput = {
  result: z.boolean(),
  events: z.array(toldEventSchema),
  has_more: z.boolean(),
  next_cursor: z
    .string()
    .nullable()
    .describe('Of the oldest first also at the end: what is recorded later stands behind it.'),
};

const toldPage = ({ events, more, next }: ToldPage) => ({
  result: true,
  events: [...events],
  has_more: more,
  next_cursor: next ?? null,
});

export function audit(reader: AuditReader, parcels: ParcelStreams): Operation[] {
  const { filters, filterOf } = filtersOf(reader, parcels);

  async function streamOf(nameOrNumber: string, caller: Caller): Promise<string> {
    const stream = await parcels.one(nameOrNumber, caller);
    if (stream === undefined) throw new ApiError('NOT_FOUND');
    return stream;
  }

  const cursorOf = async (cursor: string | undefined) =>
    cursor === undefined ? undefined : reader.position(cursor, 'cursor');

  async function momentOf(at: string): Promise<Moment> {
    const instant = instantOf(at);
    return instant ? { instant } : { position: await reader.position(at, 'at') };
  }

  return [
    operation({
      name: 'auditEvents',
      area: 'Audit',
      summary: 'List the events of the business in the order of the log',
      description:
        'An event belongs to the business that owns its order, account or tracking, whoever caused it. Platform admins see what belongs to no business, and what happens to businesses as such. The newest events may be missing for up to five seconds, unless the request brings a position.',
      rest: { method: 'get', path: '/v1/audit/events' },
      ...READERS,
      input: z.object({ ...filters, ...paging, include_personal }),
      output: z.object(pageOutput),
      async run({ sort, cursor, limit, include_personal, ...asked }, { caller }) {
        return toldPage(
          await reader.page(
            caller,
            await filterOf(asked, caller),
            { order: orderOf(sort), limit, cursor: await cursorOf(cursor) },
            include_personal,
          ),
        );
      },
    }),
    operation({
      name: 'auditExport',
      area: 'Audit',
      summary: 'All of it, one JSON document a line, oldest first',
      description:
        'Up to where the log ends when it is asked for, written as fast as it is read. An answer that breaks off is gone on with by `behind`, the position of its last line.',
      rest: { method: 'get', path: '/v1/audit/events/export', produces: 'application/x-ndjson' },
      ...READERS,
      streams: true,
      input: z.object({ ...filters, include_personal }),
      output: toldEventSchema,
      async run({ include_personal, ...asked }, { caller }) {
        return {
          pieces: reader.lines(caller, await filterOf(asked, caller), include_personal),
          mediaType: 'application/x-ndjson',
        };
      },
    }),
    operation({
      name: 'auditStreamEvents',
      area: 'Audit',
      summary: 'List the events of one stream',
      description: 'Of an order, a tracking, an account.',
      rest: { method: 'get', path: '/v1/audit/streams/:stream/events' },
      ...READERS,
      answers: { 404: 'There is no such stream in the business.' },
      input: z.object({
        stream: streamOrNumber,
        ...paging,
        sort: paging.sort.default('recorded_at'),
        include_personal,
      }),
      output: z.object(pageOutput),
      async run({ stream, sort, cursor, limit, include_personal }, { caller }) {
        const page = { order: orderOf(sort), limit, cursor: await cursorOf(cursor) };
        return toldPage(await reader.pageOf(caller, await streamOf(stream, caller), page, include_personal));
      },
    }),
    operation({
      name: 'auditState',
      area: 'Audit',
      summary: 'Read the state of an order, account or tracking at a moment',
      description:
        'The events of its stream up to then, folded again as the read models fold them; of a tracking also the timeline that its readers saw. An assignment is a part of its order.',
      rest: { method: 'get', path: '/v1/audit/state' },
      ...READERS,
      answers: { 404: 'There is no such stream in the business, or there was none yet.' },
      input: z.object({
        stream: streamOrNumber,
        at: z.string().max(80).optional().describe('A time (RFC 3339) or a position; absent: now.'),
        include_personal,
      }),
      output: z.object({
        result: z.boolean(),
        audit_state: z
          .object({
            stream: z.string(),
            revision: z.int(),
            event_position: z.string(),
            recorded_at: z.string(),
            rows: z
              .record(z.string(), z.array(z.record(z.string(), z.unknown())))
              .describe('By the read model that they belong to.'),
            timeline: z.record(z.string(), z.unknown()).optional(),
          })
          .meta({ id: 'AuditState' }),
      }),
      async run({ stream: asked, at, include_personal }, { caller }) {
        const stream = await streamOf(asked, caller);
        const { last, states, timeline } = await reader.stateAt(
          caller,
          stream,
          at === undefined ? undefined : await momentOf(at),
          include_personal,
        );
        const rows = Object.fromEntries(
          Object.entries(states).map(([name, list]) => [name, list.map((row) => ({ ...row }))]),
        );
        return {
          result: true,
          audit_state: {
            stream,
            revision: last.revision,
            event_position: last.position,
            recorded_at: String(last.metadata['recorded_at']),
            rows,
            ...(timeline && { timeline: { ...timeline } }),
          },
        };
      },
    }),
    operation({
      name: 'auditChain',
      area: 'Audit',
      summary: 'What one request led to, from cause to effect',
      rest: { method: 'get', path: '/v1/audit/chain/:correlation_id' },
      ...READERS,
      answers: { 404: 'The request led to nothing in the business.' },
      input: z.object({
        correlation_id: z.string().min(1).max(200),
        cursor: paging.cursor,
        limit: paging.limit,
        include_personal,
      }),
      output: z.object({
        ...pageOutput,
        events: z.array(
          toldEventSchema
            .extend({ depth: z.int().describe('0: of the request itself; 1: of an event of it, and so on.') })
            .meta({ id: 'AuditChainEvent' }),
        ),
      }),
      async run({ correlation_id, cursor, limit, include_personal }, { caller }) {
        const found = await reader.chain(
          caller,
          correlation_id,
          { limit, cursor: await cursorOf(cursor) },
          include_personal,
        );
        return {
          ...toldPage(found),
          events: found.events.map((event) => ({ ...event, depth: found.depths.get(event.id) ?? 0 })),
        };
      },
    }),
  ];
}
