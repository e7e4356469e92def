/** Current statuses as they are sent: one, a list, or `{ statuses: [...] }`; and the event that each one makes. */
import { z } from 'zod';
import { eventInputSchema, subjectSchema } from '../../../events/otep/schema.js';
import { ApiError, fieldOf } from '../../core/errors.js';
import { MAX_EVENTS } from './ingest-answer.js';

/** Says in an event that it was made from a status. */
export const SYNTHESIZED = 'synthesized';

export const statusSchema = eventInputSchema
  .omit({ event_id: true, retracts: true, subject: true })
  .extend({
    tracking_number: z.string().optional().meta({ description: 'This or `subject`.' }),
    subject: subjectSchema.optional(),
    occurred_at: z
      .string()
      .optional()
      .meta({ format: 'date-time', description: 'When the status was seen; without it, the time of the request.' }),
  })
  .meta({ id: 'OtepStatusInput', description: 'The current status of one parcel.' });

export const statusesSchema = z.union([
  statusSchema,
  z.array(statusSchema).max(MAX_EVENTS),
  z.object({ statuses: z.array(statusSchema).max(MAX_EVENTS) }),
]);

/** The statuses with their JSON Pointers. Throws INVALID_INPUT and TOO_MANY_EVENTS. */
export function statusesIn(document: unknown): { readonly value: unknown; readonly path: string }[] {
  const isWrapped = isRecord(document) && 'statuses' in document;
  const list = isWrapped ? document['statuses'] : document;
  const path = isWrapped ? '/statuses' : '';
  if (isWrapped && !Array.isArray(list))
    throw new ApiError('INVALID_INPUT', {
      errors: [{ field: 'statuses', path, code: 'INVALID_TYPE', params: { expected: 'array' } }],
    });
  if (!Array.isArray(list)) return [{ value: list, path }];
  if (list.length > MAX_EVENTS)
    throw new ApiError('TOO_MANY_EVENTS', {
      params: { max: MAX_EVENTS },
      errors: [{ field: fieldOf(path), path, code: 'TOO_MANY_EVENTS', params: { max: MAX_EVENTS } }],
    });
  return list.map((value: unknown, index) => ({ value, path: `${path}/${index}` }));
}

/** The parcel that a status names, not checked yet, and the event that it makes of what it says. */
export function eventOfStatus(
  value: Readonly<Record<string, unknown>>,
  time: number,
  index: number,
): { readonly subject: unknown; readonly event: Readonly<Record<string, unknown>> } {
  // Ids are ours to make, and a status cannot be taken back.
  const { tracking_number, subject, event_id: _id, retracts: _retracts, source, ...said } = value;
  const named =
    tracking_number === undefined
      ? subject
      : isRecord(subject ?? {})
        ? { ...(subject as object), tracking_number }
        : subject;
  const event = {
    ...said,
    occurred_at: said['occurred_at'] ?? timeOf(time, index),
    source: isRecord(source ?? {}) ? { ...(source as object), ref: SYNTHESIZED } : source,
  };
  return { subject: named ?? {}, event };
}

/** A list without times is placed in its own order: one nanosecond between two statuses. */
const timeOf = (time: number, index: number): string =>
  new Date(time).toISOString().replace('Z', index === 0 ? 'Z' : `${String(index).padStart(6, '0')}Z`);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
