/** Pushes of native timelines. The response follows after the events are durable, with the outcome of each event. */
import { z } from 'zod';
import { timelineInputSchema } from '../../../events/otep/schema.js';
import type { EventOutcome, Ingest, Ingested, PushedTimeline } from '../../../commands/trackings/ingest.js';
import type { RejectionCode } from '../../../commands/trackings/command.js';
import { readTimeline } from '../../../events/otep/check/envelope.js';
import { instantAt } from '../../../events/otep/time.js';
import type { ProviderCaller } from '../../core/callers.js';
import { ApiError, type FieldError } from '../../core/errors.js';
import {
  toIngestResponse,
  fieldErrorOf,
  pushWarnings,
  ingestResponseSchema,
  MAX_EVENTS,
  type EventResult,
} from './ingest-response.js';
import { mapperOf, type RecordUnmapped, type Unmapped } from './mapping.js';
import { operation, type Context, type Operation } from '../../core/operation.js';

export interface OtepIngestOptions {
  readonly ingest: Ingest;
  readonly now: () => number;
  /** Translates the errors of an event into the caller's language. */
  readonly localize: (errors: readonly FieldError[], language: string | undefined) => Record<string, unknown>[];
  readonly countEvents: (outcome: 'accepted' | 'updated' | 'duplicate' | 'rejected', count: number) => void;
  readonly recordUnmapped: RecordUnmapped;
}

export function otepIngest({ ingest, now, localize, countEvents, recordUnmapped }: OtepIngestOptions): Operation[] {
  /** `placed`: JSON Pointer and warnings per timeline and event. */
  async function respondTo(
    push: Promise<Ingested>,
    placed: readonly ReadTimeline['placed'][],
    { header, wrote }: Context,
  ) {
    const { outcomes, position } = await push;
    wrote(position);
    for (const { outcome } of outcomes.flat()) countEvents(outcome, 1);
    const entries = outcomes.flatMap((events, timeline) =>
      events.map((event, index) => {
        const { path, warnings } = placed[timeline]![index]!;
        const { outcome, event_id, errors } = toEventResult(event, path);
        return { timeline, index, outcome, event_id, errors, warnings };
      }),
    );
    return toIngestResponse(entries, (errors) => localize(errors, header('accept-language')));
  }

  /** Counts unmapped statuses after the push is durable, so that a repeated push counts only once. */
  async function recordingUnmapped(
    push: Promise<Ingested>,
    provider: string,
    unmapped: readonly Unmapped[],
  ): Promise<Ingested> {
    const ingested = await push;
    recordUnmapped(provider, unmapped);
    return ingested;
  }

  return [
    operation({
      name: 'otepIngest',
      area: 'OTEP',
      summary: 'Push tracking events as native timelines',
      description: `For providers that know the history of parcels. To push only current statuses, use \`otepIngestStatus\`. An event with an unknown raw code is accepted with the warning \`UNMAPPED_STATUS\`. It stays hidden until a table contains the code. Send one timeline or \`{ timelines: [...] }\`, with at most ${MAX_EVENTS} events in total. The service responds when the events are stored durably, with the outcome of each event. Send the returned \`X-Event-Position\` with reads that must include the events.`,
      rest: { method: 'post', path: '/v1/otep/ingest', body: 'document' },
      callers: ['provider'],
      writes: true,
      input: z.object({ document: z.unknown() }),
      documented: z.union([timelineInputSchema, z.object({ timelines: z.array(timelineInputSchema) })]),
      output: ingestResponseSchema,
      answers: {
        413: '`TOO_MANY_EVENTS`: the request has too many events. Or the body is too large.',
        422: '`NOTHING_ACCEPTED`: all events were rejected. The problem document has the same members.',
      },
      run: ({ document }, context) => {
        const pusher = context.caller as ProviderCaller;
        const unmapped: Unmapped[] = [];
        const timelines = readPush(document, pusher, now(), unmapped);
        const push = ingest(
          pusher,
          timelines.map(({ pushed }) => pushed),
          context.cause,
        );
        return respondTo(
          unmapped.length === 0 ? push : recordingUnmapped(push, pusher.id, unmapped),
          timelines.map(({ placed }) => placed),
          context,
        );
      },
    }),
  ];
}

interface ReadTimeline {
  /** JSON Pointer of each event, and the warnings that the response reports. */
  readonly placed: readonly { readonly path: string; readonly warnings: readonly FieldError[] | undefined }[];
  readonly pushed: PushedTimeline;
}

/** Throws INVALID_INPUT if the document has no list of events, and TOO_MANY_EVENTS. */
function readPush(document: unknown, pusher: ProviderCaller, now: number, unmapped: Unmapped[]): ReadTimeline[] {
  const many = isRecord(document) && 'timelines' in document;
  const values = many ? (document as { timelines: unknown }).timelines : [document];
  if (!Array.isArray(values))
    throw invalid([{ field: 'timelines', path: '/timelines', code: 'INVALID_TYPE', params: { expected: 'array' } }]);
  const count = values.reduce<number>(
    (sum, value) => sum + (isRecord(value) && Array.isArray(value['events']) ? value['events'].length : 1),
    0,
  );
  if (count > MAX_EVENTS)
    throw new ApiError('TOO_MANY_EVENTS', {
      params: { max: MAX_EVENTS },
      errors: [
        {
          field: 'events',
          path: many ? '/timelines' : '/events',
          code: 'TOO_MANY_EVENTS',
          params: { max: MAX_EVENTS },
        },
      ],
    });
  const at = instantAt(now);
  return values.map((value, index) => {
    const path = many ? `/timelines/${index}` : '';
    const mapRaw = mapperOf(pusher, numberIn(value), unmapped, { keeps: true });
    const { subject, events, errors } = readTimeline(value, { path, now: at, mapRaw });
    if (events.length === 0 && errors.length > 0) throw invalid(errors.map(fieldErrorOf));
    // If the envelope is invalid, all of its events are rejected.
    const rejection = errors.length > 0 || !subject ? { errors } : undefined;
    return {
      placed: events.map((one) => ({ path: one.path, warnings: pushWarnings(one, one.path) })),
      pushed: { subject: subject ?? {}, events: events.map(({ event, errors }) => rejection ?? event ?? { errors }) },
    };
  });
}

const numberIn = (value: unknown): unknown =>
  isRecord(value) && isRecord(value['subject']) ? value['subject']['tracking_number'] : undefined;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const invalid = (errors: readonly FieldError[]): ApiError => new ApiError('INVALID_INPUT', { errors });

/** The member of an event that causes the rejection. */
const REJECTED_FIELDS: Readonly<Record<RejectionCode, string>> = {
  UNKNOWN_SHIPMENT: 'subject',
  NUMBER_RESERVED: 'subject',
  NOT_YOUR_SHIPMENT: 'subject',
  NOT_YOUR_EVENT: 'retracts',
  EVENT_ID_REUSED: 'event_id',
  TOO_MANY_REPORTS: 'event_id',
};

/** `path`: JSON Pointer of the event. */
export function toEventResult(event: EventOutcome, path: string): EventResult {
  const { outcome, event_id } = event;
  const errors =
    outcome === 'rejected'
      ? 'errors' in event
        ? event.errors.map(fieldErrorOf)
        : [{ field: REJECTED_FIELDS[event.code], path, code: event.code }]
      : undefined;
  return { outcome, event_id, errors };
}
