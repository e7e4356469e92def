/** Filters for events of the log. */
import { z } from 'zod';
import { withFormat } from '../../../events/core/format.js';
import { instantOf, millisOf } from '../../../events/otep/time.js';
import type { AuditFilter } from '../../../projections/audit/queries.js';
import type { Caller } from '../../core/callers.js';
import type { ParcelStreams } from './parcel-streams.js';
import type { AuditReader } from './reader.js';

const CHANNELS = ['rest', 'graphql', 'mcp', 'kafka', 'page', 'system'] as const;

const timeInput = withFormat(
  z
    .string()
    .max(40)
    .refine((text) => instantOf(text) !== null),
  'RFC 3339, `2030-05-04T09:00:00Z`',
)
  .transform(toRecordedTime)
  .optional();
export const streamOrNumber = z
  .string()
  .min(1)
  .max(256)
  .describe(
    'Name of a stream (`order-16`, `tracking-<id>`, `account-3`), or a tracking number. A tracking number selects the stream of its tracking.',
  );

/** The filters of a request, and their translation into a filter of the audit index. */
export function createAuditFilters(reader: AuditReader, parcels: ParcelStreams) {
  const filters = {
    stream: streamOrNumber
      .optional()
      .describe(
        'Name of a stream, or a tracking number. A tracking number selects the stream of its tracking and the stream of the order.',
      ),
    area: z.enum(reader.areaNames as [string, ...string[]]).optional(),
    type: z.string().min(1).max(100).optional(),
    actor: z
      .string()
      .max(120)
      .regex(/^(user|provider|system):\S+$/)
      .optional()
      .describe('Actor of the events: `user:<id>`, `provider:<id>` or `system:<id>`.'),
    channel: z.enum(CHANNELS).optional(),
    correlation_id: z.string().min(1).max(200).optional(),
    recorded_from: timeInput.describe('Return only events that were recorded at this time or later (RFC 3339).'),
    recorded_to: timeInput.describe('Return only events that were recorded before this time (RFC 3339).'),
    behind: z.string().max(80).optional().describe('Return only events after this position.'),
    up_to: z.string().max(80).optional().describe('Return only events up to and including this position.'),
  };
  type Filters = z.infer<z.ZodObject<typeof filters>>;

  async function toAuditFilter(
    {
      stream,
      area,
      type,
      actor,
      channel,
      correlation_id,
      recorded_from: from,
      recorded_to: to,
      behind,
      up_to,
    }: Filters,
    caller: Caller,
  ): Promise<Omit<AuditFilter, 'tenant'>> {
    return {
      streams: stream === undefined ? undefined : await parcels.streamsOf(stream, caller),
      type,
      actor,
      channel,
      correlation: correlation_id,
      prefix: area === undefined ? undefined : reader.prefixOf(area),
      from,
      before: to,
      behind: behind === undefined ? undefined : await reader.parsePosition(behind, 'behind'),
      upTo: up_to === undefined ? undefined : await reader.parsePosition(up_to, 'up_to'),
    };
  }

  return { filters, toAuditFilter };
}

/** Converts a time to the stored format of record times: UTC with milliseconds. */
function toRecordedTime(text: string): string {
  const instant = instantOf(text);
  return instant === null ? text : new Date(millisOf(instant)).toISOString();
}
