/** The response to a push in any format: the outcome of each event. */
import { z } from 'zod';
import { fieldErrorSchema } from '../../core/field-errors.js';
import type { Finding } from '../../../events/otep/check/findings.js';
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
    updated: z.int().describe('Known events to which the push added data, or whose data it corrected.'),
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
        })
        .meta({ id: 'OtepEventResult' }),
    ),
  })
  .meta({ description: 'Outcome of each event. `timeline` and `index` count from 0.' });

export interface EventResult {
  readonly outcome: 'accepted' | 'updated' | 'duplicate' | 'rejected';
  readonly event_id?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
}

/**
 * Returns the counts and the outcome of each event; throws NOTHING_ACCEPTED with the same members if all were rejected.
 */
export function toIngestResponse(
  entries: readonly (EventResult & { readonly timeline: number; readonly index: number })[],
  localize: (errors: readonly FieldError[]) => Record<string, unknown>[],
): z.infer<typeof ingestResponseSchema> {
  const count = { accepted: 0, updated: 0, duplicate: 0, rejected: 0 };
  const events = entries.map(({ timeline, index, event_id, outcome, errors }) => {
    count[outcome]++;
    return {
      timeline,
      index,
      event_id,
      outcome,
      errors: errors && (localize(errors) as z.infer<typeof fieldErrorSchema>[]),
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
