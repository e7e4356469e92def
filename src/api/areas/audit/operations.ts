/**
 * Reads of the log for auditors and admins:
 * - events by filter, as pages or as an export,
 * - causal chains,
 * - past states.
 */
import { z } from 'zod';
import { instantOf } from '../../../events/otep/time.js';
import type { Moment } from '../../../projections/rebuild/moment.js';
import { createAuditFilters, streamOrNumber } from './filters.js';
import type { ParcelStreams } from './parcel-streams.js';
import type { AuditReader, EventPage } from './reader.js';
import { eventResponseSchema } from './event-response.js';
import { attachment } from '../../core/attachment.js';
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
    'Whether to decrypt personal data. Only client admins may set this field. If false, events show only whether personal data exists.',
  );
const pagingInput = {
  sort: z.enum(['-recorded_at', 'recorded_at']).default('-recorded_at'),
  cursor: z
    .string()
    .max(80)
    .optional()
    .describe('`next_cursor` of the previous page. New events do not change which entries later pages contain.'),
  limit: z.int().min(1).max(MAX_PAGE).default(100),
};
/** Sorting uses the log position, which increases with the time of recording. */
const orderOf = (sort: z.infer<typeof pagingInput.sort>): 'oldest' | 'newest' =>
  sort === 'recorded_at' ? 'oldest' : 'newest';

const pageOutput = {
  result: z.boolean(),
  events: z.array(eventResponseSchema),
  has_more: z.boolean(),
  next_cursor: z
    .string()
    .nullable()
    .describe(
      'Cursor of the next page. If the oldest events are listed first, the last page also has a cursor, so that clients can read later events.',
    ),
};

const toPageResponse = ({ events, more, next }: EventPage) => ({
  result: true,
  events: [...events],
  has_more: more,
  next_cursor: next ?? null,
});

export function audit(reader: AuditReader, parcels: ParcelStreams): Operation[] {
  const { filters, toAuditFilter: filterOf } = createAuditFilters(reader, parcels);

  async function streamOf(nameOrNumber: string, caller: Caller): Promise<string> {
    const stream = await parcels.streamOf(nameOrNumber, caller);
    if (stream === undefined) throw new ApiError('NOT_FOUND');
    return stream;
  }

  const cursorOf = async (cursor: string | undefined) =>
    cursor === undefined ? undefined : reader.parsePosition(cursor, 'cursor');

  async function momentOf(at: string): Promise<Moment> {
    const instant = instantOf(at);
    return instant ? { instant } : { position: await reader.parsePosition(at, 'at') };
  }

  return [
    operation({
      name: 'auditEvents',
      area: 'Audit',
      summary: 'List events of the audit log',
      description:
        'Returns the events of your business in log order. An event belongs to the business that owns its order, account or tracking, regardless of the actor. Platform admins see events that belong to no business, and events about businesses themselves, such as registrations. The newest events may be missing for up to five seconds unless the request sends `X-Event-Position`.',
      rest: { method: 'get', path: '/v1/audit/events' },
      ...READERS,
      input: z.object({ ...filters, ...pagingInput, include_personal }),
      output: z.object(pageOutput),
      async run({ sort, cursor, limit, include_personal, ...filterValues }, { caller }) {
        return toPageResponse(
          await reader.page(
            caller,
            await filterOf(filterValues, caller),
            { order: orderOf(sort), limit, cursor: await cursorOf(cursor) },
            include_personal,
          ),
        );
      },
    }),
    operation({
      name: 'auditExport',
      area: 'Audit',
      summary: 'Export audit events as JSON lines, oldest first',
      description:
        'Streams all matching events up to the end of the log at the time of the request, one JSON document per line. To resume an interrupted export, set `behind` to the position of the last received line.',
      rest: { method: 'get', path: '/v1/audit/events/export', produces: 'application/x-ndjson' },
      ...READERS,
      streams: true,
      input: z.object({ ...filters, include_personal }),
      output: eventResponseSchema,
      async run({ include_personal, ...filterValues }, { caller }) {
        return {
          pieces: reader.lines(caller, await filterOf(filterValues, caller), include_personal),
          mediaType: 'application/x-ndjson',
          headers: attachment('events.ndjson'),
        };
      },
    }),
    operation({
      name: 'auditStreamEvents',
      area: 'Audit',
      summary: 'List events of one stream',
      description: 'Returns the events of one order, tracking or account, oldest first by default.',
      rest: { method: 'get', path: '/v1/audit/streams/:stream/events' },
      ...READERS,
      answers: { 404: 'The business has no such stream.' },
      input: z.object({
        stream: streamOrNumber,
        ...pagingInput,
        sort: pagingInput.sort.default('recorded_at'),
        include_personal,
      }),
      output: z.object(pageOutput),
      async run({ stream, sort, cursor, limit, include_personal }, { caller }) {
        const page = { order: orderOf(sort), limit, cursor: await cursorOf(cursor) };
        return toPageResponse(await reader.pageOf(caller, await streamOf(stream, caller), page, include_personal));
      },
    }),
    operation({
      name: 'auditState',
      area: 'Audit',
      summary: 'Get a past state of an order, account or tracking',
      description:
        'Computes the rows of the read models from the events of the stream up to `at`. For a tracking, the response also contains the timeline at that time. The state of an order includes its assignments to contractors.',
      rest: { method: 'get', path: '/v1/audit/state' },
      ...READERS,
      answers: { 404: 'The business has no such stream, or the stream did not exist yet.' },
      input: z.object({
        stream: streamOrNumber,
        at: z.string().max(80).optional().describe('Time (RFC 3339) or log position of the state. Default: now.'),
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
              .describe('Rows of the read models, by name of the read model.'),
            timeline: z.record(z.string(), z.unknown()).optional(),
          })
          .meta({ id: 'AuditState' }),
      }),
      async run({ stream: nameOrNumber, at, include_personal }, { caller }) {
        const stream = await streamOf(nameOrNumber, caller);
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
      summary: 'List events caused by one request',
      description: 'Returns the events with this correlation id, oldest first, each with its causal depth.',
      rest: { method: 'get', path: '/v1/audit/chain/:correlation_id' },
      ...READERS,
      answers: { 404: 'The request caused no events in the business.' },
      input: z.object({
        correlation_id: z.string().min(1).max(200),
        cursor: pagingInput.cursor,
        limit: pagingInput.limit,
        include_personal,
      }),
      output: z.object({
        ...pageOutput,
        events: z.array(
          eventResponseSchema
            .extend({
              depth: z
                .int()
                .describe(
                  'Number of causal steps from the request: 0 for events of the request, 1 for events that those events caused, and so on.',
                ),
            })
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
          ...toPageResponse(found),
          events: found.events.map((event) => ({ ...event, depth: found.depths.get(event.id) ?? 0 })),
        };
      },
    }),
  ];
}
