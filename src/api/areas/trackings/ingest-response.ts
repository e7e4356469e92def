/** The response to a push in any format: the outcome of each event. */
import { z } from 'zod';
import { fieldErrorSchema } from '../../core/field-errors.js';
import { UNMAPPED } from '../../../events/otep/codes.js';
import type { EventReading } from '../../../events/otep/check/event.js';
import type { Finding, FindingCode } from '../../../events/otep/check/findings.js';
import { ApiError, fieldOf, type FieldError } from '../../core/errors.js';

/** Maximum number of events per push. */
export const MAX_EVENTS = 500;

export const fieldErrorOf = ({ code, path, params }: Finding): FieldError => ({
  field: fieldOf(path),
  path,
  code,
  ...(params && { params }),
});

export const ingestResponseSchema = z
  .object({
    result: z.boolean(),
    accepted: z.int(),
    updated: z.int().describe('Known events whose data the push completed or corrected.'),
    duplicates: z.int(),
    rejected: z.int(),
    events: z.array(
      z
        .object({
          timeline: z.int(),
          index: z.int(),
          event_id: z.string().optional(),
          outcome: z.enum(['accepted', 'updated', 'duplicate', 'rejected']),
          errors: z.array(fieldErrorSchema).optional(),
          warnings: z
            .array(fieldErrorSchema)
            .optional()
            .meta({ description: 'Problems that the sender should correct. They do not change the outcome.' }),
        })
        .meta({ id: 'OtepEventResult' }),
    ),
  })
  .meta({ description: 'Outcome of each event. `timeline` and `index` count from 0.' });

export interface EventResult {
  readonly outcome: 'accepted' | 'updated' | 'duplicate' | 'rejected';
  readonly event_id?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  readonly warnings?: readonly FieldError[] | undefined;
}

/** Warnings that a push reports. All others concern documents and are reported by `otepValidate`. */
const PUSH_WARNINGS: ReadonlySet<string> = new Set<FindingCode>(['UNKNOWN_CARRIER']);

/** The warnings that a push reports about an event; undefined if there are none. */
export function pushWarnings({ event, warnings }: EventReading, path: string): readonly FieldError[] | undefined {
  const reported = warnings.filter(({ code }) => PUSH_WARNINGS.has(code)).map(fieldErrorOf);
  if (event?.statusCode === UNMAPPED) reported.push({ field: 'raw', path: `${path}/raw`, code: 'UNMAPPED_STATUS' });
  return reported.length === 0 ? undefined : reported;
}

/**
 * Returns the counts and the outcome of each event; throws NOTHING_ACCEPTED with the same members if all were rejected.
 */
export function toIngestResponse(
  entries: readonly (EventResult & { readonly timeline: number; readonly index: number })[],
  localize: (errors: readonly FieldError[]) => Record<string, unknown>[],
): z.infer<typeof ingestResponseSchema> {
  const count = { accepted: 0, updated: 0, duplicate: 0, rejected: 0 };
  const events = entries.map(({ timeline, index, event_id, outcome, errors, warnings }) => {
    count[outcome]++;
    return {
      timeline,
      index,
      event_id,
      outcome,
      errors: errors && (localize(errors) as z.infer<typeof fieldErrorSchema>[]),
      ...(warnings && { warnings: localize(warnings) as z.infer<typeof fieldErrorSchema>[] }),
    };
  });
  const counts = {
    accepted: count.accepted,
    updated: count.updated,
    duplicates: count.duplicate,
    rejected: count.rejected,
  };
  if (counts.accepted + counts.updated + counts.duplicates === 0 && counts.rejected > 0) {
    const [first] = events.flatMap(({ errors }) => errors ?? []);
    throw new ApiError('NOTHING_ACCEPTED', {
      ...(first && {
        says: 'NOTHING_ACCEPTED_FIRST',
        params: { path: first.path || '/', reason: first.message.replace(/[.。]$/, '') },
      }),
      members: { ...counts, events },
    });
  }
  return { result: true, ...counts, events };
}
