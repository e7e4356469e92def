/** Pushing scans: native timelines. The answer comes after the events are durable and says what became of each. */
import { z } from 'zod';
import type { EventOutcome, Ingest, PushedTimeline } from '../../commands/ingest.js';
import type { RejectionCode } from '../../commands/trackings.js';
import { readTimeline } from '../../events/otep/check/envelope.js';
import type { Finding } from '../../events/otep/check/findings.js';
import { instantAt } from '../../events/otep/time.js';
import type { ProviderCaller } from '../callers.js';
import { ApiError, fieldOf, type FieldError } from '../errors.js';
import { operation, type Operation } from './operation.js';

export const MAX_EVENTS = 500;

export const fieldErrorOf = ({ code, path, params }: Finding): FieldError => ({ field: fieldOf(path), path, code, ...(params && { params }) });

const problem = z.object({ field: z.string(), path: z.string(), code: z.string(), message: z.string() });

export const ingestAnswer = z.object({
  result: z.boolean(),
  accepted: z.int(),
  duplicates: z.int(),
  rejected: z.int(),
  events: z.array(z.object({
    timeline: z.int(), index: z.int(), event_id: z.string().optional(), outcome: z.enum(['accepted', 'duplicate', 'rejected']), errors: z.array(problem).optional(),
  })),
}).meta({ description: 'What became of every event; `timeline` and `index` count from 0.' });

export interface OtepIngestOptions {
  readonly ingest: Ingest;
  readonly now: () => number;
  /** Turns the errors of one event into the caller's language. */
  readonly localize: (errors: readonly FieldError[], language: string | undefined) => Record<string, unknown>[];
  readonly countEvents: (outcome: 'accepted' | 'duplicate' | 'rejected', count: number) => void;
}

export function otepIngest({ ingest, now, localize, countEvents }: OtepIngestOptions): Operation[] {
  return [
    operation({
      name: 'otepIngest',
      tag: 'OTEP',
      summary: 'Push scans as native timelines',
      description: `One timeline or \`{ timelines: [...] }\`, at most ${MAX_EVENTS} events in all. Answers once the events are durable; \`X-Event-Position\` tells from where on reads show them.`,
      rest: { method: 'post', path: '/v1/otep/ingest', body: 'document' },
      callers: ['provider'],
      writes: true,
      input: z.object({ document: z.unknown() }),
      output: ingestAnswer,
      answers: { 413: 'Too many events, or too large a body.', 422: 'Nothing was accepted: the same members in a problem document.' },
      run: async ({ document }, { caller, cause, header, wrote }) => {
        const pusher = caller as ProviderCaller;
        const timelines = readPush(document, pusher, now());
        const { outcomes, position } = await ingest(pusher, timelines.map(({ pushed }) => pushed), cause);
        wrote(position);
        for (const { outcome } of outcomes.flat()) countEvents(outcome, 1);
        return answer(outcomes.map((events, index) => ({ events, paths: timelines[index]!.paths })), (errors) => localize(errors, header('accept-language')));
      },
    }),
  ];
}

interface ReadTimeline {
  /** JSON Pointer of each event. */
  readonly paths: readonly string[];
  readonly pushed: PushedTimeline;
}

/** Throws INVALID_INPUT where the document has no list of events to answer for, and TOO_MANY_EVENTS. */
function readPush(document: unknown, pusher: ProviderCaller, now: number): ReadTimeline[] {
  const many = isRecord(document) && 'timelines' in document;
  const values = many ? (document as { timelines: unknown }).timelines : [document];
  if (!Array.isArray(values)) throw invalid([{ field: 'timelines', path: '/timelines', code: 'INVALID_TYPE', params: { expected: 'array' } }]);
  const count = values.reduce<number>((sum, value) => sum + (isRecord(value) && Array.isArray(value['events']) ? value['events'].length : 1), 0);
  if (count > MAX_EVENTS) throw new ApiError('TOO_MANY_EVENTS', { params: { max: MAX_EVENTS }, errors: [{ field: 'events', path: many ? '/timelines' : '/events', code: 'TOO_MANY_EVENTS', params: { max: MAX_EVENTS } }] });
  const at = instantAt(now);
  const mapRaw = (raw: { readonly code?: string }) => (raw.code === undefined ? undefined : pusher.mapping.get(raw.code)?.status_code);
  return values.map((value, index) => {
    const path = many ? `/timelines/${index}` : '';
    const { subject, events, errors } = readTimeline(value, { path, now: at, mapRaw });
    if (events.length === 0 && errors.length > 0) throw invalid(errors.map(fieldErrorOf));
    // A wrong envelope says nothing sound about any of its events.
    const bad = errors.length > 0 || !subject ? { errors } : undefined;
    return { paths: events.map(({ path }) => path), pushed: { subject: subject ?? {}, events: events.map(({ event, errors }) => bad ?? event ?? { errors }) } };
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const invalid = (errors: readonly FieldError[]): ApiError => new ApiError('INVALID_INPUT', { errors });

/** The member of an event that a refusal is about. */
const BLAMED: Readonly<Record<RejectionCode, string>> = { UNKNOWN_SHIPMENT: 'subject', NOT_YOUR_SHIPMENT: 'subject', NOT_YOUR_EVENT: 'retracts', EVENT_ID_REUSED: 'event_id' };

/** The counts and the outcome of every event; throws NOTHING_ACCEPTED with the same members when that is so. */
export function answer(
  timelines: readonly { readonly paths: readonly string[]; readonly events: readonly EventOutcome[] }[],
  localize: (errors: readonly FieldError[]) => Record<string, unknown>[],
): z.infer<typeof ingestAnswer> {
  const count = { accepted: 0, duplicate: 0, rejected: 0 };
  const events = timelines.flatMap(({ events, paths }, timeline) => events.map((event, index) => {
    count[event.outcome]++;
    const { outcome, event_id } = event;
    const errors = outcome === 'rejected' ? ('errors' in event ? event.errors.map(fieldErrorOf) : [{ field: BLAMED[event.code], path: paths[index]!, code: event.code }]) : undefined;
    return { timeline, index, ...(event_id !== undefined && { event_id }), outcome, ...(errors && { errors: localize(errors) as z.infer<typeof problem>[] }) };
  }));
  const counts = { accepted: count.accepted, duplicates: count.duplicate, rejected: count.rejected };
  if (counts.accepted + counts.duplicates === 0 && counts.rejected > 0) throw new ApiError('NOTHING_ACCEPTED', { members: { ...counts, events } });
  return { result: true, ...counts, events };
}
