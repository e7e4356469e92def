/** Parses current statuses (one, a list, or `{ statuses: [...] }`) and creates an event from each. */
import { z } from 'zod';
import { eventInputSchema, subjectSchema } from '../../../events/otep/schema.js';
import { ApiError, fieldOf } from '../../core/errors.js';
import { MAX_EVENTS } from './ingest-response.js';

/** Marks an event that was created from a status. */
export const SYNTHESIZED = 'synthesized';

export const statusSchema = eventInputSchema
  .omit({ event_id: true, retracts: true, unretracts: true, subject: true })
  .extend({
    tracking_number: z
      .string()
      .optional()
      .meta({ description: 'Tracking number of the parcel. Required unless `subject` is present.' }),
    subject: subjectSchema.optional(),
    occurred_at: z
      .string()
      .optional()
      .meta({
        format: 'date-time',
        description: 'Time at which the status was observed. Default: the time of the request.',
      }),
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

/** Returns the parcel of a status, not validated yet, and the event that the status creates. */
export function eventOfStatus(
  value: Readonly<Record<string, unknown>>,
  time: number,
  index: number,
): { readonly subject: unknown; readonly event: Readonly<Record<string, unknown>> } {
  // The service assigns event ids, and a status cannot be retracted.
  const {
    tracking_number,
    subject,
    event_id: _id,
    retracts: _retracts,
    unretracts: _unretracts,
    source,
    ...fields
  } = value;
  const namedSubject =
    tracking_number === undefined
      ? subject
      : isRecord(subject ?? {})
        ? { ...(subject as object), tracking_number }
        : subject;
  const event = {
    ...fields,
    occurred_at: fields['occurred_at'] ?? timeOf(time, index),
    source: isRecord(source ?? {}) ? { ...(source as object), ref: SYNTHESIZED } : source,
  };
  return { subject: namedSubject ?? {}, event };
}

/** Statuses without a time keep the order of the list: each is one nanosecond after the previous one. */
const timeOf = (time: number, index: number): string =>
  new Date(time).toISOString().replace('Z', index === 0 ? 'Z' : `${String(index).padStart(6, '0')}Z`);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
